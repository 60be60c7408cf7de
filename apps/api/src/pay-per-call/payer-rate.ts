import type { FastifyReply } from 'fastify';
import { Refusal } from '@app/contracts';
import { takePayerRequest, type Store, type TakenRequests } from '@app/store';

/** Said with every 429, see specification: Errors. */
const RETRY_AFTER_SECONDS = 60;

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
  const { admitted, remaining } = await take(store, { network, limit });
  if (admitted === 0) {
    const details = { limit, tier: 'pay-per-call', retryAfterSeconds: RETRY_AFTER_SECONDS };
    throw new Refusal('rate_limited', details, { body: details });
  }
  void reply.header('x-ratelimit-remaining', remaining);
}

/** Without the database nobody is let through unlimited. */
async function take(store: Store, rate: PayerRate): Promise<TakenRequests> {
  try {
    return await takePayerRequest(store, rate);
  } catch (cause) {
    throw new Refusal('auth_unavailable', {}, { cause });
  }
}
