export const DEFAULT_RESULTS = 10;
export const DEFAULT_COUNTRY = 'us';
/** Of `includeDomains` and of `excludeDomains` (specification: Request-shape limits). */
export const MAX_DOMAINS = 20;
/** Search engines read less. */
export const MAX_QUERY_CHARS = 2_000;
/** Of the query with its operators: it travels in addresses. */
export const MAX_EFFECTIVE_CHARS = 4_000;
/** Results that one search unit covers (specification: Limits, "Credit cost per call"). */
export const RESULTS_PER_UNIT = 10;
/** Markdown of all pages of one response. */
export const MAX_MARKDOWN_BYTES = 8 * 1024 * 1024;
/** Results that an answer may cite (specification: POST /v1/search, `include_answer`). */
export const CITED_RESULTS = 5;
/** Time for scraping the results of one search, after the search; pages that are late have no Markdown. */
export const MAX_PAGES_MS = 45_000;
/** Time of a model for an answer that a caller waits for; a late answer is left out. */
export const MAX_ANSWER_MS = 20_000;
