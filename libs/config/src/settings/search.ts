import { parseHtmlSetting, parseSerpSetting } from '@app/search';
import { address, checked, integer, type Field } from '../fields.js';

/** Web search: backends in the order in which they are tried, and its time. */
export const SEARCH_SETTINGS = {
  searchSerp: checked(
    'SEARCH_SERP',
    'JSON that describes a search API with JSON answers, tried first; see docs/search.md; default: none.',
    parseSerpSetting,
    { isSecret: true },
  ),
  searchSearxngUrl: address(
    'SEARCH_SEARXNG_URL',
    'Address of a SearXNG instance, tried second; default: none.',
    ['http://', 'https://'],
  ),
  searchHtml: checked(
    'SEARCH_HTML',
    'JSON that describes the result page of a search engine, tried last; see docs/search.md; default: none.',
    parseHtmlSetting,
    { isSecret: true },
  ),
  searchTimeoutMs: integer(
    'SEARCH_TIMEOUT_MS',
    'Time of one search in its backends, shared so that the last one can still answer; a listing scraper has twice that for its sources.',
    { fallback: 15_000, min: 1_000, max: 600_000 },
  ),
} as const satisfies Record<string, Field<unknown>>;
