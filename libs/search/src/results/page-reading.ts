import type { FoundPage } from '../search-task.js';

/** What one page of results says. */
export type PageReading<R = FoundPage> =
  /** Without any: the search engine found nothing, and says so. */
  | { readonly kind: 'results'; readonly results: readonly R[] }
  /** Nothing was found, but parts of the search engine did not answer. */
  | { readonly kind: 'incomplete'; readonly problem: string }
  /** Not the structure that the backend is known for: its markup or fields have changed, or it is another page. */
  | { readonly kind: 'drift'; readonly problem: string }
  /** A test for people instead of results. */
  | { readonly kind: 'wall'; readonly problem: string }
  /** Broken or too large. */
  | { readonly kind: 'unreadable'; readonly problem: string };

/** Results that are read of one page; engines show at most 100. */
export const MAX_PAGE_RESULTS = 200;
