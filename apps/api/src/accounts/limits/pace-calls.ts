import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CallPacer } from '@app/runtime';
import { tenantOf } from '../auth/require-key.js';
import { waits } from '../../http/route-facts.js';

/** Calls that wait for a page or a document begin when {@link CallPacer} lets them. */
export function paceCalls(fastify: FastifyInstance): void {
  const pacer = new CallPacer();
  fastify.addHook('preHandler', (request, reply, done) => {
    if (!waits(request)) return done();
    void begin(request, reply, pacer).then(() => done());
  });
  fastify.addHook('onClose', async () => pacer.close());
}

async function begin(
  request: FastifyRequest,
  { raw }: FastifyReply,
  pacer: CallPacer,
): Promise<void> {
  const tenant = tenantOf(request);
  if (!tenant) return;
  const gone = new AbortController();
  const abort = (): void => gone.abort();
  raw.once('close', abort);
  const owner = { tenantId: tenant.id, isFree: tenant.plan === 'free' };
  const end = await pacer.begin(owner, gone.signal);
  raw.off('close', abort);
  if (raw.closed) end();
  else raw.once('close', end);
}
