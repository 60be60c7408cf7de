import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { EnrichReply, EnrichTask, Enrichment, BrandReading } from '@app/company';
import type { Runtime } from '@app/runtime';
import {
  CreditCharges,
  CREDIT_COSTS,
  type Tenant,
  type CreditUse,
  type ChargeIds,
} from '@app/accounts';
import { GraphWriter, observationOfEnrichment } from '@app/graph';
import type { TechReport } from '@app/tech';
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
import type { EnrichResult, HomepageView, TechMetaView } from './enrich-result.dto.js';
import { presentBrand } from '../brand/present-brand.js';

/**
 * The enrichment result of the specification.
 * @param wantsBrand a brand was requested: if it could not be read, it is empty and partial
 */
function presentEnrichment(enrichment: Enrichment, wantsBrand: boolean): EnrichResult {
  const { domain, emails, phones, socials, team, pagesCrawled, tech, brand } = enrichment;
  const { completeness, isByModel, latencyMs, cacheAgeMs } = enrichment;
  return {
    domain,
    emails,
    phones,
    social: socials,
    tech_stack: tech?.technologies ?? [],
    team,
    pages_crawled: pagesCrawled,
    homepage: presentHomepage(enrichment.homepage),
    ...(wantsBrand ? presentBrandOf(brand) : {}),
    ...(tech ? { tech_meta: presentTechMeta(tech) } : {}),
    _completeness: completeness,
    _confidence: completeness,
    _extraction_method: isByModel ? 'deterministic+llm' : 'deterministic',
    _latency_ms: latencyMs,
    ...(cacheAgeMs === undefined ? {} : { _cache_age_ms: cacheAgeMs }),
  };
}

/** Whether there is data to charge for (specification: a call that returns no data). */
function hasFindings({
  emails,
  phones,
  socials,
  team,
  homepage,
  tech,
  brand,
}: Enrichment): boolean {
  const lists = [emails, phones, team, tech?.technologies ?? [], brand?.colors ?? []];
  const facts = [socials, homepage, brand?.provenance ?? {}];
  return (
    lists.some((list) => list.length > 0) || facts.some((fact) => Object.keys(fact).length > 0)
  );
}

function presentHomepage({ title, description, heroImage }: Enrichment['homepage']): HomepageView {
  return {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(heroImage === undefined ? {} : { hero_image: heroImage }),
  };
}

function presentTechMeta({ reasons, scannedBytes, durationMs, sources }: TechReport): TechMetaView {
  return {
    partial: reasons.length > 0,
    reasons,
    scanned_bytes: Math.round(scannedBytes),
    duration_ms: Math.round(durationMs),
    ...(sources ? { sources } : {}),
  };
}

function presentBrandOf(brand: BrandReading | null): Pick<EnrichResult, 'brand' | 'brand_meta'> {
  if (brand === null) return { brand: {}, brand_meta: { partial: true, reasons: [] } };
  const { brand_meta, ...profile } = presentBrand(brand);
  return { brand: profile, brand_meta };
}

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
