import type { FastifyReply } from 'fastify';

/** Aborted when the caller hangs up. Fires when the answer was sent, too; nobody waits by then. */
export function clientGone(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  const { raw } = reply;
  // Gone while its key was looked up: the event has been.
  if (raw.closed) abort.abort(new Error('client went away'));
  raw.once('close', () => abort.abort(new Error('client went away')));
  return abort.signal;
}
