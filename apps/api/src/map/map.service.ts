import { Injectable } from '@nestjs/common';
import { MAP_ANSWER_MS, PLAN_LIMITS, ApiError, type MapReply, type MapTask } from '@app/contracts';
import type { Settings } from '@app/config';
import type { Runtime } from '@app/runtime';
import { type Tenant, CreditCharges, type CreditUse, CREDIT_COSTS } from '@app/accounts';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { DEFAULT_LINKS, type MapRequest, type MapResult } from './map.dto.js';

export interface MapAnswer extends CreditUse {
  readonly result: MapResult;
}

/** The caller of a map, and its chargeId. */
export interface MapCall {
  readonly tenant: Tenant;
  readonly requestId: string;
  readonly signal: AbortSignal;
}

type Mapped = Extract<MapReply, { kind: 'mapped' }>;

/** Specification, Request-shape limits: "Map: … 25 second budget". */
const MAX_MAP_MS = 25_000;

/** When the reply to a map that begins now is due: it has the links found within its budget. */
export function mapDeadlineAtMs({ scrapeTimeoutMs }: Pick<Settings, 'scrapeTimeoutMs'>): number {
  return Date.now() + Math.min(MAX_MAP_MS, scrapeTimeoutMs) + MAP_ANSWER_MS;
}

@Injectable()
export class MapService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
  ) {}

  async map(body: MapRequest, call: MapCall): Promise<MapAnswer> {
    const url = this.targets.parse(body.url);
    const task = this.toTask(url, body, call);
    const { tenant, requestId } = call;
    const charge = { tenant, operation: 'map', chargeId: requestId, requestId } as const;
    const { value, ...spent } = await this.charges.charged(charge, CREDIT_COSTS.map, async () => {
      const mapped = mappedOf(await this.fetchers.request('map', task, call.signal), body.url);
      const credits = mapped.links.length === 0 ? 0 : CREDIT_COSTS.map;
      return { value: mapped, credits, costMicroUsd: 0 };
    });
    return { result: present(url, value), ...spent };
  }

  private toTask(
    url: URL,
    { limit, search, sources }: MapRequest,
    { tenant, requestId }: MapCall,
  ): MapTask {
    return {
      requestId,
      tenantId: tenant.id,
      plan: tenant.plan,
      url: url.href,
      limit: Math.min(limit ?? DEFAULT_LINKS, PLAN_LIMITS[tenant.plan].mapLinks),
      // Every URL contains the empty text.
      search: search || null,
      ...(sources ? { sources } : {}),
      deadlineAtMs: mapDeadlineAtMs(this.runtime.settings),
    };
  }
}

function present(url: URL, { links, source, timedOut, cuts }: Mapped): MapResult {
  return {
    url: url.href,
    links,
    total: links.length,
    source,
    ...(timedOut ? { timedOut: true } : {}),
    ...(cuts.length === 0 ? {} : { cuts }),
  };
}

/** @throws ApiError */
function mappedOf(reply: MapReply, url: string): Mapped {
  switch (reply.kind) {
    case 'mapped':
      return reply;
    case 'blocked':
      throw new ApiError('blocked_url', { url });
    case 'failed': {
      const code = reply.reason === 'timeout' ? 'map_timeout' : 'map_fetch_failed';
      throw new ApiError(code, {}, { body: { message: reply.problem } });
    }
  }
}
