import { Injectable } from '@nestjs/common';
import {
  businessSearchMs,
  type BusinessCursor,
  type BusinessSearchReply,
  type ScraperName,
} from '@app/connectors';
import { ApiError, newId } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { InjectRuntime } from '../runtime.token.js';

/** A search of a listing scraper. */
export interface BusinessSearch {
  readonly scraper: ScraperName;
  readonly query: string;
  readonly location: string | null;
  readonly limit: number;
  readonly from: BusinessCursor | null;
}

export type FoundBusinesses = Extract<BusinessSearchReply, { kind: 'businesses' }>;

const SETTINGS: Readonly<Record<ScraperName, string>> = {
  maps: 'SCRAPER_MAPS',
  reviews: 'SCRAPER_REVIEWS',
  listings: 'SCRAPER_LISTINGS',
};

/** Lets a fetcher search the sources of a listing scraper. */
@Injectable()
export class BusinessCall {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log'>,
    private readonly fetchers: FetcherCall,
  ) {}

  /** @throws ApiError if no source completed */
  async find(
    search: BusinessSearch,
    { id: tenantId, plan }: Pick<Tenant, 'id' | 'plan'>,
    signal: AbortSignal,
  ): Promise<FoundBusinesses> {
    const deadlineAtMs = Date.now() + businessSearchMs(this.runtime.settings);
    const task = {
      ...{ kind: 'businesses' as const, requestId: newId(), tenantId, plan, deadlineAtMs },
      ...search,
    };
    const reply = await this.fetchers.request('search', task, signal);
    if (reply.kind === 'businesses') return reply;
    if (reply.kind === 'no_businesses') throw this.unavailable(search.scraper, reply);
    throw new Error(`a search for businesses was answered with ${reply.kind}`);
  }

  private unavailable(
    scraper: ScraperName,
    { attempts, retryAfterMs }: Extract<BusinessSearchReply, { kind: 'no_businesses' }>,
  ): ApiError {
    if (attempts.length === 0) {
      const details = { scraper, setting: SETTINGS[scraper] };
      return new ApiError('scraper_not_set_up', details, { isPermanent: true });
    }
    this.runtime.log.warn({ scraper, attempts }, 'no source of a scraper completed');
    const delay: Record<string, number> =
      retryAfterMs === null ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) };
    const shown = attempts.map(({ source, ok, latencyMs, errorClass }) => ({
      ...{ provider: source, ok, latency_ms: latencyMs, error_class: errorClass },
    }));
    return new ApiError(
      'scraper_unavailable',
      { scraper, ...delay },
      { body: { attempts: shown } },
    );
  }
}
