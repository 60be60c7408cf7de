import { MergedResults } from '@app/search';
import type { BackendQuery, BackendResult, BackendTerms } from './search-backend.js';

/** Pages that one search reads of a backend: each is a call that the operator may pay. */
export const MAX_SEARCH_PAGES = 10;

/**
 * Reads page after page until there are as many results as wanted, or a page adds none. A later page that fails leaves the
 * results before it.
 * @param readPage the page with this number, from 1
 */
export async function readPages(
  query: BackendQuery,
  { deadline, signal }: BackendTerms,
  readPage: (page: number) => Promise<BackendResult>,
): Promise<BackendResult> {
  const merged = new MergedResults(query);
  for (let page = 1; page <= MAX_SEARCH_PAGES && !merged.isFull; page++) {
    if (page > 1 && deadline.isPassed) break;
    const read = await readPage(page);
    signal.throwIfAborted();
    if (!read.ok && merged.results.length === 0) return read;
    if (!read.ok || merged.add(read.results) === 0) break;
  }
  return { ok: true, results: merged.results };
}
