import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '@app/contracts';
import { findTenantByKey, type Store, type Tenant } from '@app/store';

const tenants = new WeakMap<FastifyRequest, Tenant>();
const MAX_KEY_CHARS = 256;

/** Routes under /v1 that take no key, by method and route (specification: Authentication 1). */
const OPEN_ROUTES: ReadonlySet<string> = new Set(['POST /v1/keys/provision']);

/**
 * Every address under /v1, known or not, needs a key before its body is read (specification:
 * Authentication). Runs as a hook of the server, so a new route cannot forget it.
 */
export function requireKey(fastify: FastifyInstance, store: Store): void {
  fastify.addHook('onRequest', async (request) => {
    if (!isProtected(request)) return;
    tenants.set(request, await authenticate(request, store));
  });
}

/** By the route that will answer; where none matches, by what the address looks like. */
function isProtected({ method, routeOptions, url }: FastifyRequest): boolean {
  if (OPEN_ROUTES.has(`${method} ${routeOptions.url}`)) return false;
  const path = routeOptions.url ?? pathOf(url);
  return /^\/+v1(?:\/|$)/i.test(path);
}

/** Path of a request target, which may be in absolute form (RFC 9112, 3.2.2) and escaped. */
function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#;].*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    // Not decodable: the router refuses it as well; judge what was sent.
    return path;
  }
}

async function authenticate(request: FastifyRequest, store: Store): Promise<Tenant> {
  const key = keyOf(request);
  if (key === null) throw new Refusal('api_key_required');
  const tenant = await findTenant(store, key);
  if (!tenant) throw new Refusal('api_key_invalid');
  return tenant;
}

async function findTenant(store: Store, key: string): Promise<Tenant | null> {
  if (key.length > MAX_KEY_CHARS) return null;
  try {
    return await findTenantByKey(store, key);
  } catch (cause) {
    throw new Refusal('auth_unavailable', {}, { cause });
  }
}

/** `x-api-key` and `Authorization: Bearer` are equivalent. */
function keyOf({ headers }: FastifyRequest): string | null {
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return direct;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

/** The tenant whose key a request carries; undefined where none is needed. */
export function tenantOf(request: FastifyRequest): Tenant | undefined {
  return tenants.get(request);
}

/** The tenant whose key the request carries. */
export const CurrentTenant = createParamDecorator(
  (_: unknown, context: ExecutionContext): Tenant => {
    const tenant = tenants.get(context.switchToHttp().getRequest<FastifyRequest>());
    if (!tenant) throw new Refusal('api_key_required');
    return tenant;
  },
);
