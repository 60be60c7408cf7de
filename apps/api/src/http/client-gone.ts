import type { FastifyReply } from 'fastify';
import { claimOf } from './idempotency/claimed-requests.js';

/**
 * Aborted when the client disconnects. Also fires after the response was sent, when it no longer matters. Never
 * for a request with an Idempotency-Key: its response is kept for the retry.
 */
export function clientGone(reply: FastifyReply): AbortSignal {
  const abort = new AbortController();
  if (claimOf(reply.request)) return abort.signal;
  const { raw } = reply;
  // The client left while its key was checked: the close event has already fired.
  if (raw.closed) abort.abort(new Error('client disconnected'));
  raw.once('close', () => abort.abort(new Error('client disconnected')));
  return abort.signal;
}
