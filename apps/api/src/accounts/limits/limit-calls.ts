import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tenantOf } from '../auth/require-key.js';
import { IDEMPOTENCY_HEADER } from '../../http/idempotency/idempotency-key.js';
import { limitsUnreadable, reportUncounted } from './limit-rate.js';
import { RateGate, type Tenant, LiveSlots, type Release, countedIn, windowOf } from '@app/accounts';
import { PLAN_LIMITS, ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { waits } from '../../http/route-facts.js';

/** Calls end all the time, so a client that retries soon waits only briefly. */
const RETRY_AFTER_SECONDS = 1;

/** All calls that take a slot count in one window. */
const CALLS = windowOf(false);

/**
 * Bounds the calls of a tenant that run at a time, in all replicas together (specification: Limits,
 * Plans). One instance per process.
 */
export class CallLimits {
  private readonly gate: RateGate;
  private readonly slots: LiveSlots;

  constructor({ database, log }: Pick<Runtime, 'database' | 'log'>) {
    this.gate = new RateGate(database);
    this.slots = new LiveSlots(database, log);
  }

  /**
   * Takes a slot for a call that was counted already. Null, without a query, if neither the plan nor an
   * agreement sets a limit.
   * @param onUncounted called when a refused call does not count in its window any more
   * @throws ApiError
   */
  async takeSlot(tenant: Tenant, onUncounted?: () => void): Promise<Release | null> {
    const { id, plan, agreed } = tenant;
    const limit = agreed.concurrentRequests ?? PLAN_LIMITS[plan].concurrentRequests;
    if (limit === null) return null;
    const release = await this.slots.take(id, limit).catch(limitsUnreadable);
    if (release) return release;
    if (await this.uncount(tenant).catch(limitsUnreadable)) onUncounted?.();
    const details = { limit, tier: plan, retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new ApiError('too_many_requests', details, { body: details });
  }

  /** Refused calls do not count, as many of them as the window takes; a flood of them does. */
  private async uncount(tenant: Tenant): Promise<boolean> {
    const { window, limit } = countedIn(CALLS, tenant);
    const refused = { tenantId: tenant.id, window: 'refused', limit } as const;
    const { isAdmitted } = await this.gate.pass(refused);
    if (isAdmitted) await this.gate.uncount({ tenantId: tenant.id, window });
    return isAdmitted;
  }

  close(): void {
    this.slots.stop();
  }
}

/**
 * Each call that waits for a page or a document takes one of its tenant's slots from when its body was
 * read until its response ends, or its client disconnects. Implemented as server hooks before those of
 * Idempotency-Key: a rejected call claims nothing, and a replayed one counts like any other.
 */
export function limitCalls(fastify: FastifyInstance, limits: CallLimits): void {
  const taken = new WeakMap<FastifyRequest, Release>();
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!waits(request)) return done();
    begin(request, reply, { limits, taken }).then(() => done(), done);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    const release = taken.get(request);
    if (!release) return done(null, payload);
    if (payload instanceof Readable) return done(null, untilRead(payload, release));
    // Before the response is sent: the client may send its next call at once.
    void release().then(() => done(null, payload));
  });
  fastify.addHook('onClose', async () => limits.close());
}

interface TakenSlots {
  readonly limits: CallLimits;
  readonly taken: WeakMap<FastifyRequest, Release>;
}

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { limits, taken }: TakenSlots,
): Promise<void> {
  const tenant = tenantOf(request);
  if (!tenant) return;
  const take = limits.takeSlot(tenant, () => reportUncounted(reply));
  const release = await take.catch((error: unknown) => {
    // A client that is still sending its form would not see the response.
    if (request.isMultipart()) request.raw.resume();
    throw error;
  });
  if (!release) return;
  taken.set(request, release);
  // With an Idempotency-Key the work continues after a disconnect, and keeps its slot as long.
  if (request.headers[IDEMPOTENCY_HEADER] !== undefined) return;
  // The client left while the slot was taken: the close event has already fired.
  if (reply.raw.closed) void release();
  else reply.raw.once('close', () => void release());
}

/** The same stream, which ends after the slot was released. A break at either end releases it too. */
function untilRead(source: Readable, release: Release): Readable {
  const sent = new Transform({
    // No read-ahead: nothing is produced before it is read.
    highWaterMark: 1,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void release().then(() => done()),
  });
  return pipeline(source, sent, () => void release());
}
