import type { Plan } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import { recordAdminAct, setPaymentIn, setPlanIn, type CreditPayment } from '@app/accounts';
import type { BegunRead, AppliedSubscription, SubscriptionStatus } from './subscription-status.js';
import { markEventsApplied } from './payment-events.js';

const BEGIN: Statement = {
  name: 'begin_subscription_read',
  text: `UPDATE billing_accounts SET reads_begun = reads_begun + 1
         WHERE provider = $1 AND customer_id = $2
         RETURNING tenant_id AS "tenantId", reads_begun::int AS "readNo", clock_timestamp()::text AS "beganAt"`,
};

/** Begin a reading of the customer's state before the request to the provider. */
export async function beginRead(
  database: Database,
  { provider, customerId }: { readonly provider: string; readonly customerId: string },
): Promise<BegunRead | null> {
  const [row] = await database.query<{ tenantId: string; readNo: number; beganAt: string }>(BEGIN, [
    provider,
    customerId,
  ]);
  return row === undefined ? null : { provider, customerId, ...row };
}

/** Outcome of a reading. */
export interface WrittenRead {
  readonly followed: AppliedSubscription;
  /** Events that it answers. */
  readonly eventsApplied: number;
}

const HOLD: Statement = {
  name: 'hold_billing_account',
  text: `SELECT plan, payment, read_written::int AS "readWritten" FROM billing_accounts
         WHERE tenant_id = $1 AND provider = $2 AND customer_id = $3 FOR NO KEY UPDATE`,
};
const WRITE: Statement = {
  name: 'write_subscription',
  text: `UPDATE billing_accounts SET read_written = $2, read_at = now(), plan = $3, subscription_id = $4,
                subscription_state = $5, payment = $6, period_end = $7, ends_at = $8,
                reread_at = now() + interval '1 day'
         WHERE tenant_id = $1`,
};

/**
 * Stores the reading, changes the tenant's plan if its subscription changed, and completes the
 * events it covers, in one transaction. The plan follows changes of the subscription: a plan that
 * an operator set by hand stays until the next change, and a customer who never paid keeps its
 * plan.
 */
export function applySubscription(
  database: Database,
  read: BegunRead,
  subscriptionStatus: SubscriptionStatus,
): Promise<WrittenRead> {
  return database.transaction(async (tx) => {
    const followed = await write(tx, read, subscriptionStatus);
    const { provider, customerId, beganAt: upTo } = read;
    const eventsApplied = await markEventsApplied(tx, { provider, customerId, upTo });
    return { followed, eventsApplied };
  });
}

async function write(
  tx: Queryable,
  read: BegunRead,
  subscriptionStatus: SubscriptionStatus,
): Promise<AppliedSubscription> {
  const { tenantId, provider, customerId, readNo } = read;
  const [held] = await run<HeldAccount>(tx, HOLD, [...[tenantId, provider, customerId]]);
  // Without a row the customer is no longer this tenant's.
  if (held === undefined || held.readWritten >= readNo) return { kind: 'stale' };
  const { plan, subscriptionId, subscriptionState, payment, periodEnd, endsAt } =
    subscriptionStatus;
  await run(tx, WRITE, [
    ...[tenantId, readNo, plan, subscriptionId],
    ...[subscriptionState, payment, periodEnd, endsAt],
  ]);
  const isNewPlan = held.plan === null ? plan !== 'free' : plan !== held.plan;
  if (!isNewPlan && payment === held.payment) return { kind: 'same' };
  return applySubscriptionStatus(tx, read, { subscriptionStatus, isNewPlan });
}

interface HeldAccount extends Record<string, unknown> {
  readonly plan: Plan | null;
  readonly payment: CreditPayment | null;
  readonly readWritten: number;
}

const HOLD_TENANT: Statement = {
  name: 'hold_tenant_plan',
  text: 'SELECT plan FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

/**
 * Applies the paid plan to the tenant, with its credits, and records that it did. When only the
 * payment of a subscription changed, a plan that an operator set meanwhile stays.
 */
async function applySubscriptionStatus(
  tx: Queryable,
  { tenantId, provider, customerId }: BegunRead,
  {
    subscriptionStatus,
    isNewPlan,
  }: { readonly subscriptionStatus: SubscriptionStatus; readonly isNewPlan: boolean },
): Promise<AppliedSubscription> {
  const { plan, payment, subscriptionId, subscriptionState } = subscriptionStatus;
  const [tenant] = await run<{ plan: Plan }>(tx, HOLD_TENANT, [tenantId]);
  if (tenant?.plan === plan) {
    // Confirmed, a grant that was withheld is had: the month of a renewal.
    await setPaymentIn(tx, { tenantId, payment });
    return { kind: 'same' };
  }
  if (tenant === undefined || !isNewPlan) return { kind: 'same' };
  await setPlanIn(tx, { tenantId, plan, payment });
  await recordAdminAct(tx, {
    actor: provider,
    act: 'plan.follow',
    tenantId,
    details: { from: tenant.plan, to: plan, customerId, subscriptionId, subscriptionState },
  });
  return { kind: 'changed', from: tenant.plan, to: plan };
}
