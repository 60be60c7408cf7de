import type { Subscription, SubscriptionItem } from './payment-provider.js';

/** While a payment fails, Stripe retries it; after the last retry it ends the subscription. */
const OVERDUE = 'past_due';
const LIVE_STATES: ReadonlySet<string> = new Set(['active', 'trialing', OVERDUE]);

/** Parses the API's list of subscriptions. @throws PaymentProviderError if it is invalid */
export function readSubscriptionList(list: unknown): readonly Subscription[] {
  return elementsOf(list).map(toSubscription);
}

function toSubscription(value: unknown): Subscription {
  const { id, status, items, cancel_at: cancelAt } = fieldsOf(value);
  const read = elementsOf(items).map(toItem);
  const state = textOf(status);
  const endsAt = dateOf(cancelAt) ?? (endsWithPeriod(value) ? latestEnd(read) : null);
  const isLive = LIVE_STATES.has(state);
  return { id: textOf(id), state, isLive, isOverdue: state === OVERDUE, items: read, endsAt };
}

function toItem(value: unknown): SubscriptionItem {
  const { id, price, current_period_start: start, current_period_end: end } = fieldsOf(value);
  return {
    id: textOf(id),
    priceId: textOf(fieldsOf(price)['id']),
    periodStart: dateOf(start),
    periodEnd: dateOf(end),
  };
}

function endsWithPeriod(subscription: unknown): boolean {
  return fieldsOf(subscription)['cancel_at_period_end'] === true;
}

function latestEnd(items: readonly SubscriptionItem[]): Date | null {
  const ends = items.flatMap(({ periodEnd }) => periodEnd ?? []);
  return ends.reduce<Date | null>((last, one) => (last && last >= one ? last : one), null);
}

function elementsOf(list: unknown): readonly unknown[] {
  const { data } = fieldsOf(list);
  if (!Array.isArray(data)) throw unreadable();
  return data;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value as Readonly<Record<string, unknown>>;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw unreadable();
  return value;
}

/** Stripe's times are whole seconds. */
function dateOf(value: unknown): Date | null {
  return typeof value === 'number' && Number.isFinite(value) ? new Date(value * 1_000) : null;
}

function unreadable(): PaymentProviderError {
  return new PaymentProviderError('unreadable', 'Stripe returned an unexpected response');
}

/**
 * `unreachable`: no response, the effect is unknown. `unreadable`: a response without a result, the effect is
 * unknown. `busy`: too many requests. `conflict`: another request with the same key is running. `failed`: the
 * provider reports a failure. `refused`: the provider will never do this. `customer_gone`: the customer no
 * longer exists.
 */
export type PaymentFailure =
  'unreachable' | 'unreadable' | 'busy' | 'conflict' | 'failed' | 'refused' | 'customer_gone';

/** A request to the provider that had no effect. The message is for logs: it never contains the key. */
export class PaymentProviderError extends Error {
  constructor(
    readonly failure: PaymentFailure,
    message: string,
  ) {
    super(message);
    this.name = 'PaymentProviderError';
  }
}
