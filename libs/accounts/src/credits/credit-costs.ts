import { BROWSER_UNAVAILABLE, type PageDocument } from '@app/contracts';

/** Credits per request that returns data (specification: Limits, "Credit cost per call"). */
export const CREDIT_COSTS = {
  scrape: 1,
  crawl: 1,
  batch: 1,
  map: 1,
  /** Per 10 results. */
  search: 2,
  /** Per row of a listing scraper. */
  scraper: 1,
  /** Per row of a pull; some connectors give several rows for a credit. */
  pull: 1,
  /** Per new or changed row of a feed; ten known rows count as one. */
  feed: 1,
  extract: 1,
  screenshot: 1,
  parse: 1,
  brand: 1,
  resolve: 1,
  enrich: 1,
} as const;

/** Work that costs credits. */
export type CreditOperation = keyof typeof CREDIT_COSTS;

/**
 * Credits are granted for three pools each month (specification: Limits, "Credit grants per plan"). `scrape` is
 * the common pool: every operation can draw on it, and overage belongs to it.
 */
export const CREDIT_POOLS = ['scrape', 'enrich', 'kyb'] as const;
export type CreditPool = (typeof CREDIT_POOLS)[number];

/**
 * The pool each operation draws on first; the scrape pool covers the rest. No operation draws on
 * the KYB pool yet: its credits are granted and kept.
 */
export const OPERATION_POOLS: Readonly<Record<CreditOperation, 'scrape' | 'enrich'>> = {
  scrape: 'scrape',
  crawl: 'scrape',
  batch: 'scrape',
  map: 'scrape',
  search: 'scrape',
  scraper: 'scrape',
  pull: 'scrape',
  feed: 'scrape',
  extract: 'scrape',
  screenshot: 'scrape',
  parse: 'scrape',
  brand: 'enrich',
  resolve: 'enrich',
  enrich: 'enrich',
};

/**
 * Whether the page has no data, so that it costs nothing (specification: "a call that returns no data"): it is empty,
 * it says no more than that it needs scripts, or it is the shell of a page whose scripts no browser of this server could
 * run.
 */
export function hasNoData({
  partialReason,
  signals = [],
}: Pick<PageDocument, 'partialReason' | 'signals'>): boolean {
  if (partialReason !== 'js_shell') return partialReason === 'empty';
  return signals.includes(BROWSER_UNAVAILABLE) || signals.includes('enable_javascript_text');
}
