import type { Plan } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import { waitAtMost } from '@app/runtime';
import {
  AGREED,
  clockAt,
  creditTerms,
  type CreditTenant,
  type CreditTerms,
} from './credit-terms.js';
import type { CreditPayment } from './set-plan.js';
import { SPENT_IN_MONTH } from './spending.js';
import { turnPeriod } from './turn-period.js';

/**
 * State of this period's grant (specification: Resources, Usage record).
 * - `ok`: it is applied.
 * - `grant_pending`, `grant_failed`: it is withheld until the plan is paid; the payment is pending,
 *   or failed.
 * - `reconciling`: the balance differed from the credit ledger and is being fixed.
 * - `unavailable`: the credit ledger cannot be read.
 */
export const CREDIT_STATES = [
  'ok',
  'grant_pending',
  'grant_failed',
  'reconciling',
  'unavailable',
] as const;
export type CreditState = (typeof CREDIT_STATES)[number];

/** One pool of a tenant. */
export interface PoolBalance {
  /** In this period, of the plan. */
  readonly granted: number;
  /** Of top-ups, left. */
  readonly toppedUp: number;
  /** Prepaid credits that may be spent; null where nothing bounds the tenant. */
  readonly remaining: number | null;
}

/** The figures of the scrape pool, beside those of the other pools. */
export interface CreditBalance extends PoolBalance {
  readonly state: CreditState;
  /** Calendar month, UTC: `YYYY-MM`. */
  readonly period: string;
  /** Something of earlier periods is held still, or was found to differ from the credit ledger. */
  readonly priorPeriodsUnresolved: boolean;
  /** In this period, of all pools. */
  readonly spent: number;
  /** In this period, beyond the prepaid credits, including reserved ones. */
  readonly overage: number;
  readonly enrich: PoolBalance;
  readonly kyb: PoolBalance;
}

export interface ReadCredits {
  /** @default by the clock of the database */
  readonly now?: Date;
  /** Called with the cause when the state is `unavailable`. @default none */
  readonly onError?: (error: unknown) => void;
}

/** The tenant's data apart from its spending. */
export interface CreditAccount extends Omit<CreditBalance, 'spent'> {
  readonly plan: Plan;
  readonly terms: CreditTerms;
}

interface AccountRow extends CreditTenant, Record<string, unknown> {
  readonly id: string;
  readonly plan: Plan;
  readonly period: string;
  readonly balancePeriod: string | null;
  readonly grantLeft: number;
  readonly toppedUp: number;
  readonly overage: number;
  readonly enrichGranted: number;
  readonly enrichGrantLeft: number;
  readonly enrichToppedUp: number;
  readonly kybGranted: number;
  readonly kybGrantLeft: number;
  readonly kybToppedUp: number;
  readonly payment: CreditPayment | null;
  readonly isReconciling: boolean;
  readonly granted: number | null;
  readonly unresolved: boolean;
}

const ACCOUNT: Statement = {
  name: 'read_credit_account',
  text: `
    WITH clock AS (${clockAt('$2')})
    SELECT t.id, t.plan, ${AGREED}, clock.period, b.period AS "balancePeriod", coalesce(b.grant_left, 0)::float8 AS "grantLeft",
           coalesce(b.topup_left, 0)::float8 AS "toppedUp", coalesce(b.overage_used, 0)::float8 AS overage,
           coalesce(p.enrich_granted, 0)::float8 AS "enrichGranted", coalesce(b.enrich_grant_left, 0)::float8 AS "enrichGrantLeft",
           coalesce(b.enrich_topup_left, 0)::float8 AS "enrichToppedUp", coalesce(p.kyb_granted, 0)::float8 AS "kybGranted",
           coalesce(b.kyb_grant_left, 0)::float8 AS "kybGrantLeft", coalesce(b.kyb_topup_left, 0)::float8 AS "kybToppedUp",
           b.payment, b.reconciling_since IS NOT NULL AS "isReconciling", p.granted::float8 AS granted,
           EXISTS (SELECT FROM credit_holds h WHERE h.tenant_id = t.id AND h.period < clock.period)
             OR EXISTS (SELECT FROM credit_periods o WHERE o.tenant_id = t.id AND o.drift <> 0) AS unresolved
    FROM tenants t CROSS JOIN clock LEFT JOIN credit_balances b ON b.tenant_id = t.id
         LEFT JOIN credit_periods p ON p.tenant_id = t.id AND p.period = clock.period
    WHERE t.id = $1`,
};
const SPENT: Statement = {
  name: 'spent_in_period',
  text: `SELECT coalesce(sum(credits), 0)::float8 AS spent FROM (${SPENT_IN_MONTH}) spending`,
};

/** How long a page waits for the credit ledger before it says that it cannot be read. */
export const LEDGER_WAIT_MS = 5_000;

/**
 * A tenant's balance, with this month's grant if no call came before. Null when there is no such
 * tenant. With an unreadable ledger the state says so and every figure is 0.
 */
export async function readBalance(
  database: Database,
  tenantId: string,
  options: ReadCredits = {},
): Promise<CreditBalance | null> {
  try {
    return await waitAtMost(LEDGER_WAIT_MS, balanceOf(database, tenantId, options.now));
  } catch (error) {
    options.onError?.(error);
    return unavailable(options.now);
  }
}

async function balanceOf(
  database: Database,
  tenantId: string,
  now?: Date,
): Promise<CreditBalance | null> {
  const account = await readAccount(database, tenantId, now);
  if (!account) return null;
  const [row] = await database.query<{ spent: number }>(SPENT, [tenantId, account.period]);
  const { plan: _plan, terms: _terms, ...balance } = account;
  return { ...balance, spent: row?.spent ?? 0 };
}

const NO_CREDITS: PoolBalance = { granted: 0, toppedUp: 0, remaining: 0 };

/** For a tenant with an unreadable ledger. */
export function unavailable(now: Date = new Date()): CreditBalance {
  return {
    state: 'unavailable',
    period: now.toISOString().slice(0, 7),
    priorPeriodsUnresolved: false,
    ...{ ...NO_CREDITS, spent: 0, overage: 0, enrich: NO_CREDITS, kyb: NO_CREDITS },
  };
}

/** The tenant's account in the month of `now`, which is turned first where that is due. */
export async function readAccount(
  database: Database,
  tenantId: string,
  now: Date | undefined,
): Promise<CreditAccount | null> {
  const values = [tenantId, now ?? null];
  const [seen] = await database.query<AccountRow>(ACCOUNT, values);
  if (!seen) return null;
  const terms = creditTerms(seen);
  if (terms.monthlyCredits === null || !isBehind(seen)) return accountOf(seen, terms);
  await database.transaction((tx) => turnPeriod(tx, tenantId, terms, now ?? null));
  const [turned] = await database.query<AccountRow>(ACCOUNT, values);
  return turned ? accountOf(turned, terms) : null;
}

function isBehind({ balancePeriod, period }: AccountRow): boolean {
  return balancePeriod === null || balancePeriod < period;
}

function accountOf(row: AccountRow, terms: CreditTerms): CreditAccount {
  const { plan, period, overage, unresolved } = row;
  const pool = (granted: number, grantLeft: number, toppedUp: number): PoolBalance => ({
    ...{ granted, toppedUp },
    remaining: terms.monthlyCredits === null ? null : grantLeft + toppedUp,
  });
  return {
    plan,
    terms,
    state: stateOf(row, terms),
    period,
    priorPeriodsUnresolved: unresolved,
    overage,
    ...pool(row.granted ?? 0, row.grantLeft, row.toppedUp),
    enrich: pool(row.enrichGranted, row.enrichGrantLeft, row.enrichToppedUp),
    kyb: pool(row.kybGranted, row.kybGrantLeft, row.kybToppedUp),
  };
}

function stateOf(
  { isReconciling, payment, granted }: AccountRow,
  { monthlyCredits }: CreditTerms,
): CreditState {
  if (isReconciling) return 'reconciling';
  const isApplied = payment === 'confirmed' || (granted ?? -1) >= (monthlyCredits ?? 0);
  if (isApplied || payment === null) return 'ok';
  return payment === 'pending' ? 'grant_pending' : 'grant_failed';
}
