import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '@app/contracts';
import {
  AdmissionGate,
  countedIn,
  RateGate,
  type RequestAdmission,
  type Tenant,
  windowOf,
} from '@app/accounts';
import { type Database } from '@app/database';
import { pathOf, versionOfPath } from '../../http/api-version.js';
import { factsOf } from '../../http/route-facts.js';
import { isUpgrade, keepUntilOpen, offeredKey } from '../../http/upgrades.js';
import { limitRate, rateUnreadable } from '../limits/limit-rate.js';
import type { OwnCalls } from './own-calls.js';
import { payingTenantOf, paysForItself } from './paying-requests.js';

const tenants = new WeakMap<FastifyRequest, Tenant>();
const MAX_KEY_CHARS = 256;

/**
 * Every path under /v1 and /v2, known or not, needs a key before its body is read (specification:
 * Authentication). Each request with a key counts in the rate window of its tenant, which all replicas share,
 * whatever its outcome (specification: Limits, Plans). Implemented as a server hook, so a new route cannot miss
 * it. One statement does both, and many requests share it.
 */
export function requireKey(
  fastify: FastifyInstance,
  { database, own }: { readonly database: Database; readonly own: OwnCalls },
): void {
  const gates = { keys: new AdmissionGate(database), windows: new RateGate(database), own };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isProtected(request) || paysForItself(request)) return done();
    admit(request, reply, gates).then(
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

interface Gates {
  readonly keys: AdmissionGate;
  readonly windows: RateGate;
  readonly own: OwnCalls;
}

async function admit(request: FastifyRequest, reply: FastifyReply, gates: Gates): Promise<void> {
  const tenant = gates.own.take(request);
  const admission = await (
    tenant === undefined ? byKey(request, gates.keys) : byTenant(request, gates.windows, tenant)
  ).catch((cause: unknown) => {
    throw cause instanceof ApiError ? cause : rateUnreadable(reply, cause);
  });
  tenants.set(request, admission.tenant);
  limitRate(reply, admission);
}

async function byKey(request: FastifyRequest, gate: AdmissionGate): Promise<RequestAdmission> {
  const key = offeredKeyOf(request);
  if (key === null) throw new ApiError('api_key_required');
  const isKnown = key.length <= MAX_KEY_CHARS;
  const admission = isKnown ? await gate.pass({ key, ...windowFor(request) }) : null;
  if (!admission) throw new ApiError('api_key_invalid');
  return admission;
}

/** A call of our own pages counts like one with a key. */
async function byTenant(
  request: FastifyRequest,
  gate: RateGate,
  tenant: Tenant,
): Promise<RequestAdmission> {
  const counted = countedIn(windowFor(request), tenant);
  return { tenant, ...counted, ...(await gate.pass({ tenantId: tenant.id, ...counted })) };
}

const windowFor = (request: FastifyRequest) => windowOf(factsOf(request).kind === 'polls');

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
