import type { FoundPage, SearchAttempt } from '@app/search';
import type { ResultText } from './result-pages.js';
import type { ParsedSearch } from './parse-search.js';
import type { AppliedSearch, SearchResultItem } from './search.dto.js';

/** Results with their positions. @param texts of each result; absent: none was scraped */
export function presentResults(
  found: readonly FoundPage[],
  texts: readonly (ResultText | null)[] = [],
): readonly SearchResultItem[] {
  return found.map(({ url, title, snippet }, at) => ({
    url,
    title,
    snippet,
    position: at + 1,
    markdown: null,
    ...texts[at],
  }));
}

/** The fields of the request that were applied. */
export function presentApplied(search: ParsedSearch): AppliedSearch {
  const { effectiveQuery, categories, sources, tbs, includeDomains, excludeDomains } = search;
  return {
    effectiveQuery,
    ...(categories.length > 0 ? { categories } : {}),
    ...(sources.length > 0 ? { sources } : {}),
    ...(tbs === null ? {} : { tbs }),
    ...(includeDomains.length > 0 ? { includeDomains } : {}),
    ...(excludeDomains.length > 0 ? { excludeDomains } : {}),
  };
}

/** Attempts in the form of the specification's provider attempt. */
export function presentAttempts(attempts: readonly SearchAttempt[]): readonly object[] {
  return attempts.map(({ source, ok, latencyMs, errorClass }) => ({
    provider: source,
    ok,
    latency_ms: latencyMs,
    error_class: errorClass,
  }));
}
