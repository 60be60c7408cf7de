import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tenantOf } from '../auth/require-key.js';
import { IDEMPOTENCY_HEADER } from '../../http/idempotency/idempotency-key.js';
import type { CallLimits } from './call-limits.js';
import { reportUncounted } from './limit-rate.js';
import type { Release } from '@app/accounts';
import { waits } from '../../http/route-facts.js';

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
