import { isRefusedValue, type Statement, type Database } from '@app/database';

/** A payment as it is claimed for a call. */
export interface PaymentClaim {
  /**
   * SHA-256 of the part that makes it spendable once (its nonce, where it has one): the same for
   * every encoding of one payment, as far as this code can detect; the settling transaction is
   * compared besides.
   */
  readonly id: Buffer;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: string;
  /** In the smallest units of the asset, decimal. */
  readonly amount: string;
  readonly operation: string;
  readonly payer: string | null;
}

const CLAIM: Statement = {
  name: 'claim_payment',
  text: `INSERT INTO pay_per_call_payments (id, network, asset, amount, operation, payer)
         VALUES ($1, $2, $3, $4::numeric, $5, $6) ON CONFLICT (id) DO NOTHING RETURNING 1`,
};

/** Takes a payment for one call; false: a call has it, or had it. */
export async function claimPayment(database: Database, claim: PaymentClaim): Promise<boolean> {
  const { id, network, asset, amount, operation, payer } = claim;
  return (await database.query(CLAIM, [id, network, asset, amount, operation, payer])).length > 0;
}

const RELEASE: Statement = {
  name: 'release_payment',
  text: `DELETE FROM pay_per_call_payments WHERE id = $1 AND state = 'claimed'`,
};

/** The call returned no data and nothing was settled: the payment may be used for another call. */
export async function releasePayment(database: Database, id: Buffer): Promise<void> {
  await database.query(RELEASE, [id]);
}

const BEGIN: Statement = {
  name: 'begin_settlement',
  text: `UPDATE pay_per_call_payments SET state = 'settling', state_at = now()
         WHERE id = $1 AND state = 'claimed' RETURNING 1`,
};

/**
 * From here on the payment may be spent: committed before the call to the facilitator, so that a
 * process that dies meanwhile leaves a payment that is never settled again. False: the call no
 * longer owns it.
 */
export async function beginSettlement(database: Database, id: Buffer): Promise<boolean> {
  return (await database.query(BEGIN, [id])).length > 0;
}

/** Outcome of a settlement. `unknown`: the facilitator's answer cannot be read. */
export type SettlementEnd =
  | { readonly state: 'settled'; readonly transaction: string; readonly payer: string | null }
  | { readonly state: 'failed' | 'unknown'; readonly error: string };

const END: Statement = {
  name: 'end_settlement',
  text: `UPDATE pay_per_call_payments
         SET state = $2, transaction_id = $3, payer = coalesce($4, payer), error = $5, state_at = now()
         WHERE id = $1 AND state = 'settling'`,
};

/** Writes the end down; false: that transaction has paid for another call already. */
export async function endSettlement(
  database: Database,
  id: Buffer,
  end: SettlementEnd,
): Promise<boolean> {
  if (end.state !== 'settled') {
    await database.query(END, [id, end.state, null, null, end.error]);
    return true;
  }
  try {
    await database.query(END, [id, end.state, end.transaction, end.payer, null]);
    return true;
  } catch (error) {
    if (!isRefusedValue(error)) throw error;
    const repeated = `transaction ${end.transaction} paid for another call`;
    await database.query(END, [id, 'failed', null, null, repeated]);
    return false;
  }
}

const ABANDONED: Statement = {
  name: 'give_up_settlements',
  text: `UPDATE pay_per_call_payments
         SET state = 'unknown', error = 'the process ended while it was settled', state_at = now()
         WHERE id = ANY (ARRAY (
           SELECT id FROM pay_per_call_payments
           WHERE state = 'settling' AND state_at < now() - $1::int * interval '1 second'
           ORDER BY state_at LIMIT $2 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/** Ends settlements of dead processes as unknown. Returns how many. */
export async function giveUpSettlements(
  database: Database,
  { olderThanSeconds, limit }: { readonly olderThanSeconds: number; readonly limit: number },
): Promise<number> {
  return (await database.query(ABANDONED, [olderThanSeconds, limit])).length;
}

/** Two statements, so that each goes by its own index. */
const SWEEP_CLAIMED: Statement = {
  name: 'sweep_claimed_payments',
  text: `DELETE FROM pay_per_call_payments WHERE id = ANY (ARRAY (
           SELECT id FROM pay_per_call_payments
           WHERE state = 'claimed' AND state_at < now() - interval '1 hour'
           ORDER BY state_at LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};
const SWEEP_ENDED: Statement = {
  name: 'sweep_ended_payments',
  text: `DELETE FROM pay_per_call_payments WHERE id = ANY (ARRAY (
           SELECT id FROM pay_per_call_payments
           WHERE state NOT IN ('claimed', 'settling') AND created_at < now() - $1::int * interval '1 day'
           ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/**
 * Deletes payments of calls that died before settling, and those that ended long ago: a network
 * accepts none of them twice. Returns how many, at most `limit` of each.
 */
export async function sweepPayments(
  database: Database,
  { olderThanDays, limit }: { readonly olderThanDays: number; readonly limit: number },
): Promise<number> {
  const claimed = await database.query(SWEEP_CLAIMED, [limit]);
  const ended = await database.query(SWEEP_ENDED, [olderThanDays, limit]);
  return claimed.length + ended.length;
}
