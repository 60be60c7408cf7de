import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PLAN_LIMITS, Refusal } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { RateGate, type GateAnswer, type Tenant } from '@app/store';
import { tenantOf } from '../auth/require-key.js';
import { countedIn, type CountedIn } from './rate-plan.js';

const LIMIT_HEADER = 'x-ratelimit-limit';
const REMAINING_HEADER = 'x-ratelimit-remaining';
/** Said with every 429, however soon the oldest request leaves (specification: Errors). */
const RETRY_AFTER_SECONDS = 60;

/**
 * What answers without a tenant say: public files, health, a missing or wrong key. They are counted
 * nowhere, so they name the ceiling of a key nobody pays for, with nothing taken of it.
 */
const FREE_CEILING = PLAN_LIMITS.free.requestsPerMinute;
export const UNCOUNTED_HEADERS = {
  [LIMIT_HEADER]: FREE_CEILING,
  [REMAINING_HEADER]: FREE_CEILING,
};

/**
 * Counts each request that carries a key in the window of its tenant, which all replicas share, and
 * refuses it when the window is full; before its body is read, whatever becomes of it afterwards. A
 * hook of the server, after the one that requires the key, so a new route cannot forget it. Every answer
 * tells where the client stands (specification: Errors, "Rate-limit headers").
 */
export function limitRate(fastify: FastifyInstance, { store }: Pick<Runtime, 'store'>): void {
  const gate = new RateGate(store);
  fastify.addHook('onRequest', async (request, reply) => {
    const tenant = tenantOf(request);
    if (tenant) await count(request, reply, { gate, tenant });
  });
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    if (!reply.hasHeader(LIMIT_HEADER)) void reply.headers(UNCOUNTED_HEADERS);
    done(null, payload);
  });
}

async function count(
  { method, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  { gate, tenant }: { readonly gate: RateGate; readonly tenant: Tenant },
): Promise<void> {
  const counted = countedIn({ method, route: routeOptions.url }, tenant);
  // A request that was not counted has nothing left either.
  void reply.header(LIMIT_HEADER, counted.limit).header(REMAINING_HEADER, 0);
  const { remaining } = await admit(gate, tenant, counted);
  void reply.header(REMAINING_HEADER, remaining);
}

/** Counts one request of a tenant. @throws Refusal when the window is full, or cannot be read */
export async function admit(
  gate: RateGate,
  tenant: Tenant,
  counted: CountedIn,
): Promise<GateAnswer> {
  const answer = await pass(gate, tenant, counted);
  if (!answer.isAdmitted) throw rateLimited(tenant, counted);
  return answer;
}

/** Without the database nobody is let through unlimited: as with a key that cannot be looked up, it is 503. */
async function pass(gate: RateGate, tenant: Tenant, counted: CountedIn): Promise<GateAnswer> {
  try {
    return await gate.pass({ tenantId: tenant.id, ...counted });
  } catch (cause) {
    throw new Refusal('auth_unavailable', {}, { cause });
  }
}

function rateLimited({ plan: tier }: Tenant, { limit }: CountedIn): Refusal {
  const details = { limit, tier, retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new Refusal('rate_limited', details, { body: details });
}
