import type { Plan } from '@app/contracts';
import type { SearchAttempt } from '@app/search';
import type { Business } from './business.js';

/** The search scrapers, by the last part of their path (specification: Listing scrapers). */
export const SCRAPERS = ['maps', 'reviews', 'listings'] as const;
export type ScraperName = (typeof SCRAPERS)[number];

/** Request of the `search` queue: businesses for a query. */
export interface BusinessSearchTask {
  readonly kind: 'businesses';
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly deadlineAtMs: number;
  readonly scraper: ScraperName;
  readonly query: string;
  /** Null: anywhere. */
  readonly location: string | null;
  /** Most businesses of the answer; at least one. */
  readonly limit: number;
  /** Only this source, from this page on, where an earlier answer ended; null: the first source with results. */
  readonly from: BusinessCursor | null;
}

/** Where the businesses after those of an answer are. */
export interface BusinessCursor {
  /** Name of the source. */
  readonly source: string;
  /** From 1. */
  readonly page: number;
}

/** Answer to a {@link BusinessSearchTask}. */
export type BusinessSearchReply =
  | {
      readonly kind: 'businesses';
      /** Name of the source. */
      readonly source: string;
      readonly businesses: readonly Business[];
      /** Null: there are no more. */
      readonly next: BusinessCursor | null;
      /** Credit that the licence of the data requires; null: none. */
      readonly attribution: string | null;
      /** What the source costs the operator for this search. */
      readonly costMicroUsd: number;
      readonly attempts: readonly SearchAttempt<string>[];
    }
  /** No source completed; without attempts none is configured. */
  | {
      readonly kind: 'no_businesses';
      readonly attempts: readonly SearchAttempt<string>[];
      /** Until the first source is tried again; null: at once. */
      readonly retryAfterMs: number | null;
    };

/** Time of one search of a listing scraper: it asks its sources page by page, where a web search asks once. */
export function businessSearchMs({
  searchTimeoutMs,
}: {
  readonly searchTimeoutMs: number;
}): number {
  return 2 * searchTimeoutMs;
}
