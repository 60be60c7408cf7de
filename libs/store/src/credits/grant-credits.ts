import { run, type Queryable, type Statement, type Store } from '../open-store.js';
import { clockAt, wholeCredits } from './credit-terms.js';
import { ensureBalance } from './turn-period.js';

export interface TopUp {
  readonly tenantId: string;
  /** At least 1. */
  readonly credits: number;
  /** Of the payment or the act: the same one counts once. */
  readonly reference: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

const GRANT: Statement = {
  name: 'grant_credits',
  text: `
    WITH clock AS (${clockAt('$4')}), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
      SELECT $1, period, 'issued', 'topup', $2, $3, at FROM clock
      ON CONFLICT (reference) WHERE from_account = 'issued' AND to_account = 'topup' DO NOTHING
      RETURNING credits
    )
    UPDATE credit_balances b SET topup_left = b.topup_left + m.credits FROM moved m WHERE b.tenant_id = $1
    RETURNING 1`,
};

/** Adds credits that do not expire. False when this reference was added before. */
export function grantCredits(store: Store, topUp: TopUp): Promise<boolean> {
  return store.transaction((tx) => grantCreditsIn(tx, topUp));
}

/** {@link grantCredits} within a transaction of the caller. */
export async function grantCreditsIn(
  tx: Queryable,
  { tenantId, credits, reference, now }: TopUp,
): Promise<boolean> {
  await ensureBalance(tx, tenantId);
  const values = [tenantId, wholeCredits(credits), reference, now ?? null];
  return (await run(tx, GRANT, values)).length > 0;
}
