import { isStorable } from '@app/content';
import { invalidRequest } from '../../http/invalid-request.js';
import {
  parseUrlQuery,
  type ParsedUrlQuery,
  type RawUrlQuery,
} from '../../jobs/results/parse-url-query.js';

/** Filter value that shows URLs in every state. */
export const ALL_STATES = 'all';
export const MAX_SEARCH_CHARS = 200;

/** Raw query of the list of results. */
export interface RawListQuery extends RawUrlQuery {
  readonly q?: unknown;
}

export interface ListQuery extends ParsedUrlQuery {
  /** Text that URLs contain, ignoring case; null: all. */
  readonly search: string | null;
}

/** Without a state only scraped pages are listed. @throws ApiError that names the parameter */
export function parseListQuery(raw: RawListQuery): ListQuery {
  const { q, state = 'scraped', ...rest } = filledIn(raw);
  const query = parseUrlQuery({ ...rest, ...(state === ALL_STATES ? {} : { state }) }, false);
  return { ...query, search: parseSearch(q) };
}

/** Empty form fields are not filters. */
function filledIn(query: RawListQuery): RawListQuery {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function parseSearch(text: unknown): string | null {
  if (text === undefined) return null;
  const isText = typeof text === 'string' && text.length <= MAX_SEARCH_CHARS;
  if (!isText || !isStorable(text))
    throw invalidRequest(`\`q\` must be a text of at most ${MAX_SEARCH_CHARS} characters`);
  return text.trim() === '' ? null : text.trim();
}
