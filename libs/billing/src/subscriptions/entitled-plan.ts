import { SOLD_PLANS, type PlanPrice, type SoldPlan } from '@app/config';
import type { Subscription, SubscriptionItem } from '@app/providers';
import type { SubscriptionStatus } from './subscription-status.js';

/** A subscription that lives and pays for a plan. */
export interface PaidPlan {
  readonly plan: SoldPlan;
  readonly subscription: Subscription;
  readonly item: SubscriptionItem;
}

/** A live subscription has no known price: STRIPE_PRICES is incomplete. */
export class UnknownPriceError extends Error {
  constructor(readonly priceIds: readonly string[]) {
    super(`STRIPE_PRICES names no plan for ${priceIds.join(', ')}`);
    this.name = 'UnknownPriceError';
  }
}

/** The highest plan that is paid for; null when none is. */
export function paidPlanOf(
  subscriptions: readonly Subscription[],
  prices: readonly PlanPrice[],
): PaidPlan | null {
  const paid = subscriptions
    .filter(({ isLive }) => isLive)
    .flatMap((subscription) =>
      subscription.items.flatMap((item) => {
        const price = prices.find(({ priceId }) => priceId === item.priceId);
        return price ? [{ plan: price.plan, subscription, item }] : [];
      }),
    );
  return paid.reduce<PaidPlan | null>(
    (best, one) => (best && !isAbove(one, best) ? best : one),
    null,
  );
}

function isAbove(one: PaidPlan, other: PaidPlan): boolean {
  return SOLD_PLANS.indexOf(one.plan) > SOLD_PLANS.indexOf(other.plan);
}

/**
 * The plan that a customer's subscriptions entitle to. A subscription with an unknown price must
 * not end as the free plan: the customer pays for it. @throws UnknownPriceError
 */
export function standingOf(
  subscriptions: readonly Subscription[],
  prices: readonly PlanPrice[],
): SubscriptionStatus {
  const paid = paidPlanOf(subscriptions, prices);
  if (paid === null) {
    const live = subscriptions.filter(({ isLive }) => isLive);
    if (live.length > 0) {
      throw new UnknownPriceError(live.flatMap(({ items }) => items.map((item) => item.priceId)));
    }
    const [last] = subscriptions;
    return {
      plan: 'free',
      subscriptionId: last?.id ?? null,
      subscriptionState: last?.state ?? null,
      payment: 'confirmed',
      periodEnd: null,
      endsAt: null,
    };
  }
  const { plan, subscription, item } = paid;
  return {
    plan,
    subscriptionId: subscription.id,
    subscriptionState: subscription.state,
    payment: subscription.isOverdue ? 'failed' : 'confirmed',
    periodEnd: item.periodEnd,
    endsAt: subscription.endsAt,
  };
}
