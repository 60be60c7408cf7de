import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import { AdmissionGate, type RequestAdmission, type Tenant, windowOf } from '@app/accounts';
import { type Database } from '@app/database';
import { pathOf, versionOfPath } from '../../http/api-version.js';
import { factsOf } from '../../http/route-facts.js';
import { isUpgrade, keepUntilOpen, offeredKey } from '../../http/upgrades.js';
import { limitRate, rateUnreadable } from '../limits/limit-rate.js';
import { payingTenantOf, paysForItself } from './paying-requests.js';

const tenants = new WeakMap<FastifyRequest, Tenant>();
const MAX_KEY_CHARS = 256;

/**
 * Every path under /v1 and /v2, known or not, needs a key before its body is read (specification:
 * Authentication). Each request with a key counts in the rate window of its tenant, which all replicas share,
 * whatever its outcome (specification: Limits, Plans). Implemented as a server hook, so a new route cannot miss
 * it. One statement does both, and many requests share it.
 */
export function requireKey(fastify: FastifyInstance, database: Database): void {
  const gate = new AdmissionGate(database);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isProtected(request) || paysForItself(request)) return done();
    admit(request, reply, gate).then(
      () => done(),
      (error: Error) => done(keepUntilOpen(request, error)),
    );
  });
}

/** By the matched route; without a match, by the path. */
function isProtected(request: FastifyRequest): boolean {
  if (factsOf(request).isOpen) return false;
  const { routeOptions, url } = request;
  return versionOfPath(routeOptions.url ?? pathOf(url)) !== null;
}

async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  gate: AdmissionGate,
): Promise<void> {
  const key = offeredKeyOf(request);
  if (key === null) throw new ApiError('api_key_required');
  const admission =
    key.length > MAX_KEY_CHARS ? null : await requestAdmission(gate, key, { request, reply });
  if (!admission) throw new ApiError('api_key_invalid');
  tenants.set(request, admission.tenant);
  limitRate(reply, admission);
}

async function requestAdmission(
  gate: AdmissionGate,
  key: string,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<RequestAdmission | null> {
  try {
    return await gate.pass({ key, ...windowOf(factsOf(request).kind === 'polls') });
  } catch (cause) {
    throw rateUnreadable(reply, cause);
  }
}

/** `x-api-key` and `Authorization: Bearer` are equivalent; a WebSocket may offer its key as a subprotocol. */
export function offeredKeyOf(request: FastifyRequest): string | null {
  const { headers } = request;
  const direct = headers['x-api-key'];
  if (typeof direct === 'string' && direct !== '') return direct;
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? (isUpgrade(request) ? offeredKey(request) : null);
}

/** The tenant that the request's key belongs to, or that it pays as; undefined if none is needed. */
export function tenantOf(request: FastifyRequest): Tenant | undefined {
  return tenants.get(request) ?? payingTenantOf(request);
}

/** The tenant that the request's key belongs to, or that it pays as. */
export const CurrentTenant = createParamDecorator(
  (_: unknown, context: ExecutionContext): Tenant => {
    const tenant = tenantOf(context.switchToHttp().getRequest<FastifyRequest>());
    if (!tenant) throw new ApiError('api_key_required');
    return tenant;
  },
);
