import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import {
  CREDIT_COSTS,
  CreditCharges,
  type ChargedResult,
  type ChargeIds,
  type CreditUse,
  type Tenant,
} from '@app/accounts';
import {
  findBusinessById,
  fuseObservation,
  GraphWriter,
  observationOfEnrichment,
  readKeys,
  resolveBusiness,
  RESOLVED_CONFIDENCE,
  type FoundBusiness,
  type Observation,
  type ReadKeys,
  type ResolvedBusiness,
  type Unresolved,
  type ResolvedBy,
} from '@app/graph';
import type { Runtime } from '@app/runtime';
import { TargetCheck } from '../../fetchers/target-check.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { InjectRuntime } from '../../runtime.token.js';
import { homepagesOf } from '../company-site.js';
import type { ResolveRequest, ResolveResult } from './resolve.dto.js';
import { SiteReading } from './site-reading.js';

/** Domains that wait, per process; more are left until they are requested again. */
const MAX_WAITING = 100;

interface Refresh {
  readonly domain: string;
  readonly tenantId: string;
}

/** Reads the sites of stale companies again in the background, one at a time. */
@Injectable()
export class CompanyRefresh implements OnApplicationShutdown {
  private readonly waiting = new Map<string, Refresh>();
  private readonly ending = new AbortController();
  private isRunning = false;

  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'log'>,
    private readonly sites: SiteReading,
    private readonly graph: GraphWriter,
  ) {}

  /** Returns false if too many wait; a domain that waits already is not added again. */
  add(refresh: Refresh): boolean {
    if (this.waiting.has(refresh.domain)) return true;
    if (this.waiting.size >= MAX_WAITING || this.ending.signal.aborted) return false;
    this.waiting.set(refresh.domain, refresh);
    if (!this.isRunning) void this.run();
    return true;
  }

  onApplicationShutdown(): void {
    this.waiting.clear();
    this.ending.abort();
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (const refresh of this.waiting.values()) {
      await this.refresh(refresh).catch((err: unknown) =>
        this.runtime.log.debug({ err }, 'a company was not read again'),
      );
      this.waiting.delete(refresh.domain);
    }
    this.isRunning = false;
  }

  /** With the share of the free plan: it must not delay requests. */
  private async refresh({ domain, tenantId }: Refresh): Promise<void> {
    const homepages = [`https://${domain}/`, `http://${domain}/`] as const;
    const tenant = { id: tenantId, plan: 'free' } as const;
    const reply = await this.sites.read(homepages, tenant, this.ending.signal);
    if (reply.kind !== 'enriched') return;
    const observation = observationOfEnrichment(reply.enrichment, new Date(), 'resolve');
    await this.graph.remember(tenantId, observation);
  }
}

/** The company record of the specification. */
function presentCompany(
  { business, sourceCount, freshness }: Omit<FoundBusiness, 'id'>,
  resolvedBy: ResolvedBy | 'live',
): ResolveResult {
  const { domain, name, description, logo, industry, location, phone, email } = business;
  const { employeeBand, revenueBand, socials, techStack } = business;
  return {
    resolved: true,
    domain: domain ?? null,
    name: name ?? null,
    description: description ?? null,
    logo: logo ?? null,
    industry: industry ?? null,
    socials,
    tech_stack: techStack,
    location: location
      ? {
          city: location.city ?? null,
          state: location.state ?? null,
          zip: location.zip ?? null,
          country: location.country ?? null,
        }
      : null,
    phone: phone ?? null,
    email: email ?? null,
    employee_band: employeeBand ?? null,
    revenue_band: revenueBand ?? null,
    _resolved_by: resolvedBy,
    _confidence: resolvedBy === 'live' ? liveConfidence(business) : RESOLVED_CONFIDENCE[resolvedBy],
    _freshness: freshness.toISOString(),
    _source_count: sourceCount,
  };
}

const LIVE_BASE = 0.4;
const LIVE_STEP = 0.06;

/** 0.4 to 0.88 by the signals that were found (specification: Company record). */
function liveConfidence({
  name,
  logo,
  industry,
  socials,
  techStack,
  location,
  phone,
  email,
}: FoundBusiness['business']): number {
  const signals = [
    ...[name, logo, industry, location, phone, email].map((value) => value !== undefined),
    Object.keys(socials).length > 0,
    techStack.length > 0,
  ];
  return Number((LIVE_BASE + LIVE_STEP * signals.filter(Boolean).length).toFixed(2));
}

export interface ResolveAnswer extends CreditUse {
  readonly result: ResolveResult;
}

/** The caller of a resolve request, and its chargeId. */
export interface ResolveCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

const DAY_MS = 86_400_000;

@Injectable()
export class ResolveService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'database' | 'metrics'>,
    private readonly targets: TargetCheck,
    private readonly sites: SiteReading,
    private readonly graph: GraphWriter,
    private readonly refreshes: CompanyRefresh,
    private readonly charges: CreditCharges,
  ) {}

  /** @throws ApiError */
  async resolve(body: ResolveRequest, call: ResolveCall): Promise<ResolveAnswer> {
    const written = withoutEmpty(body);
    if (!written.domain && !written.email && !written.name) throw new ApiError('company_required');
    // A refused URL is refused whether or not the graph knows its domain.
    const homepages = written.domain ? homepagesOf({ domain: written.domain }, this.targets) : null;
    const keys = readKeys(written);
    if (keys.isBadEmail) throw invalidRequest('`email` must be an e-mail address');
    const charge = { ...call, operation: 'resolve' } as const;
    const { value, ...spent } = await this.charges.charged(charge, CREDIT_COSTS.resolve, () =>
      this.answer(keys, homepages, call),
    );
    return { result: value, ...spent };
  }

  private async answer(
    keys: ReadKeys,
    homepages: readonly [string, ...string[]] | null,
    call: ResolveCall,
  ): Promise<ChargedResult<ResolveResult>> {
    const { question } = keys;
    const found = this.isGraphOn
      ? await resolveBusiness(this.runtime.database, question)
      : 'unknown';
    const isHit = typeof found !== 'string' && isWhole(found);
    this.runtime.metrics.graphLookups.inc({ key: isHit ? found.resolvedBy : 'miss' });
    if (isHit) return paid(this.hit(found, call));
    const isUnknown = typeof found === 'string';
    const domain = question.domain ?? (isUnknown ? undefined : found.business.domain);
    if (domain === undefined) return free(this.miss(keys, isUnknown ? found : 'unknown'));
    return this.live(homepages ?? homepagesOf({ domain }, this.targets), call);
  }

  private get isGraphOn(): boolean {
    return this.runtime.settings.graphEnabled;
  }

  private hit(found: WholeBusiness, { tenant }: ResolveCall): ResolveResult {
    const { settings, metrics } = this.runtime;
    const ageMs = Date.now() - found.readAt.getTime();
    metrics.graphAge.observe(ageMs / 1_000);
    const { domain } = found.business;
    const isStale = ageMs > settings.graphStaleDays * DAY_MS;
    if (isStale && domain !== undefined) this.refreshes.add({ domain, tenantId: tenant.id });
    return presentCompany({ ...found, freshness: found.readAt }, found.resolvedBy);
  }

  /** Without a domain there is no site to read. @throws ApiError */
  private miss({ isMailProvider, question }: ReadKeys, why: Unresolved): ResolveResult {
    if (isMailProvider && question.name === undefined)
      return {
        resolved: false,
        error: 'The address is at a mailbox provider, whose domain names no company. Add `name`.',
      };
    if (!this.isGraphOn) throw new ApiError('graph_disabled', {}, { isPermanent: true });
    const hint =
      why === 'ambiguous'
        ? 'Several companies have this name: add `state`, `zip` or `domain`.'
        : 'Send the domain of the company, so that its site is read.';
    throw new ApiError('company_not_found', {}, { hint });
  }

  /** @throws ApiError for a blocked address */
  private async live(
    homepages: readonly [string, ...string[]],
    { tenant, signal }: ResolveCall,
  ): Promise<ChargedResult<ResolveResult>> {
    const reply = await this.sites.read(homepages, tenant, signal);
    if (reply.kind === 'blocked') throw new ApiError('blocked_url', { url: reply.url });
    if (reply.kind === 'failed') return free({ resolved: false, error: reply.problem });
    const observation = observationOfEnrichment(reply.enrichment, new Date(), 'resolve');
    const company = observation && (await this.stored(tenant.id, observation));
    if (company?.business.name === undefined)
      return free({ resolved: false, error: 'The site does not state the name of a company' });
    return paid(presentCompany(company, 'live'));
  }

  /** The fused record with this reading; that of the reading alone if the graph did not store it. */
  private async stored(
    tenantId: string,
    observation: Observation,
  ): Promise<Omit<FoundBusiness, 'id'>> {
    const id = await this.graph.remember(tenantId, observation);
    const stored =
      id === null
        ? null
        : await this.runtime.database.transaction((tx) => findBusinessById(tx, id));
    return stored ?? fuseObservation(observation);
  }
}

type WholeBusiness = ResolvedBusiness & { readonly readAt: Date };

/** Whether a record can be the answer. What a brand or an enrichment found is a part of one, and the site is read. */
function isWhole(found: ResolvedBusiness): found is WholeBusiness {
  return found.readAt !== null && found.business.name !== undefined;
}

const paid = (value: ResolveResult): ChargedResult<ResolveResult> => ({
  value,
  credits: CREDIT_COSTS.resolve,
  costMicroUsd: 0,
});
const free = (value: ResolveResult): ChargedResult<ResolveResult> => ({
  value,
  credits: 0,
  costMicroUsd: 0,
});

/** Without fields that are empty or null. */
function withoutEmpty(body: ResolveRequest): ResolveRequest {
  const entries = Object.entries(body).map(([name, value]) => [name, String(value ?? '').trim()]);
  return Object.fromEntries(entries.filter(([, value]) => value !== '')) as ResolveRequest;
}
