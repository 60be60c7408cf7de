import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  SEARCH_SOURCES,
  SEARCH_CATEGORIES,
  bareDomain,
  type SearchSource,
  type SearchCategory,
} from '@app/search';
import { BooleanField, IntegerField, ParsedField, TextField, TextsField } from '../http/fields.js';
import { MAX_TOKENS_FIELD } from '../scrape/scrape.dto.js';
import { MarkdownCutView } from '../scrape/scrape-result.dto.js';
import { DEFAULT_COUNTRY, DEFAULT_RESULTS, MAX_DOMAINS, MAX_QUERY_CHARS } from './search-limits.js';

/** Media that a search may name (specification: POST /v1/search, `sources`). */
export const SEARCH_MEDIA = ['web', 'news', 'images'] as const;
export type SearchMedium = (typeof SEARCH_MEDIA)[number];

export const SEARCH_TIMES = ['qdr:d', 'qdr:w', 'qdr:m', 'qdr:y'] as const;
export type SearchTime = (typeof SEARCH_TIMES)[number];

/** Completes "an entry of `includeDomains` …"; null: it is a domain. */
function domainProblem(text: string): string | null {
  return bareDomain(text) === null
    ? 'is no domain: send a host such as example.com, or a URL of it'
    : null;
}

const MAX_DOMAIN_CHARS = 2_048;
const MAX_AGE_MS = 30 * 24 * 3_600_000;

/** One value or a list of them. */
function oneOrMore(choices: readonly string[]) {
  const one = { type: 'string' as const, enum: [...choices] };
  const list = { type: 'array' as const, items: one, minItems: 1, maxItems: choices.length };
  return { anyOf: [one, list] };
}

/** Body of POST /v1/search. */
export class SearchRequest {
  @TextField({
    required: true,
    description: 'The query. Operators such as `site:` and `filetype:` pass through.',
    maxChars: MAX_QUERY_CHARS,
    example: 'postgresql row level security',
  })
  query: string;

  @IntegerField({
    description: "Maximum number of results; clamped to the plan's maximum.",
    min: 1,
    fallback: DEFAULT_RESULTS,
  })
  limit?: number;

  @BooleanField({
    description:
      'Scrape each result to Markdown. Only the search is charged. A page that fails has `markdown: null`.',
    fallback: false,
  })
  scrapeResults?: boolean;

  @TextField({
    description: `Country that results are for, a two-letter code (ISO 3166-1); \`${DEFAULT_COUNTRY}\` without it.`,
    maxChars: 2,
    example: DEFAULT_COUNTRY,
  })
  country?: string;

  @BooleanField({
    description:
      'Add `answer`: a few sentences of a model that cite the top 5 results as [n]. It is left out when the model is unavailable, or nothing it says is supported by what it cites.',
    fallback: false,
  })
  include_answer?: boolean;

  @TextsField({
    description:
      'Only results of these hosts and their subdomains: domains or URLs, of which the host counts.',
    maxItems: MAX_DOMAINS,
    maxChars: MAX_DOMAIN_CHARS,
    problem: domainProblem,
    example: ['postgresql.org'],
  })
  includeDomains?: string[];

  @TextsField({
    description: 'No results of these hosts and their subdomains.',
    maxItems: MAX_DOMAINS,
    maxChars: MAX_DOMAIN_CHARS,
    problem: domainProblem,
  })
  excludeDomains?: string[];

  @ParsedField({
    description:
      'Kinds of results: `github`, `research` (sites of preprints and scholarly articles), `pdf`. Several are alternatives.',
    schema: oneOrMore(SEARCH_CATEGORIES),
    example: ['pdf'],
  })
  categories?: unknown;

  @ParsedField({
    description: 'Media to search. Accepted and echoed; `news` and `images` search the web, too.',
    schema: oneOrMore(SEARCH_MEDIA),
  })
  sources?: unknown;

  @ParsedField({
    description: 'Age of results: at most a day, week, month or year.',
    schema: { type: 'string', enum: [...SEARCH_TIMES] },
  })
  tbs?: unknown;

  @IntegerField({
    description:
      'For `scrapeResults`: pages of the cache that are younger than this are used, in milliseconds. 0: pages are always fetched.',
    min: 0,
    max: MAX_AGE_MS,
    fallback: 0,
  })
  maxAge?: number;

  @IntegerField({
    ...MAX_TOKENS_FIELD,
    description:
      'For `scrapeResults`: cut the Markdown of each page to so many tokens; see `maxTokens` of POST /v1/scrape.',
  })
  maxTokens?: number;
}

export class SearchResultItem {
  @ApiProperty({ format: 'uri', description: 'Without tracking parameters.' })
  url: string;

  @ApiProperty({ description: 'Empty if the search engine shows none.' })
  title: string;

  @ApiProperty({ description: 'Empty if the search engine shows none.' })
  snippet: string;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Place among the results, from 1.' })
  position: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The page, with `scrapeResults`; null if it could not be scraped in time, or the pages of one response pass 8 MB.',
  })
  markdown: string | null;

  @ApiPropertyOptional({ type: MarkdownCutView, description: 'Present if `maxTokens` cut it.' })
  markdownCut?: MarkdownCutView;
}

export class AppliedSearch {
  @ApiProperty({ description: 'The query as the search engine got it.' })
  effectiveQuery: string;

  @ApiPropertyOptional({ type: [String], enum: [...SEARCH_CATEGORIES] })
  categories?: readonly SearchCategory[];

  @ApiPropertyOptional({
    type: [String],
    enum: [...SEARCH_MEDIA],
    description: 'As sent. Only the web is searched.',
  })
  sources?: readonly SearchMedium[];

  @ApiPropertyOptional({ enum: [...SEARCH_TIMES] })
  tbs?: SearchTime;

  @ApiPropertyOptional({ type: [String], description: 'Bare hosts.' })
  includeDomains?: readonly string[];

  @ApiPropertyOptional({ type: [String], description: 'Bare hosts.' })
  excludeDomains?: readonly string[];
}

/** Response of POST /v1/search. */
export class SearchResult {
  @ApiProperty({ description: 'As sent.' })
  query: string;

  @ApiProperty({ type: [SearchResultItem] })
  results: readonly SearchResultItem[];

  @ApiProperty({
    enum: [...SEARCH_SOURCES],
    description:
      'The backend whose results these are; without results the first one that completed.',
  })
  source: SearchSource;

  @ApiProperty({ type: 'integer', description: 'Number of `results`.' })
  total: number;

  @ApiPropertyOptional({ enum: ['no_results'], description: 'Nothing was found.' })
  error?: 'no_results';

  @ApiPropertyOptional({
    description:
      'With `include_answer`. Every sentence ends with the positions of the results that support it, such as [2].',
  })
  answer?: string;

  @ApiProperty({ type: AppliedSearch, description: 'What was searched for.' })
  search: AppliedSearch;
}
