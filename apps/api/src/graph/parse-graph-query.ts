import { isStorable } from '@app/content';
import { ApiError, isId } from '@app/contracts';
import type { BusinessCriteria } from '@app/graph';
import { UNSTORABLE } from '../http/fields.js';
import { invalidRequest } from '../http/invalid-request.js';
import {
  DEFAULT_BUSINESSES,
  MAX_BUSINESSES,
  MAX_TERMS,
  type GraphCriteriaView,
  type GraphQueryRequest,
} from './graph.dto.js';

export interface ParsedGraphQuery {
  readonly criteria: BusinessCriteria;
  readonly limit: number;
  /** Id of the last business of the page before. */
  readonly after: string | null;
  readonly shown: GraphCriteriaView;
}

/** @throws ApiError */
export function parseGraphQuery(body: GraphQueryRequest): ParsedGraphQuery {
  const tech =
    typeof body.tech === 'string' ? terms('tech', [body.tech]) : terms('tech', body.tech);
  const techAny = terms('techAny', body.techAny);
  const notTech = terms('notTech', body.notTech);
  const industry = textOf(body.industry);
  const state = textOf(body.state)?.toUpperCase();
  const city = textOf(body.city);
  const isSelective = [industry, state, city].some((one) => one !== undefined);
  if (tech.length + techAny.length === 0 && !isSelective) throw new ApiError('filter_required');
  const hasDomain = flagOf(body.hasDomain);
  const limit = Math.min(body.limit ?? DEFAULT_BUSINESSES, MAX_BUSINESSES);
  const given = {
    ...(industry === undefined ? {} : { industry }),
    ...(state === undefined ? {} : { state }),
    ...(city === undefined ? {} : { city }),
    ...(hasDomain === undefined ? {} : { hasDomain }),
  };
  return {
    criteria: { tech, techAny, notTech, ...given },
    limit,
    after: cursorOf(body.cursor),
    shown: {
      ...(tech.length === 0 ? {} : { tech }),
      ...(techAny.length === 0 ? {} : { techAny }),
      ...(notTech.length === 0 ? {} : { notTech }),
      ...given,
      limit,
    },
  };
}

const MAX_TERM_CHARS = 200;

function terms(field: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
  if (!isList) throw invalidRequest(`\`${field}\` must be a list of names`);
  if (value.length > MAX_TERMS)
    throw invalidRequest(
      `\`${field}\` has ${value.length} names: at most ${MAX_TERMS} are allowed`,
    );
  const names = (value as readonly string[]).map((name) => name.trim());
  if (names.some((name) => name === '' || name.length > MAX_TERM_CHARS))
    throw invalidRequest(`\`${field}\`: a name must have 1 to ${MAX_TERM_CHARS} characters`);
  if (!names.every(isStorable)) throw invalidRequest(`an entry of \`${field}\` ${UNSTORABLE}`);
  return [...new Set(names)];
}

function textOf(value: string | undefined | null): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

function flagOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw invalidRequest('`hasDomain` must be true or false');
  return value;
}

function cursorOf(value: string | undefined): string | null {
  const cursor = textOf(value);
  if (cursor === undefined) return null;
  if (!isId(cursor)) throw invalidRequest('`cursor` must be that of the page before');
  return cursor;
}
