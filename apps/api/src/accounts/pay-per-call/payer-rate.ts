import type { FastifyReply } from 'fastify';
import { takePayerRequest } from '@app/billing';
import { type Database } from '@app/database';
import { limitsUnreadable, rateLimited } from '../limits/limit-rate.js';

/** The rate window of payers, and its limit per minute. */
export interface PayerRate {
  /** In the format of `clientNetwork`. */
  readonly network: string;
  readonly limit: number;
}

/**
 * Counts a call with a payment before any other work: payers have no account, so the call counts for
 * their network. @throws ApiError
 */
export async function countPayer(
  database: Database,
  reply: FastifyReply,
  { network, limit }: PayerRate,
): Promise<void> {
  void reply.header('x-ratelimit-limit', limit).header('x-ratelimit-remaining', 0);
  const { admitted, remaining } = await takePayerRequest(database, { network, limit }).catch(
    limitsUnreadable,
  );
  if (admitted === 0) throw rateLimited('pay-per-call', limit);
  void reply.header('x-ratelimit-remaining', remaining);
}
