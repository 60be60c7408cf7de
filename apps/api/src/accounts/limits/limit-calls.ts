import { pipeline, Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { tenantOf } from '../auth/require-key.js';
import { IDEMPOTENCY_HEADER } from '../../http/idempotency/idempotency-key.js';
import type { CallLimits } from './call-limits.js';
import type { Release } from '@app/accounts';
import { mayWait } from './waiting-routes.js';

/**
 * Each call that waits for a page or a document holds one of its tenant's slots from when its body was
 * read until its answer ends, or its client is gone. Hooks of the server, before those of Idempotency-Key:
 * a refused call claims nothing, and a replayed one counts like any other.
 */
export function limitCalls(fastify: FastifyInstance, limits: CallLimits): void {
  const held = new WeakMap<FastifyRequest, Release>();
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!waits(request)) return done();
    begin(request, reply, { limits, held }).then(() => done(), done);
  });
  fastify.addHook('onSend', (request, _reply, payload, done) => {
    const release = held.get(request);
    if (!release) return done(null, payload);
    if (payload instanceof Readable) return done(null, untilRead(payload, release));
    // Before the answer: who has it may send the next call at once.
    void release().then(() => done(null, payload));
  });
  fastify.addHook('onClose', async () => limits.close());
}

/** A batch that becomes a job is answered at once. */
function waits({ method, routeOptions, body }: FastifyRequest): boolean {
  if (!mayWait(method, routeOptions.url)) return false;
  return (body as { readonly async?: unknown } | null | undefined)?.async !== true;
}

interface Held {
  readonly limits: CallLimits;
  readonly held: WeakMap<FastifyRequest, Release>;
}

async function begin(
  request: FastifyRequest,
  reply: FastifyReply,
  { limits, held }: Held,
): Promise<void> {
  const tenant = tenantOf(request);
  if (!tenant) return;
  const release = await limits.hold(tenant).catch((error: unknown) => {
    // A client that still sends its form would not see the answer.
    if (request.isMultipart()) request.raw.resume();
    throw error;
  });
  if (!release) return;
  held.set(request, release);
  // With an Idempotency-Key the work goes on when its client is gone, and the slot is held as long.
  if (request.headers[IDEMPOTENCY_HEADER] !== undefined) return;
  // Gone while the slot was taken: the event has been.
  if (reply.raw.closed) void release();
  else reply.raw.once('close', () => void release());
}

/** The same stream, which ends after the slot was given back. Broken off at either end it gives it back too. */
function untilRead(source: Readable, release: Release): Readable {
  const sent = new Transform({
    // Holds nothing back: what nobody reads is not made.
    highWaterMark: 1,
    transform: (chunk, _encoding, done) => done(null, chunk),
    flush: (done) => void release().then(() => done()),
  });
  return pipeline(source, sent, () => void release());
}
