import type { FastifyReply } from 'fastify';
import { takePayerRequest } from '@app/accounts';
import { type Store } from '@app/database';
import { limitsUnreadable, rateLimited } from '../limits/limit-rate.js';

/** Whom a payer's call counts for, and how many within a minute it may send. */
export interface PayerRate {
  /** As `clientNetwork` writes it. */
  readonly network: string;
  readonly limit: number;
}

/**
 * Counts a call that comes with a payment, before anything else is done for it: payers have no account, so
 * their address counts. @throws Refusal
 */
export async function countPayer(
  store: Store,
  reply: FastifyReply,
  { network, limit }: PayerRate,
): Promise<void> {
  void reply.header('x-ratelimit-limit', limit).header('x-ratelimit-remaining', 0);
  const { admitted, remaining } = await takePayerRequest(store, { network, limit }).catch(
    limitsUnreadable,
  );
  if (admitted === 0) throw rateLimited('pay-per-call', limit);
  void reply.header('x-ratelimit-remaining', remaining);
}
