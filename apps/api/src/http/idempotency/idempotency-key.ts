import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import { factsOf, type RouteFacts } from '../route-facts.js';

export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** Visible ASCII (RFC 5234: VCHAR). Several headers of the name arrive joined by a space, which is not allowed. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Whether a route accepts a key: every route that starts work, of any resource. */
export function takesKey(method: string, route: string, facts?: RouteFacts): boolean {
  return method === 'POST' && /^\/v[12]\//.test(route) && !facts?.isShownOnce;
}

/** The request's key, or null if it has none or its route ignores keys. @throws ApiError */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const { method, headers, routeOptions, is404 } = request;
  const key = headers[IDEMPOTENCY_HEADER];
  if (key === undefined || is404 || method !== 'POST') return null;
  const facts = factsOf(request);
  if (facts.isShownOnce) throw new ApiError('idempotency_key_refused');
  if (!takesKey(method, routeOptions.url ?? '', facts)) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new ApiError('idempotency_key_invalid');
  return key;
}
