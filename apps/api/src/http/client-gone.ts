import type { FastifyReply } from 'fastify';
import { claimOf } from './idempotency/claimed-requests.js';

/**
 * Aborted when the caller hangs up. Fires when the answer was sent, too; nobody waits by then. Never
 * for a request with an Idempotency-Key: its answer is kept for the retry.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (claimOf(reply.request)) return abort.signal;
  const { raw } = reply;
  // Gone while its key was looked up: the event has been.
  if (raw.closed) abort.abort(new Error('client went away'));
  raw.once('close', () => abort.abort(new Error('client went away')));
  return abort.signal;
}
