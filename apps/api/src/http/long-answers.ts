import type { FastifyReply } from 'fastify';
import { StreamSlots } from './stream-slots.js';

export const MAX_LONG_ANSWERS_PER_TENANT = 20;
/** Each holds a connection, what one read brings (8 MB at most), and a compressor. */
export const MAX_LONG_ANSWERS = 100;

/**
 * Answers without a bound of their own: lines of results and of the ledger, archives, downloads, stored
 * bodies that are replayed. They are read at the pace of their readers, so only their number can be
 * bounded.
 */
export class LongAnswers {
  private readonly places = new StreamSlots({
    perTenant: MAX_LONG_ANSWERS_PER_TENANT,
    perProcess: MAX_LONG_ANSWERS,
    tooMany: 'too_many_answers',
    unavailable: 'answers_unavailable',
  });

  /** Before such an answer is begun: it counts until it was sent or its reader is gone. @throws Refusal */
  hold({ raw }: FastifyReply, tenantId: string): void {
    const release = this.places.take(tenantId);
    // Gone before: the event has been.
    if (raw.closed) release();
    else raw.once('close', release);
  }
}
