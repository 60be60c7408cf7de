import type { FastifyReply } from 'fastify';
import { StreamSlots } from './stream-slots.js';

export const MAX_LONG_ANSWERS_PER_TENANT = 20;
/** Each uses a connection, one read (8 MB at most), and a compressor. */
export const MAX_LONG_ANSWERS = 100;

/**
 * Responses without a size limit: lines of results and of the URL report, archives, downloads, replayed
 * bodies. They are read at the pace of their readers, so only their number can be bounded.
 */
export class LongAnswers {
  private readonly places = new StreamSlots({
    perTenant: MAX_LONG_ANSWERS_PER_TENANT,
    perProcess: MAX_LONG_ANSWERS,
    tooMany: 'too_many_answers',
    unavailable: 'answers_unavailable',
  });

  /** Called before such a response starts; it counts until it was sent or its reader left. @throws ApiError */
  hold({ raw }: FastifyReply, tenantId: string): void {
    const release = this.places.take(tenantId);
    // The client left before this hook: the close event has already fired.
    if (raw.closed) release();
    else raw.once('close', release);
  }
}
