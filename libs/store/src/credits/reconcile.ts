import { newId } from '@app/contracts';
import type pg from 'pg';
import { run, type Statement, type Store } from '../open-store.js';

/** By how much a balance was more than what the ledger says, in credits. */
export interface CreditDrift {
  readonly tenantId: string;
  readonly period: string;
  readonly grantLeft: number;
  readonly toppedUp: number;
  readonly overage: number;
  readonly granted: number;
}

/** What the transfers of a tenant amount to in a period. `b` has both. */
const SUMS = `
  SELECT coalesce(sum(credits) FILTER (WHERE to_account = 'grant'), 0)
           - coalesce(sum(credits) FILTER (WHERE from_account = 'grant'), 0) AS grant_left,
         coalesce(sum(credits) FILTER (WHERE from_account = 'overage'), 0)
           - coalesce(sum(credits) FILTER (WHERE to_account = 'overage'), 0) AS overage_used,
         coalesce(sum(credits) FILTER (WHERE from_account = 'issued' AND to_account = 'grant'), 0) AS granted
  FROM credit_transfers t WHERE t.tenant_id = b.tenant_id AND t.period = b.period`;
const TOPUPS = `
  SELECT coalesce(sum(CASE WHEN to_account = 'topup' THEN credits ELSE -credits END), 0) AS topup_left
  FROM credit_transfers t WHERE t.tenant_id = b.tenant_id AND 'topup' IN (from_account, to_account)`;

const TAKE: Statement = {
  name: 'take_credit_balances',
  text: `
    UPDATE credit_balances SET checked_at = coalesce($2::timestamptz, now())
    WHERE tenant_id = ANY (ARRAY (
      SELECT tenant_id FROM credit_balances ORDER BY checked_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING tenant_id AS "tenantId"`,
};
/** One snapshot has both sides, so that nothing in flight looks like drift. */
const COMPARE: Statement = {
  name: 'compare_credit_balances',
  text: `
    SELECT b.tenant_id AS "tenantId", b.period, (b.grant_left - s.grant_left)::float8 AS "grantLeft",
           (b.topup_left - u.topup_left)::float8 AS "toppedUp", (b.overage_used - s.overage_used)::float8 AS overage,
           (coalesce(p.granted, 0) - s.granted)::float8 AS granted
    FROM credit_balances b LEFT JOIN credit_periods p ON p.tenant_id = b.tenant_id AND p.period = b.period
         CROSS JOIN LATERAL (${SUMS}) s CROSS JOIN LATERAL (${TOPUPS}) u
    WHERE b.tenant_id = ANY ($1::uuid[])
      AND (b.reconciling_since IS NOT NULL
           OR (b.grant_left, b.topup_left, b.overage_used, coalesce(p.granted, 0))
              <> (s.grant_left, u.topup_left, s.overage_used, s.granted))`,
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
 * What was taken on the strength of a balance that was too high is written off, by an entry of its own: no
 * account may be below zero. Overage below zero makes no sense at all: that stays flagged.
 */
const MEND: Statement = {
  name: 'mend_credit_balance',
  text: `
    WITH truth AS MATERIALIZED (
      SELECT b.tenant_id, b.period, s.*, u.topup_left FROM credit_balances b
      CROSS JOIN LATERAL (${SUMS}) s CROSS JOIN LATERAL (${TOPUPS}) u WHERE b.tenant_id = $1
    ), written_off AS (
      INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
      SELECT t.tenant_id, t.period, 'issued', part.account, part.credits, $2, now()
      FROM truth t, LATERAL (VALUES ('grant', -t.grant_left), ('topup', -t.topup_left)) part (account, credits)
      WHERE part.credits > 0
    ), granted AS (
      UPDATE credit_periods p SET granted = t.granted + greatest(-t.grant_left, 0) FROM truth t
      WHERE p.tenant_id = t.tenant_id AND p.period = t.period
        AND coalesce(p.granted, 0) <> t.granted + greatest(-t.grant_left, 0)
    )
    UPDATE credit_balances b SET grant_left = greatest(t.grant_left, 0), topup_left = greatest(t.topup_left, 0),
           overage_used = greatest(t.overage_used, 0),
           reconciling_since = CASE WHEN t.overage_used < 0 THEN b.reconciling_since END
    FROM truth t WHERE b.tenant_id = t.tenant_id`,
};

export interface ReconcileOptions {
  /** Most tenants, and most months that are over, looked at. */
  readonly limit: number;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/**
 * Compares balances with the ledger, those first that nobody looked at for longest, and puts those right
 * that differ: the ledger is the truth. While a balance is being mended its state says so. Safe in any
 * number of replicas. Returns what differed.
 */
export async function reconcileBalances(
  store: Store,
  { limit, now }: ReconcileOptions,
): Promise<CreditDrift[]> {
  const taken = await store.query<{ tenantId: string }>(TAKE, [limit, now ?? null]);
  const drifts = await findDrift(
    store,
    taken.map(({ tenantId }) => tenantId),
    now,
  );
  for (const { tenantId } of drifts) await mendBalance(store, tenantId);
  return drifts.filter(isDrift);
}

/** One that is flagged may have been put right by whoever died before saying so. */
function isDrift({ grantLeft, toppedUp, overage, granted }: CreditDrift): boolean {
  return [grantLeft, toppedUp, overage, granted].some((credits) => credits !== 0);
}

/** Compares, and flags those that differ. Those that are flagged already are among what is returned. */
export async function findDrift(
  store: Store,
  tenantIds: readonly string[],
  now?: Date,
): Promise<CreditDrift[]> {
  const drifts = await store.query<CreditDrift & pg.QueryResultRow>(COMPARE, [tenantIds]);
  const drifted = drifts.map(({ tenantId }) => tenantId);
  if (drifted.length > 0) await store.query(FLAG, [drifted, now ?? null]);
  return drifts;
}

/** Sets a balance to what the ledger says. Whoever takes or returns credits waits meanwhile. */
export async function mendBalance(store: Store, tenantId: string): Promise<void> {
  await store.transaction(async (tx) => {
    await run(tx, LOCK, [tenantId]);
    await run(tx, MEND, [tenantId, newId()]);
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
               + abs(coalesce(b.granted, 0) - s.granted))::bigint AS drift
      FROM due b CROSS JOIN LATERAL (${SUMS}) s
    )
    UPDATE credit_periods p SET drift = f.drift FROM found f
    WHERE p.tenant_id = f.tenant_id AND p.period = f.period
    RETURNING p.tenant_id AS "tenantId", p.period, p.drift::float8 AS drift`,
};
const MEND_CLOSED: Statement = {
  name: 'mend_closed_periods',
  text: `
    WITH due AS MATERIALIZED (
      SELECT * FROM credit_periods WHERE drift <> 0 AND tenant_id = ANY ($1::uuid[])
      ORDER BY tenant_id, period FOR NO KEY UPDATE
    ), truth AS MATERIALIZED (
      SELECT b.tenant_id, b.period, s.* FROM due b CROSS JOIN LATERAL (${SUMS}) s
    ), written_off AS (
      INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
      SELECT tenant_id, period, 'issued', 'grant', -grant_left, $2, now() FROM truth WHERE grant_left < 0
    )
    UPDATE credit_periods p SET grant_left = greatest(t.grant_left, 0), overage_used = greatest(t.overage_used, 0),
           granted = t.granted + greatest(-t.grant_left, 0),
           drift = CASE WHEN t.overage_used < 0 THEN p.drift ELSE 0 END
    FROM truth t WHERE p.tenant_id = t.tenant_id AND p.period = t.period
    RETURNING 1`,
};

/** A month that is over and differed from the ledger. */
export interface PeriodDrift {
  readonly tenantId: string;
  readonly period: string;
  /** In all its figures together. */
  readonly drift: number;
}

/** Compares months that are over, once each, when nothing of them is held any more. Returns what differed. */
export async function checkClosedPeriods(
  store: Store,
  { limit }: ReconcileOptions,
): Promise<PeriodDrift[]> {
  const rows = await store.query<PeriodDrift & pg.QueryResultRow>(CHECK_CLOSED, [limit]);
  return rows.filter(({ drift }) => drift !== 0);
}

/** Sets months that differed to what the ledger says. Returns how many. */
export async function mendPeriods(store: Store, drifts: readonly PeriodDrift[]): Promise<number> {
  if (drifts.length === 0) return 0;
  const tenantIds = drifts.map(({ tenantId }) => tenantId);
  const rows = await store.query(MEND_CLOSED, [tenantIds, newId()]);
  return rows.length;
}

/** Both sweeps of the books in one round. */
export async function reconcileCredits(
  store: Store,
  options: ReconcileOptions,
): Promise<{
  readonly balances: readonly CreditDrift[];
  readonly periods: readonly PeriodDrift[];
}> {
  const balances = await reconcileBalances(store, options);
  const periods = await checkClosedPeriods(store, options);
  await mendPeriods(store, periods);
  return { balances, periods };
}
