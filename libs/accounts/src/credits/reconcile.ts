import { newId } from '@app/contracts';
import type { CreditPool } from './credit-costs.js';
import { run, type Statement, type Database, type Row } from '@app/database';

/**
 * Difference between one pool of a balance and the credit ledger, in credits: positive when the balance
 * has more.
 */
export interface CreditDrift {
  readonly tenantId: string;
  readonly period: string;
  readonly pool: CreditPool;
  readonly grantLeft: number;
  readonly toppedUp: number;
  readonly overage: number;
  readonly granted: number;
}

/** SQL: the sum of the transfers into and out of an account of a pool. */
const left = (pool: CreditPool, account: string): string =>
  `coalesce(sum(CASE WHEN to_account = '${account}' THEN credits ELSE -credits END)
     FILTER (WHERE pool = '${pool}' AND '${account}' IN (from_account, to_account)), 0)`;
const granted = (pool: CreditPool): string =>
  `coalesce(sum(credits) FILTER (WHERE pool = '${pool}' AND from_account = 'issued' AND to_account = 'grant'), 0)`;

/** Sums of a tenant's transfers in a period. `b` has both. */
const SUMS = `
  SELECT ${left('scrape', 'grant')} AS grant_left, -${left('scrape', 'overage')} AS overage_used, ${granted('scrape')} AS granted,
         ${left('enrich', 'grant')} AS enrich_grant_left, ${granted('enrich')} AS enrich_granted,
         ${left('kyb', 'grant')} AS kyb_grant_left, ${granted('kyb')} AS kyb_granted
  FROM credit_transfers t WHERE t.tenant_id = b.tenant_id AND t.period = b.period`;
const TOPUPS = `
  SELECT ${left('scrape', 'topup')} AS topup_left, ${left('enrich', 'topup')} AS enrich_topup_left,
         ${left('kyb', 'topup')} AS kyb_topup_left
  FROM credit_transfers t WHERE t.tenant_id = b.tenant_id AND 'topup' IN (from_account, to_account)`;

const TAKE: Statement = {
  name: 'take_credit_balances',
  text: `
    UPDATE credit_balances SET checked_at = coalesce($2::timestamptz, now())
    WHERE tenant_id = ANY (ARRAY (
      SELECT tenant_id FROM credit_balances ORDER BY checked_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING tenant_id AS "tenantId"`,
};
/** One snapshot has both sides, so that nothing in flight looks like drift. A row for each pool that differs. */
const COMPARE: Statement = {
  name: 'compare_credit_balances',
  text: `
    SELECT b.tenant_id AS "tenantId", b.period, d.pool, d.grant_left::float8 AS "grantLeft",
           d.topup_left::float8 AS "toppedUp", d.overage_used::float8 AS overage, d.granted::float8 AS granted
    FROM credit_balances b LEFT JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
         CROSS JOIN LATERAL (${SUMS}) s CROSS JOIN LATERAL (${TOPUPS}) u
         CROSS JOIN LATERAL (VALUES
           ('scrape', b.grant_left - s.grant_left, b.topup_left - u.topup_left, b.overage_used - s.overage_used,
            coalesce(p.granted, 0) - s.granted),
           ('enrich', b.enrich_grant_left - s.enrich_grant_left, b.enrich_topup_left - u.enrich_topup_left, 0,
            coalesce(p.enrich_granted, 0) - s.enrich_granted),
           ('kyb', b.kyb_grant_left - s.kyb_grant_left, b.kyb_topup_left - u.kyb_topup_left, 0,
            coalesce(p.kyb_granted, 0) - s.kyb_granted)
         ) d (pool, grant_left, topup_left, overage_used, granted)
    WHERE b.tenant_id = ANY ($1::uuid[])
      AND (b.reconciling_since IS NOT NULL OR (d.grant_left, d.topup_left, d.overage_used, d.granted) <> (0, 0, 0, 0))`,
};
const FLAG: Statement = {
  name: 'flag_credit_balances',
  text: `UPDATE credit_balances SET reconciling_since = coalesce(reconciling_since, $2::timestamptz, now())
         WHERE tenant_id = ANY ($1::uuid[])`,
};
const LOCK: Statement = {
  name: 'lock_drifted_balance',
  text: 'SELECT 1 FROM credit_balances WHERE tenant_id = $1 FOR NO KEY UPDATE',
};
/**
 * SQL: the grant of a month, by `t`, its transfers, including write-offs. A withheld grant (null)
 * without transfers stays withheld.
 */
const TRUE_GRANTS = `
  granted = CASE WHEN coalesce(p.granted, 0) = t.granted + greatest(-t.grant_left, 0) THEN p.granted
                 ELSE t.granted + greatest(-t.grant_left, 0) END,
  enrich_granted = t.enrich_granted + greatest(-t.enrich_grant_left, 0),
  kyb_granted = t.kyb_granted + greatest(-t.kyb_grant_left, 0)`;

/**
 * Credits taken because a balance was too high are written off, by a separate entry: no account may
 * be below zero. Overage below zero has no meaning: that stays flagged.
 */
const CORRECT: Statement = {
  name: 'mend_credit_balance',
  text: `
    WITH truth AS MATERIALIZED (
      SELECT b.tenant_id, b.period, s.*, u.* FROM credit_balances b
      CROSS JOIN LATERAL (${SUMS}) s CROSS JOIN LATERAL (${TOPUPS}) u WHERE b.tenant_id = $1
    ), written_off AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT t.tenant_id, t.period, part.pool, 'issued', part.account, part.credits, $2, now()
      FROM truth t, LATERAL (VALUES
        ('scrape', 'grant', -t.grant_left), ('scrape', 'topup', -t.topup_left),
        ('enrich', 'grant', -t.enrich_grant_left), ('enrich', 'topup', -t.enrich_topup_left),
        ('kyb', 'grant', -t.kyb_grant_left), ('kyb', 'topup', -t.kyb_topup_left)) part (pool, account, credits)
      WHERE part.credits > 0
    ), granted AS (
      UPDATE credit_periods p SET ${TRUE_GRANTS} FROM truth t
      WHERE p.tenant_id = t.tenant_id AND p.period = t.period
    )
    UPDATE credit_balances b SET grant_left = greatest(t.grant_left, 0), topup_left = greatest(t.topup_left, 0),
           enrich_grant_left = greatest(t.enrich_grant_left, 0), enrich_topup_left = greatest(t.enrich_topup_left, 0),
           kyb_grant_left = greatest(t.kyb_grant_left, 0), kyb_topup_left = greatest(t.kyb_topup_left, 0),
           overage_used = greatest(t.overage_used, 0),
           reconciling_since = CASE WHEN t.overage_used < 0 THEN b.reconciling_since END
    FROM truth t WHERE b.tenant_id = t.tenant_id`,
};

export interface ReconcileOptions {
  /** Maximum number of tenants, and of past months, to check. */
  readonly limit: number;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/**
 * Compares balances with the credit ledger, the least recently checked first, and corrects those that
 * differ: the credit ledger is the truth. While a balance is being fixed its state says so. Safe in any
 * number of replicas. Returns the differences.
 */
export async function reconcileBalances(
  database: Database,
  { limit, now }: ReconcileOptions,
): Promise<CreditDrift[]> {
  const taken = await database.query<{ tenantId: string }>(TAKE, [limit, now ?? null]);
  const drifts = await findDrift(
    database,
    taken.map(({ tenantId }) => tenantId),
    now,
  );
  for (const tenantId of tenantsOf(drifts)) await correctBalance(database, tenantId);
  return drifts.filter(isDrift);
}

function tenantsOf(drifts: readonly CreditDrift[]): string[] {
  return [...new Set(drifts.map(({ tenantId }) => tenantId))];
}

/** A flagged balance may have been fixed by a replica that died before clearing the flag. */
function isDrift({ grantLeft, toppedUp, overage, granted }: CreditDrift): boolean {
  return [grantLeft, toppedUp, overage, granted].some((credits) => credits !== 0);
}

/** Compares balances, and flags those that differ. Balances flagged before are included. */
export async function findDrift(
  database: Database,
  tenantIds: readonly string[],
  now?: Date,
): Promise<CreditDrift[]> {
  const drifts = await database.query<CreditDrift & Row>(COMPARE, [tenantIds]);
  const drifted = tenantsOf(drifts);
  if (drifted.length > 0) await database.query(FLAG, [drifted, now ?? null]);
  return drifts;
}

/** Sets a balance to the credit ledger's sums. Transactions that take or return credits wait meanwhile. */
export async function correctBalance(database: Database, tenantId: string): Promise<void> {
  await database.transaction(async (tx) => {
    await run(tx, LOCK, [tenantId]);
    await run(tx, CORRECT, [tenantId, newId()]);
  });
}

const CHECK_CLOSED: Statement = {
  name: 'check_closed_periods',
  text: `
    WITH due AS MATERIALIZED (
      SELECT * FROM credit_periods p WHERE closed_at IS NOT NULL AND drift IS NULL
        AND NOT EXISTS (SELECT FROM credit_holds h WHERE h.tenant_id = p.tenant_id AND h.period = p.period)
      ORDER BY closed_at LIMIT $1
    ), found AS MATERIALIZED (
      SELECT b.tenant_id, b.period, (abs(b.grant_left - s.grant_left) + abs(b.overage_used - s.overage_used)
               + abs(coalesce(b.granted, 0) - s.granted) + abs(b.enrich_grant_left - s.enrich_grant_left)
               + abs(b.enrich_granted - s.enrich_granted) + abs(b.kyb_grant_left - s.kyb_grant_left)
               + abs(b.kyb_granted - s.kyb_granted))::bigint AS drift
      FROM due b CROSS JOIN LATERAL (${SUMS}) s
    )
    UPDATE credit_periods p SET drift = f.drift FROM found f
    WHERE p.tenant_id = f.tenant_id AND p.period = f.period
    RETURNING p.tenant_id AS "tenantId", p.period, p.drift::float8 AS drift`,
};
const CORRECT_CLOSED: Statement = {
  name: 'mend_closed_periods',
  text: `
    WITH due AS MATERIALIZED (
      SELECT * FROM credit_periods WHERE drift <> 0 AND tenant_id = ANY ($1::uuid[])
      ORDER BY tenant_id, period FOR NO KEY UPDATE
    ), truth AS MATERIALIZED (
      SELECT b.tenant_id, b.period, s.* FROM due b CROSS JOIN LATERAL (${SUMS}) s
    ), written_off AS (
      INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
      SELECT t.tenant_id, t.period, part.pool, 'issued', 'grant', part.credits, $2, now()
      FROM truth t, LATERAL (VALUES ('scrape', -t.grant_left), ('enrich', -t.enrich_grant_left),
                                    ('kyb', -t.kyb_grant_left)) part (pool, credits)
      WHERE part.credits > 0
    )
    UPDATE credit_periods p SET grant_left = greatest(t.grant_left, 0), overage_used = greatest(t.overage_used, 0),
           enrich_grant_left = greatest(t.enrich_grant_left, 0), kyb_grant_left = greatest(t.kyb_grant_left, 0),
           ${TRUE_GRANTS},
           drift = CASE WHEN t.overage_used < 0 THEN p.drift ELSE 0 END
    FROM truth t WHERE p.tenant_id = t.tenant_id AND p.period = t.period
    RETURNING 1`,
};

/** A month that is over and differed from the credit ledger. */
export interface PeriodDrift {
  readonly tenantId: string;
  readonly period: string;
  /** In all its figures together. */
  readonly drift: number;
}

/**
 * Compares past months, once each, when they have no reservations left. Returns the differences.
 */
export async function checkClosedPeriods(
  database: Database,
  { limit }: ReconcileOptions,
): Promise<PeriodDrift[]> {
  const rows = await database.query<PeriodDrift & Row>(CHECK_CLOSED, [limit]);
  return rows.filter(({ drift }) => drift !== 0);
}

/** Corrects months that differed by the credit ledger. Returns how many. */
export async function correctPeriods(
  database: Database,
  drifts: readonly PeriodDrift[],
): Promise<number> {
  if (drifts.length === 0) return 0;
  const tenantIds = drifts.map(({ tenantId }) => tenantId);
  const rows = await database.query(CORRECT_CLOSED, [tenantIds, newId()]);
  return rows.length;
}

/** Both comparisons, of balances and of closed months, in one round. */
export async function reconcileCredits(
  database: Database,
  options: ReconcileOptions,
): Promise<{
  readonly balances: readonly CreditDrift[];
  readonly periods: readonly PeriodDrift[];
}> {
  const balances = await reconcileBalances(database, options);
  const periods = await checkClosedPeriods(database, options);
  await correctPeriods(database, periods);
  return { balances, periods };
}
