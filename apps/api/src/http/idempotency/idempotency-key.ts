import type { FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';

export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** Visible ASCII (RFC 5234: VCHAR). Several headers of the name arrive joined by a space, which is not allowed. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Their responses are shown once and must not be stored. */
const REFUSING_ROUTES: ReadonlySet<string> = new Set([
  '/v1/webhooks/secret',
  '/v1/keys',
  '/v1/keys/provision',
  '/v1/keys/:id/rotate',
]);

/** Routes as the server names them; the documentation writes `{id}`. */
const refusesKey = (route: string): boolean =>
  REFUSING_ROUTES.has(route.replace(/\{(\w+)\}/g, ':$1'));

/** Whether a route accepts a key: every route that starts work, of any resource. */
export function takesKey(method: string, route: string): boolean {
  return method === 'POST' && /^\/v[12]\//.test(route) && !refusesKey(route);
}

/** The request's key, or null if it has none or its route ignores keys. @throws ApiError */
export function idempotencyKeyOf({
  method,
  headers,
  routeOptions,
  is404,
}: FastifyRequest): string | null {
  const key = headers[IDEMPOTENCY_HEADER];
  const route = routeOptions.url ?? '';
  if (key === undefined || is404 || method !== 'POST') return null;
  if (refusesKey(route)) throw new ApiError('idempotency_key_refused');
  if (!takesKey(method, route)) return null;
  if (typeof key !== 'string' || !KEY.test(key)) throw new ApiError('idempotency_key_invalid');
  return key;
}
