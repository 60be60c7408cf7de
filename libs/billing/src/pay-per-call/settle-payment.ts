import { FacilitatorError, type Facilitator, type SignedPayment } from '@app/providers';
import { beginSettlement, endSettlement } from './claim-payment.js';
import { type Database } from '@app/database';
import type { Logger } from '@app/telemetry';
import type { PaymentOffer } from './payment-offer.js';

/** A payment that is claimed for a call. */
export interface ClaimedPayment {
  readonly id: Buffer;
  readonly payment: SignedPayment;
  readonly offer: PaymentOffer;
}

export type SettledPayment =
  | { readonly kind: 'settled'; readonly transaction: string; readonly payer: string | null }
  | { readonly kind: 'failed'; readonly reason: string; readonly payer: string | null }
  /** Money may have moved: the facilitator gave no answer. */
  | { readonly kind: 'unknown' }
  /** The database refused it: no facilitator was called, and no money moved. */
  | { readonly kind: 'unasked' };

export interface Settling {
  readonly database: Database;
  readonly facilitator: Facilitator;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/**
 * Settles a payment once: its start is stored before the facilitator is called, so a process that
 * dies from here on leaves a payment that is never settled again. Never rejects.
 */
export async function settlePayment(
  settling: Settling,
  claimed: ClaimedPayment,
): Promise<SettledPayment> {
  if (!(await isBegun(settling, claimed))) return { kind: 'unasked' };
  const outcome = await settleWithFacilitator(settling, claimed);
  return written(settling, claimed, outcome);
}

async function isBegun({ database, log }: Settling, { id }: ClaimedPayment): Promise<boolean> {
  try {
    return await beginSettlement(database, id);
  } catch (err) {
    log.error({ err }, 'a payment could not be noted before its settlement');
    return false;
  }
}

async function settleWithFacilitator(
  { facilitator, log }: Settling,
  { payment, offer }: ClaimedPayment,
): Promise<SettledPayment> {
  try {
    const settlement = await facilitator.settle(payment, offer.accepts[0]);
    if (settlement.kind === 'failed') log.warn({ reason: settlement.reason }, 'not settled');
    return settlement;
  } catch (err) {
    const isExpected = err instanceof FacilitatorError;
    log.error({ err, isExpected }, 'the settlement status of a payment is unknown');
    return { kind: 'unknown' };
  }
}

async function written(
  { database, log }: Settling,
  { id }: ClaimedPayment,
  outcome: SettledPayment,
): Promise<SettledPayment> {
  try {
    return await writeEnd(database, id, outcome);
  } catch (err) {
    // It is over all the same; the row ends later as unknown.
    log.error({ err, kind: outcome.kind }, 'the end of a settlement was not written');
    return outcome;
  }
}

async function writeEnd(
  database: Database,
  id: Buffer,
  outcome: SettledPayment,
): Promise<SettledPayment> {
  switch (outcome.kind) {
    case 'settled': {
      const { transaction, payer } = outcome;
      if (await endSettlement(database, id, { state: 'settled', transaction, payer }))
        return outcome;
      return { kind: 'failed', reason: 'its transaction paid for another call', payer };
    }
    case 'failed':
      await endSettlement(database, id, { state: 'failed', error: outcome.reason });
      return outcome;
    case 'unknown':
      await endSettlement(database, id, { state: 'unknown', error: 'the facilitator did not say' });
      return outcome;
    case 'unasked':
      return outcome;
  }
}
