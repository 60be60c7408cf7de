import { isStorable } from '@app/content';
import type { SearchPlace } from '@app/jobs';
import { invalidRequest } from '../../http/invalid-request.js';
import { queryNumber } from '../../http/query-number.js';

export const DEFAULT_FOUND_PAGES = 10;
export const MAX_FOUND_PAGES = 50;
export const MAX_PAGE_QUERY_CHARS = 500;

/** Raw query of GET /v1/crawl/:id/search. */
export interface RawPageSearch {
  readonly q?: unknown;
  readonly cursor?: unknown;
  readonly limit?: unknown;
}

export interface ParsedPageSearch {
  readonly query: string;
  readonly limit: number;
  readonly after: SearchPlace | null;
}

/** @throws ApiError that names the parameter */
export function parsePageSearch({ q, cursor, limit }: RawPageSearch): ParsedPageSearch {
  const bounds = { fallback: DEFAULT_FOUND_PAGES, min: 1, max: MAX_FOUND_PAGES };
  return {
    query: parseQuery(q),
    limit: queryNumber('limit', limit, bounds),
    after: cursor === undefined ? null : parseCursor(cursor),
  };
}

function parseQuery(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalidRequest('`q` is required: the words to search for');
  const query = text.trim();
  if (query.length > MAX_PAGE_QUERY_CHARS)
    throw invalidRequest(`\`q\` must have at most ${MAX_PAGE_QUERY_CHARS} characters`);
  if (!isStorable(query)) throw invalidRequest('`q` must be text without NUL characters');
  return query;
}

/** Scores are single precision numbers: eight digits are all of one. */
const CURSOR = /^([0-9a-f]{8})([0-9a-f]{32})$/;

export function cursorOf({ score, urlKey }: SearchPlace): string {
  const bits = Buffer.alloc(4);
  bits.writeFloatBE(score);
  return `${bits.toString('hex')}${urlKey}`;
}

function parseCursor(text: unknown): SearchPlace {
  const [, bits, urlKey] = (typeof text === 'string' ? CURSOR.exec(text) : null) ?? [];
  if (bits === undefined || urlKey === undefined)
    throw invalidRequest('`cursor` must be the `next` of a previous page');
  return { score: Buffer.from(bits, 'hex').readFloatBE(), urlKey };
}
