import { bareDomain } from '@app/search';

/** Media that a search may name (specification: POST /v1/search, `sources`). */
export const SEARCH_MEDIA = ['web', 'news', 'images'] as const;
export type SearchMedium = (typeof SEARCH_MEDIA)[number];

export const SEARCH_TIMES = ['qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'] as const;
export type SearchTime = (typeof SEARCH_TIMES)[number];

/** Completes "an entry of `includeDomains` …"; null: it is a domain. */
export function domainProblem(text: string): string | null {
  return bareDomain(text) === null
    ? 'is no domain: send a host such as example.com, or a URL of it'
    : null;
}
