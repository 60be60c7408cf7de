/** Objects of Stripe's API, as far as they are examined: the names and nesting are the API's. */
export type StripeObject = Readonly<Record<string, unknown>> & { readonly id: string };

export interface FakeSubscription {
  readonly id: string;
  readonly itemId: string;
  readonly customer: string;
  status: string;
  price: string;
  cancelAtPeriodEnd: boolean;
  /** Seconds. */
  periodStart: number;
  periodEnd: number;
}

export const MONTH_SECONDS = 30 * 86_400;

export function subscriptionObject(one: FakeSubscription): StripeObject {
  const { id, customer, status, cancelAtPeriodEnd } = one;
  const { periodEnd } = one;
  return {
    ...{ id, object: 'subscription', customer, status },
    cancel_at_period_end: cancelAtPeriodEnd,
    cancel_at: cancelAtPeriodEnd ? periodEnd : null,
    created: one.periodStart,
    items: listObject('/v1/subscription_items', [itemObject(one)]),
    metadata: {},
  };
}

function itemObject({ id, itemId, price, periodStart, periodEnd }: FakeSubscription): StripeObject {
  return {
    ...{ id: itemId, object: 'subscription_item', subscription: id, quantity: 1 },
    current_period_start: periodStart,
    current_period_end: periodEnd,
    price: priceObject(price),
  };
}

export function priceObject(id: string): StripeObject {
  return {
    ...{ id, object: 'price', active: true, currency: 'usd', type: 'recurring' },
    recurring: { interval: 'month', interval_count: 1 },
    unit_amount: 1_200,
  };
}

export function invoiceObject(id: string, one: FakeSubscription, status: string): StripeObject {
  return {
    ...{ id, object: 'invoice', customer: one.customer, status },
    parent: {
      type: 'subscription_details',
      subscription_details: { subscription: one.id, metadata: {} },
    },
  };
}

export function listObject(url: string, data: readonly unknown[]) {
  return { object: 'list', url, has_more: false, data };
}

/** The body of an error answer. */
export function errorObject(
  type: string,
  message: string,
  more: { readonly code?: string; readonly param?: string } = {},
) {
  return { error: { type, message, doc_url: 'https://docs.stripe.com/error-codes', ...more } };
}
