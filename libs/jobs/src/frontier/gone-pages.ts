import type { MovedRow } from './page-outcome.js';

/**
 * Of a page that the crawl before has and this one has no result of: whether it is gone. One that could not be fetched or
 * kept, or was beyond the limit of the job, may be there still: it is asked for by the crawl after.
 */
export function isGone({ state, reason }: Pick<MovedRow, 'state' | 'reason'>): boolean {
  return state === 'skipped' ? reason !== 'storage' : state === 'failed' && reason === 'gone';
}

/** The same of a row of `pages p` whose job has ended, and so has ended what was left. */
export const IS_GONE = `(p.state = 'failed' AND p.reason = 'gone' OR p.state = 'skipped' AND p.reason NOT IN ('limit', 'deadline', 'storage'))`;
