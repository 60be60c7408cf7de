import { ApiError } from '@app/contracts';
import { MAX_REQUEST_URL_CHARS } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import type { TargetCheck } from '../fetchers/target-check.js';
import { MAX_BATCH_URLS } from './batch.dto.js';

/** A fetchable URL, with every index of the list that contains it. */
export interface ListedAddress {
  /** As first sent. */
  readonly url: string;
  readonly parsed: URL;
  /** Ascending, at least one. */
  readonly places: readonly number[];
}

/** An index of the list whose entry is not a fetchable URL. */
export interface RejectedUrl {
  readonly place: number;
  /** The entry as text, cut to the maximum length of a URL. */
  readonly url: string;
  readonly apiError: ApiError;
}

export interface AddressList {
  readonly total: number;
  /** Sorted by their first index. */
  readonly addresses: readonly ListedAddress[];
  readonly refused: readonly RejectedUrl[];
}

type Targets = Pick<TargetCheck, 'parse'>;

/**
 * Parses the `urls` of a batch. URLs are equal if they parse to the same URL (WHATWG), fragment
 * included: script-rendered pages may differ by fragment.
 * @throws ApiError unless at least one URL is fetchable
 */
export function parseAddressList(
  value: unknown,
  targets: Targets,
  maxUrls = MAX_BATCH_URLS,
): AddressList {
  const entries = listOf(value, maxUrls);
  const byHref = new Map<string, { url: string; parsed: URL; places: number[] }>();
  const refused: RejectedUrl[] = [];
  entries.forEach((entry, place) => {
    const target = targetOf(entry, targets);
    if (target instanceof ApiError) {
      refused.push({ place, url: shown(entry), apiError: target });
      return;
    }
    const known = byHref.get(target.href);
    if (known) known.places.push(place);
    else byHref.set(target.href, { url: String(entry), parsed: target, places: [place] });
  });
  if (byHref.size === 0) throw errorOfList(refused);
  return { total: entries.length, addresses: [...byHref.values()], refused };
}

/** Reports every index at once, as POST /v1/extract does. */
export function errorOfList(refused: readonly RejectedUrl[]): ApiError {
  const invalidUrls = refused.map(({ url }) => url);
  return new ApiError('invalid_urls', { count: invalidUrls.length }, { body: { invalidUrls } });
}

function listOf(value: unknown, maxUrls: number): readonly unknown[] {
  if (value === undefined || value === null) throw invalidRequest('`urls` is required');
  if (!Array.isArray(value)) throw invalidRequest('`urls` must be an array of strings');
  if (value.length === 0) throw invalidRequest('`urls` is empty');
  if (value.length > maxUrls) throw invalidRequest(`\`urls\` may hold at most ${maxUrls} entries`);
  return value as readonly unknown[];
}

function targetOf(entry: unknown, targets: Targets): URL | ApiError {
  if (typeof entry !== 'string' || entry.length > MAX_REQUEST_URL_CHARS) return notAnAddress(entry);
  try {
    return targets.parse(entry);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function notAnAddress(entry: unknown): ApiError {
  return typeof entry === 'string'
    ? new ApiError('invalid_url', { url: entry })
    : new ApiError('invalid_url', {}, { hint: 'Each entry of `urls` must be a string.' });
}

function shown(entry: unknown): string {
  const text = typeof entry === 'string' ? entry : JSON.stringify(entry);
  return text.slice(0, MAX_REQUEST_URL_CHARS);
}
