import type { FastifyReply } from 'fastify';

/** Aborted when the caller hangs up. Fires when the answer was sent, too; nobody waits by then. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  reply.raw.once('close', () => abort.abort(new Error('client went away')));
  return abort.signal;
}
