import { ApiError } from '@app/contracts';
import {
  type SearchPeriod,
  bareDomain,
  effectiveQuery,
  SEARCH_CATEGORIES,
  type SearchCategory,
} from '@app/search';
import { invalidRequest } from '../http/invalid-request.js';
import { DEFAULT_COUNTRY, MAX_EFFECTIVE_CHARS } from './search-limits.js';
import {
  SEARCH_MEDIA,
  SEARCH_TIMES,
  type SearchMedium,
  type SearchTime,
  type SearchRequest,
} from './search.dto.js';

/** A search request as it is run. */
export interface ParsedSearch {
  readonly effectiveQuery: string;
  readonly country: string;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly SearchCategory[];
  readonly sources: readonly SearchMedium[];
  readonly tbs: SearchTime | null;
}

/** @throws ApiError */
export function parseSearch(body: SearchRequest): ParsedSearch {
  const { query } = body;
  if (query.trim() === '') throw new ApiError('query_required');
  const terms = {
    query,
    includeDomains: hostsOf(body.includeDomains),
    excludeDomains: hostsOf(body.excludeDomains),
    categories: oneOrMore('categories', body.categories, SEARCH_CATEGORIES),
  };
  const text = effectiveQuery(terms);
  if (text.length > MAX_EFFECTIVE_CHARS) {
    throw invalidRequest(
      `\`query\` is ${text.length} characters long with the operators of \`includeDomains\`, \`excludeDomains\` and \`categories\`, at most ${MAX_EFFECTIVE_CHARS} are possible: send fewer domains`,
    );
  }
  return {
    ...terms,
    effectiveQuery: text,
    country: countryOf(body.country),
    sources: oneOrMore('sources', body.sources, SEARCH_MEDIA),
    tbs: timeOf(body.tbs),
  };
}

/** The age of results that `tbs` names. */
export function periodOf(tbs: SearchTime | null): SearchPeriod | null {
  switch (tbs) {
    case null:
      return null;
    case 'qdr:d':
      return 'd';
    case 'qdr:w':
      return 'w';
    case 'qdr:m':
      return 'm';
    case 'qdr:y':
      return 'y';
  }
}

function hostsOf(domains: readonly string[] | null | undefined): readonly string[] {
  return [...new Set((domains ?? []).flatMap((domain) => bareDomain(domain) ?? []))];
}

/** `google` and `UK` are no countries, though the second looks like one to search engines. */
function countryOf(country: string | null | undefined): string {
  const code = (country ?? DEFAULT_COUNTRY).toLowerCase();
  if (!/^[a-z]{2}$/.test(code))
    throw invalidRequest('`country` must be a two-letter country code (ISO 3166-1), such as de');
  return code;
}

function oneOrMore<const T extends string>(
  name: string,
  value: unknown,
  choices: readonly T[],
): readonly T[] {
  if (value === undefined || value === null) return [];
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = given.flatMap((one) => choices.find((choice) => choice === one) ?? []);
  if (known.length !== given.length || given.length === 0)
    throw invalidRequest(`\`${name}\` must be one or more of ${choices.join(', ')}`);
  return [...new Set(known)];
}

function timeOf(value: unknown): SearchTime | null {
  if (value === undefined || value === null) return null;
  const known = SEARCH_TIMES.find((time) => time === value);
  if (known === undefined)
    throw invalidRequest(`\`tbs\` must be one of ${SEARCH_TIMES.join(', ')}`);
  return known;
}
