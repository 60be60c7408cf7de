import { Injectable } from '@nestjs/common';
import {
  CREDIT_COSTS,
  Refusal,
  type EnrichReply,
  type EnrichTask,
  type Enrichment,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { Tenant } from '@app/accounts';
import { CompanyGraph, factsOfEnrichment } from '../company/company-graph.js';
import { Bookings, type Spent } from '../http/bookings.js';
import { askInTurn, homepagesOf } from '../http/company-site.js';
import { FetcherCall } from '../http/fetcher-call.js';
import type { Work } from '../http/idempotency/claimed-requests.js';
import { TargetCheck } from '../http/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import {
  DEFAULT_PAGES,
  FIXED_PAGES,
  MAX_PAGES,
  type EnrichRequest,
  type EnrichWebsiteRequest,
} from './enrich.dto.js';
import type { EnrichResult } from './enrich-result.dto.js';
import { hasFindings, presentEnrichment } from './present-enrichment.js';

export interface EnrichAnswer extends Spent {
  readonly result: EnrichResult;
}

/** Whose enrichment, and what it is booked under. */
export interface EnrichCall extends Work {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

type Body = EnrichRequest | EnrichWebsiteRequest;

@Injectable()
export class EnrichService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly bookings: Bookings,
    private readonly graph: CompanyGraph,
  ) {}

  async enrich(body: Body, pages: EnrichTask['pages'], call: EnrichCall): Promise<EnrichAnswer> {
    const [first, second] = homepagesOf(body, this.targets);
    const task = this.toTask(first, body, pages, call);
    const charge = { ...call, operation: 'enrich' } as const;
    const { value: enrichment, ...spent } = await this.bookings.charged(
      charge,
      CREDIT_COSTS.enrich,
      async () => {
        const reply = await askInTurn(task, second, (one) => this.ask(one, call.signal));
        const value = await this.enrichmentOf(reply, task);
        const credits = hasFindings(value) ? CREDIT_COSTS.enrich : 0;
        return { value, credits, costMicroUsd: value.usage?.costMicroUsd ?? 0 };
      },
    );
    // A kept result was written when it was read.
    if (hasFindings(enrichment) && enrichment.cacheAgeMs === undefined)
      this.graph.remember(task.tenantId, factsOfEnrichment(enrichment, new Date()));
    return { result: presentEnrichment(enrichment, task.includeBrand), ...spent };
  }

  /** A model's work costs money: it is booked also when the caller hung up meanwhile. */
  private ask(task: EnrichTask, signal: AbortSignal): Promise<EnrichReply> {
    const bookLost = (late: EnrichReply): Promise<void> => this.bookLost(late, task);
    return this.fetchers.request('enrich', task, signal, task.useModel ? bookLost : undefined);
  }

  private bookLost(reply: EnrichReply, task: EnrichTask): Promise<void> {
    switch (reply.kind) {
      case 'enriched':
        return this.bookings.bookLost(task, 'enrich', reply.enrichment.usage);
      case 'failed':
        return this.bookings.bookLost(task, 'enrich', reply.usage);
      case 'blocked':
        return Promise.resolve();
    }
  }

  /** @throws Refusal */
  private async enrichmentOf(reply: EnrichReply, task: EnrichTask): Promise<Enrichment> {
    switch (reply.kind) {
      case 'enriched':
        return reply.enrichment;
      case 'blocked':
        throw new Refusal('blocked_url', { url: reply.url });
      case 'failed': {
        await this.bookLost(reply, task);
        const { problem } = reply;
        throw new Refusal('fetch_failed', { problem }, { body: { url: task.url } });
      }
    }
  }

  private toTask(
    url: string,
    body: Body,
    pages: EnrichTask['pages'],
    { tenant, requestId }: EnrichCall,
  ): EnrichTask {
    const { enrichTimeoutMs, llmTimeoutMs, llmBaseUrl, llmModelLow } = this.runtime.settings;
    const isFixed = pages === 'fixed';
    const most = isFixed ? FIXED_PAGES : MAX_PAGES;
    const hasModel = llmBaseUrl !== undefined && llmModelLow !== '';
    // Usage of a model is for paid plans (specification: Credit cost per call).
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
      deadlineAtMs: Date.now() + enrichTimeoutMs + (useModel ? llmTimeoutMs : 0),
    };
  }
}
