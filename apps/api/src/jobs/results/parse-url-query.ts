import { PAGE_STATES, type PageState } from '@app/contracts';
import { invalidRequest } from '../../http/invalid-request.js';
import { queryNumber } from '../../http/query-values.js';

export const DEFAULT_URLS = 100;
export const MAX_REPORTED_URLS = 1_000;
/** Lines are streamed: a job may have any number of URLs. */
const MAX_LINES = Number.MAX_SAFE_INTEGER;

/** Raw query of GET /v1/crawl/:id/urls. */
export interface RawUrlQuery {
  readonly cursor?: unknown;
  readonly limit?: unknown;
  readonly state?: unknown;
  readonly reason?: unknown;
}

export interface ParsedUrlQuery {
  readonly after: bigint;
  readonly most: number;
  readonly state: PageState | null;
  readonly reason: string | null;
}

/** @throws ApiError that names the parameter */
export function parseUrlQuery(raw: RawUrlQuery, isStream: boolean): ParsedUrlQuery {
  const bounds = isStream
    ? { fallback: MAX_LINES, min: 1, max: MAX_LINES }
    : { fallback: DEFAULT_URLS, min: 1, max: MAX_REPORTED_URLS };
  return {
    after: parseCursor(raw.cursor),
    most: queryNumber('limit', raw.limit, bounds),
    state: parseState(raw.state),
    reason: parseReason(raw.reason),
  };
}

function parseCursor(text: unknown): bigint {
  if (text === undefined) return 0n;
  // Fits a bigint of the database whatever its digits.
  if (typeof text !== 'string' || !/^\d{1,18}$/.test(text))
    throw invalidRequest('`cursor` must be the `next` of a previous page');
  return BigInt(text);
}

function parseState(text: unknown): PageState | null {
  if (text === undefined) return null;
  const state = PAGE_STATES.find((known) => known === text);
  if (state === undefined)
    throw invalidRequest(`\`state\` must be one of ${PAGE_STATES.join(', ')}`);
  return state;
}

function parseReason(text: unknown): string | null {
  if (text === undefined) return null;
  if (typeof text !== 'string' || !/^[a-z0-9_]{1,64}$/.test(text))
    throw invalidRequest('`reason` must be an error class or the reason of a skip');
  return text;
}
