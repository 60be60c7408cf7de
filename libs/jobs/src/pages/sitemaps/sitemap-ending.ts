import type { ErrorClass } from '@app/contracts';
import { isTransient, retryDelayMs, type HostSignal, type FoundLink } from '@app/crawl';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import { ending, failureSignal, type PageEnding } from '../page-ending.js';

/** Result of fetching a sitemap. */
export type SitemapEnd = {
  readonly latencyMs?: number;
  readonly crawlDelayMs?: number | null | undefined;
} & (
  | { readonly kind: 'read'; readonly statusCode: number; readonly found: readonly FoundLink[] }
  /** There is none, or it is empty, or fetching it is forbidden; `found`: where else to search. */
  | {
      readonly kind: 'none';
      readonly statusCode: number | null;
      readonly found?: readonly FoundLink[];
    }
  | {
      readonly kind: 'failed';
      readonly errorClass: ErrorClass;
      readonly statusCode: number | null;
      readonly retryAfterMs: number | null;
    }
  /** Other sitemaps were being read all the time. */
  | { readonly kind: 'later' }
);

const SILENT: HostSignal = { kind: 'silent' };
const LATER_MS = 5_000;

/**
 * A sitemap always ends as skipped: it is no page and costs nothing. Temporary failures are retried
 * like pages.
 */
export function endSitemap(page: ClaimedPage, end: SitemapEnd, maxAttempts: number): PageEnding {
  const { latencyMs, crawlDelayMs } = end;
  const detail = {
    signal: end.kind === 'failed' ? failureSignal(end) : SILENT,
    statusCode: 'statusCode' in end ? end.statusCode : null,
    rung: end.kind === 'later' ? null : 'plain',
    crawlDelayMs,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
  const retryInMs = page.attempts < maxAttempts ? pauseMs(page, end) : null;
  if (retryInMs !== null) {
    return ending(page, { state: 'pending', reason: null }, { ...detail, retryInMs });
  }
  const ended = ending(page, { state: 'skipped', reason: 'sitemap' }, detail);
  return { ...ended, found: 'found' in end ? (end.found ?? []) : [] };
}

/** How long until another try; null: there is no point in one. */
function pauseMs(page: ClaimedPage, end: SitemapEnd): number | null {
  switch (end.kind) {
    case 'read':
    case 'none':
      return null;
    case 'later':
      return LATER_MS;
    case 'failed':
      return isTransient(end.errorClass, end.statusCode)
        ? retryDelayMs(page.attempts, end.retryAfterMs)
        : null;
  }
}
