import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { EnrichReply, EnrichTask, Enrichment } from '@app/company';
import type { Runtime } from '@app/runtime';
import {
  type Tenant,
  CreditCharges,
  type CreditUse,
  type ChargeIds,
  CREDIT_COSTS,
} from '@app/accounts';
import { GraphWriter, observationOfEnrichment } from '@app/graph';
import { requestInTurn, homepagesOf } from '../company-site.js';
import { FetcherCall } from '../../fetchers/fetcher-call.js';
import { TargetCheck } from '../../fetchers/target-check.js';
import { InjectRuntime } from '../../runtime.token.js';
import {
  DEFAULT_PAGES,
  FIXED_PAGES,
  MAX_PAGES,
  type EnrichRequest,
  type EnrichWebsiteRequest,
} from './enrich.dto.js';
import type { EnrichResult } from './enrich-result.dto.js';
import { hasFindings, presentEnrichment } from './present-enrichment.js';

export interface EnrichAnswer extends CreditUse {
  readonly result: EnrichResult;
}

/** The caller of an enrichment, and its chargeId. */
export interface EnrichCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

type Body = EnrichRequest | EnrichWebsiteRequest;

@Injectable()
export class EnrichService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
    private readonly graph: GraphWriter,
  ) {}

  async enrich(body: Body, pages: EnrichTask['pages'], call: EnrichCall): Promise<EnrichAnswer> {
    const [first, second] = homepagesOf(body, this.targets);
    const task = this.toTask(first, body, pages, call);
    const charge = { ...call, operation: 'enrich' } as const;
    const { value: enrichment, ...charged } = await this.charges.charged(
      charge,
      CREDIT_COSTS.enrich,
      async () => {
        const reply = await requestInTurn(task, second, (one) => this.send(one, call.signal));
        const value = await this.enrichmentOf(reply, task);
        const credits = hasFindings(value) ? CREDIT_COSTS.enrich : 0;
        return { value, credits, costMicroUsd: value.usage?.costMicroUsd ?? 0 };
      },
    );
    // A cached result was added to the graph when it was read.
    if (hasFindings(enrichment) && enrichment.cacheAgeMs === undefined) {
      const observation = observationOfEnrichment(enrichment, new Date());
      await this.graph.remember(task.tenantId, observation);
    }
    return { result: presentEnrichment(enrichment, task.includeBrand), ...charged };
  }

  /** A model costs money: its cost is recorded even if the client disconnected meanwhile. */
  private send(task: EnrichTask, signal: AbortSignal): Promise<EnrichReply> {
    const recordCost = (late: EnrichReply): Promise<void> => this.recordCost(late, task);
    return this.fetchers.request('enrich', task, signal, task.useModel ? recordCost : undefined);
  }

  private recordCost(reply: EnrichReply, task: EnrichTask): Promise<void> {
    switch (reply.kind) {
      case 'enriched':
        return this.charges.recordCost(task, 'enrich', reply.enrichment.usage);
      case 'failed':
        return this.charges.recordCost(task, 'enrich', reply.usage);
      case 'blocked':
        return Promise.resolve();
    }
  }

  /** @throws ApiError */
  private async enrichmentOf(reply: EnrichReply, task: EnrichTask): Promise<Enrichment> {
    switch (reply.kind) {
      case 'enriched':
        return reply.enrichment;
      case 'blocked':
        throw new ApiError('blocked_url', { url: reply.url });
      case 'failed': {
        await this.recordCost(reply, task);
        const { problem } = reply;
        throw new ApiError('fetch_failed', { problem }, { body: { url: task.url } });
      }
    }
  }

  private toTask(
    url: string,
    body: Body,
    pages: EnrichTask['pages'],
    { tenant, requestId }: EnrichCall,
  ): EnrichTask {
    const { scrapeTimeoutMs, llmTimeoutMs, llmBaseUrl, llmModelLow } = this.runtime.settings;
    const isFixed = pages === 'fixed';
    const most = isFixed ? FIXED_PAGES : MAX_PAGES;
    const hasModel = llmBaseUrl !== undefined && llmModelLow !== '';
    // Model usage is for paid plans (specification: Credit cost per call).
    const wantsModel = (body.useModel ?? false) && (body.includeTeam ?? true);
    const useModel = wantsModel && hasModel && tenant.plan !== 'free';
    return {
      requestId,
      tenantId: tenant.id,
      plan: tenant.plan,
      url,
      pages,
      maxPages: Math.min(body.maxPages ?? (isFixed ? FIXED_PAGES : DEFAULT_PAGES), most),
      includeEmails: body.includeEmails ?? true,
      includeTech: body.includeTech ?? true,
      includeTeam: body.includeTeam ?? true,
      includeBrand: body.includeBrand ?? false,
      deepTech: body.deepTech ?? false,
      useModel,
      maxAgeMs: body.maxAge ?? 0,
      deadlineAtMs: Date.now() + scrapeTimeoutMs + (useModel ? llmTimeoutMs : 0),
    };
  }
}
