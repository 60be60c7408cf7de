import { Injectable } from '@nestjs/common';
import { businessRow, SAMPLE_MAPS_ROWS, type BusinessRow, type ScraperName } from '@app/connectors';
import {
  CREDIT_COSTS,
  CreditCharges,
  hasLiveMaps,
  type ChargeIds,
  type CreditUse,
  type Tenant,
} from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { ApiError } from '@app/contracts';
import { InjectRuntime } from '../runtime.token.js';
import { BusinessCall } from './business-call.js';
import { DEFAULT_MAX_RESULTS } from './scraper-limits.js';
import type { MapsScraperRequest } from './scrapers.dto.js';

/** The caller of a scraper, and its chargeId. */
export interface ScraperCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** Rows of a search scraper, with the wrapper that all of them have. */
export interface ScrapedRows {
  readonly results: readonly BusinessRow[];
  readonly total: number;
  readonly query: string;
  readonly location: string | null;
  readonly source: string;
  readonly attribution?: string;
  readonly mock?: true;
}

export interface ScraperAnswer extends CreditUse {
  readonly result: ScrapedRows;
}

@Injectable()
export class ScrapersService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>,
    private readonly businesses: BusinessCall,
    private readonly charges: CreditCharges,
  ) {}

  /** @throws ApiError */
  async scrape(
    scraper: ScraperName,
    body: MapsScraperRequest,
    call: ScraperCall,
  ): Promise<ScraperAnswer> {
    const query = collapsed(body.query);
    if (query === '') throw new ApiError('query_required');
    const location = collapsed(body.location ?? '') || null;
    if (scraper !== 'maps' && location === null) throw new ApiError('location_required');
    const limit = body.maxResults ?? DEFAULT_MAX_RESULTS;
    if (await this.isMock(scraper, call.tenant)) return sampleRows(body, limit);
    const charge = { ...call, operation: 'scraper' } as const;
    const { value, ...spent } = await this.charges.charged(
      charge,
      CREDIT_COSTS.scraper * limit,
      async () => {
        const search = { scraper, query, location, limit, from: null };
        const found = await this.businesses.find(search, call.tenant, call.signal);
        const results = found.businesses.slice(0, limit).map((one) => businessRow(scraper, one));
        const { source, attribution, costMicroUsd } = found;
        const credit = attribution === null ? {} : { attribution };
        const rows = { results, total: results.length, ...asSent(body), source, ...credit };
        return { value: rows, credits: CREDIT_COSTS.scraper * results.length, costMicroUsd };
      },
    );
    return { result: value, ...spent };
  }

  /** Specification: the maps scraper on the Free plan, until it is enabled for the account. */
  async isMock(scraper: ScraperName, { id, plan }: Pick<Tenant, 'id' | 'plan'>): Promise<boolean> {
    if (scraper !== 'maps' || plan !== 'free') return false;
    return !(await hasLiveMaps(this.runtime.database, id));
  }
}

function sampleRows(body: MapsScraperRequest, limit: number): ScraperAnswer {
  const results = SAMPLE_MAPS_ROWS.slice(0, limit);
  const wrapper = { total: results.length, ...asSent(body), source: 'mock', mock: true } as const;
  return { result: { results, ...wrapper }, credits: 0, remaining: null };
}

function asSent({ query, location }: MapsScraperRequest): Pick<ScrapedRows, 'query' | 'location'> {
  return { query, location: location ?? null };
}

const collapsed = (text: string): string => text.replace(/\s+/g, ' ').trim();
