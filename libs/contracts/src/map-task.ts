import type { Plan } from './plans.js';

/** Request of the `map` queue. */
export interface MapTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  /** Most links of the answer. */
  readonly limit: number;
  /** Case-insensitive part of the addresses wanted; null: all. */
  readonly search: string | null;
  /** Read beside the sitemaps. @default none */
  readonly sources?: readonly ('llms.txt' | 'feeds')[];
  /** Of the reply. */
  readonly deadlineAtMs: number;
}

/** Of a map's time until its reply: for reading the files that were fetched last, beyond the budget of the search. */
export const MAP_ANSWER_MS = 1_500;

/** Where the links of a map come from (specification: POST /v1/map). */
export const MAP_SOURCES = ['sitemap', 'crawl', 'none'] as const;
export type MapSource = (typeof MAP_SOURCES)[number];

/** Answer to a {@link MapTask}. */
export type MapReply =
  | {
      readonly kind: 'mapped';
      readonly links: readonly string[];
      readonly source: MapSource;
      /** The budget ended the search; the results so far are included. */
      readonly timedOut: boolean;
      /** Names of bounds that cut something off: a file's size, its addresses, the children of an index. */
      readonly cuts: readonly string[];
    }
  | { readonly kind: 'failed'; readonly reason: 'fetch' | 'timeout'; readonly problem: string }
  | { readonly kind: 'blocked'; readonly url: string };
