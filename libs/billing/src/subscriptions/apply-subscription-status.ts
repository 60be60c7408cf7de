import type { Plan } from '@app/contracts';
import { recordAdminAct } from '@app/accounts';
import { setPaymentIn, setPlanIn } from '@app/accounts';
import { run, type Queryable, type Statement } from '@app/database';
import type { BegunRead, AppliedSubscription, SubscriptionStatus } from './subscription-status.js';

const HOLD_TENANT: Statement = {
  name: 'hold_tenant_plan',
  text: 'SELECT plan FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

/**
 * Applies the paid plan to the tenant, with its credits, and records that it did. When only the
 * payment of a subscription changed, a plan that an operator set meanwhile stays.
 */
export async function applySubscriptionStatus(
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
