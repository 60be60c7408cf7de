import type { CreditPool } from './credit-costs.js';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import { clockAt, wholeCredits } from './credit-terms.js';
import { ensureBalance } from './turn-period.js';

export interface TopUp {
  readonly tenantId: string;
  /** At least 1. */
  readonly credits: number;
  /** @default 'scrape' */
  readonly pool?: CreditPool;
  /** Of the payment or the act: the same one counts once. */
  readonly reference: string;
  /** @default by the clock of the database */
  readonly now?: Date;
}

const GRANT: Statement = {
  name: 'grant_credits',
  text: `
    WITH clock AS (${clockAt('$4')}), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT $1, period, $5, 'issued', 'topup', $2, $3, at FROM clock
      ON CONFLICT (reference) WHERE from_account = 'issued' AND to_account = 'topup' DO NOTHING
      RETURNING pool, credits
    )
    UPDATE credit_balances b SET topup_left = b.topup_left + CASE m.pool WHEN 'scrape' THEN m.credits ELSE 0 END,
           enrich_topup_left = b.enrich_topup_left + CASE m.pool WHEN 'enrich' THEN m.credits ELSE 0 END,
           kyb_topup_left = b.kyb_topup_left + CASE m.pool WHEN 'kyb' THEN m.credits ELSE 0 END
    FROM moved m WHERE b.tenant_id = $1
    RETURNING 1`,
};

/** Adds credits to a pool that do not expire. False when this reference was added before. */
export function grantCredits(database: Database, topUp: TopUp): Promise<boolean> {
  return database.transaction((tx) => grantCreditsIn(tx, topUp));
}

/** {@link grantCredits} within a transaction of the caller. */
export async function grantCreditsIn(
  tx: Queryable,
  { tenantId, credits, reference, pool = 'scrape', now }: TopUp,
): Promise<boolean> {
  await ensureBalance(tx, tenantId);
  const values = [tenantId, wholeCredits(credits), reference, now ?? null, pool];
  return (await run(tx, GRANT, values)).length > 0;
}
