import type { Plan } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import { queryIn, creditTerms, findCreditTenant } from './credit-terms.js';
import { ensureBalance, raiseGrant } from './turn-period.js';

/**
 * Whether the plan is paid for. Without a confirmed payment this month's grant is withheld, unless
 * it was applied before, and spending ends with the prepaid credits.
 */
export type CreditPayment = 'confirmed' | 'pending' | 'failed';

export interface PlanChange {
  readonly tenantId: string;
  readonly plan: Plan;
  /** @default 'confirmed' */
  readonly payment?: CreditPayment;
  /** @default by the clock of the database */
  readonly now?: Date;
}

const SET_PLAN: Statement = {
  name: 'set_plan_of_credits',
  text: 'UPDATE tenants SET plan = $2 WHERE id = $1 RETURNING id',
};
const SET_PAYMENT: Statement = {
  name: 'set_credit_payment',
  text: 'UPDATE credit_balances SET payment = $2 WHERE tenant_id = $1',
};

/**
 * Puts a tenant on a plan, from the next request on. A larger grant counts at once, by the difference; a
 * smaller one from the next month. False when there is no such tenant.
 */
export function setPlan(database: Database, change: PlanChange): Promise<boolean> {
  return database.transaction((tx) => setPlanIn(tx, change));
}

/** {@link setPlan} within a transaction of the caller. */
export async function setPlanIn(
  tx: Queryable,
  { tenantId, plan, payment = 'confirmed', now }: PlanChange,
): Promise<boolean> {
  if ((await run(tx, SET_PLAN, [tenantId, plan])).length === 0) return false;
  return setPaymentIn(tx, { tenantId, payment, now });
}

export interface PaymentChange {
  readonly tenantId: string;
  readonly payment: CreditPayment;
  /** @default by the clock of the database */
  readonly now?: Date;
}

/** Stores the payment state of a tenant's plan; confirmed, a withheld grant is applied. */
export function setPayment(database: Database, change: PaymentChange): Promise<boolean> {
  return database.transaction((tx) => setPaymentIn(tx, change));
}

/** {@link setPayment} within a transaction of the caller. False when there is no such tenant. */
export async function setPaymentIn(
  tx: Queryable,
  { tenantId, payment, now }: PaymentChange,
): Promise<boolean> {
  const tenant = await findCreditTenant(queryIn(tx), tenantId);
  if (!tenant) return false;
  await ensureBalance(tx, tenantId);
  // Locks the balance. Before the month may turn: its grant follows the payment state.
  await run(tx, SET_PAYMENT, [tenantId, payment]);
  if (payment === 'confirmed') await raiseGrant(tx, tenantId, creditTerms(tenant), now ?? null);
  return true;
}
