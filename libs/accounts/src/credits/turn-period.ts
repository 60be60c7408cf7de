import { newId } from '@app/contracts';
import { run, type Queryable, type Statement } from '@app/database';
import { clockAt, type CreditTerms } from './credit-terms.js';

const ENSURE: Statement = {
  name: 'ensure_credit_balance',
  text: `INSERT INTO credit_balances (tenant_id, period) VALUES ($1, '0000-00') ON CONFLICT DO NOTHING`,
};

/** Every other statement expects the tenant's row to be there. */
export async function ensureBalance(tx: Queryable, tenantId: string): Promise<void> {
  await run(tx, ENSURE, [tenantId]);
}

/**
 * The row lock lets one of many turn the month; the others find it turned. The rest of the old
 * grant stays in the old period, where it can no longer be spent.
 */
const TURN: Statement = {
  name: 'turn_credit_period',
  text: `
    WITH clock AS (${clockAt('$3')}), balance AS MATERIALIZED (
      SELECT * FROM credit_balances
      WHERE tenant_id = $1 AND period < (SELECT period FROM clock) FOR NO KEY UPDATE
    ), closed AS (
      UPDATE credit_periods p SET grant_left = b.grant_left, enrich_grant_left = b.enrich_grant_left,
             kyb_grant_left = b.kyb_grant_left, overage_used = b.overage_used, closed_at = (SELECT at FROM clock)
      FROM balance b WHERE p.tenant_id = $1 AND p.period = b.period
    ), opened AS (
      INSERT INTO credit_periods (tenant_id, period, granted, enrich_granted, kyb_granted)
      SELECT $1, clock.period, CASE WHEN b.payment = 'confirmed' THEN $2::bigint END,
             CASE WHEN b.payment = 'confirmed' THEN $5::bigint ELSE 0 END,
             CASE WHEN b.payment = 'confirmed' THEN $6::bigint ELSE 0 END
      FROM balance b, clock
      RETURNING period, granted, enrich_granted, kyb_granted
    ), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT $1, o.period, part.pool, 'issued', 'grant', part.credits, $4, (SELECT at FROM clock)
      FROM opened o, LATERAL (VALUES ('scrape', o.granted), ('enrich', o.enrich_granted),
                                     ('kyb', o.kyb_granted)) part (pool, credits)
      WHERE part.credits > 0
    )
    UPDATE credit_balances b SET period = o.period, grant_left = coalesce(o.granted, 0),
           enrich_grant_left = o.enrich_granted, kyb_grant_left = o.kyb_granted, overage_used = 0
    FROM opened o WHERE b.tenant_id = $1`,
};

/**
 * Moves a tenant's balance to the month of `now`, with the grants of its pools, unless that was
 * done before: (tenant, period) is granted once. Grants without a confirmed payment are withheld.
 */
export async function turnPeriod(
  tx: Queryable,
  tenantId: string,
  terms: CreditTerms,
  now: Date | null,
): Promise<void> {
  await ensureBalance(tx, tenantId);
  await run(tx, TURN, grantValues(tenantId, terms, now));
}

/** Values of both statements: the tenant, the grant of each pool, the time, and the reference. */
function grantValues(
  tenantId: string,
  { monthlyCredits, enrichCredits, kybCredits }: CreditTerms,
  now: Date | null,
): readonly unknown[] {
  return [tenantId, monthlyCredits ?? 0, now, newId(), enrichCredits, kybCredits];
}

const RAISE: Statement = {
  name: 'raise_credit_grant',
  text: `
    WITH clock AS (${clockAt('$3')}), missing AS MATERIALIZED (
      SELECT p.period, greatest($2::bigint - coalesce(p.granted, 0), 0) AS scrape,
             greatest($5::bigint - p.enrich_granted, 0) AS enrich, greatest($6::bigint - p.kyb_granted, 0) AS kyb
      FROM credit_balances b JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
      WHERE b.tenant_id = $1 AND b.payment = 'confirmed'
        AND (p.granted IS NULL OR p.granted < $2 OR p.enrich_granted < $5 OR p.kyb_granted < $6)
    ), raised AS (
      UPDATE credit_periods p SET granted = coalesce(p.granted, 0) + m.scrape,
             enrich_granted = p.enrich_granted + m.enrich, kyb_granted = p.kyb_granted + m.kyb
      FROM missing m WHERE p.tenant_id = $1 AND p.period = m.period
    ), moved AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT $1, m.period, part.pool, 'issued', 'grant', part.credits, $4, (SELECT at FROM clock)
      FROM missing m, LATERAL (VALUES ('scrape', m.scrape), ('enrich', m.enrich), ('kyb', m.kyb)) part (pool, credits)
      WHERE part.credits > 0
    )
    UPDATE credit_balances b SET grant_left = b.grant_left + m.scrape,
           enrich_grant_left = b.enrich_grant_left + m.enrich, kyb_grant_left = b.kyb_grant_left + m.kyb
    FROM missing m WHERE b.tenant_id = $1`,
};

/**
 * Raises a tenant's grants of this month to its terms, pool by pool: all of a withheld grant, the
 * difference after a change to a larger plan. A grant is never reduced. The transaction must hold
 * the tenant's balance row, or two of them grant the same credits.
 */
export async function raiseGrant(
  tx: Queryable,
  tenantId: string,
  terms: CreditTerms,
  now: Date | null,
): Promise<void> {
  await turnPeriod(tx, tenantId, terms, now);
  await run(tx, RAISE, grantValues(tenantId, terms, now));
}
