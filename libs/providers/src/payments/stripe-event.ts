import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { PaymentEventError, type PaymentEvent } from './payment-event.js';

/** Older signatures may have been intercepted. Stripe signs each delivery anew. */
export const EVENT_TOLERANCE_SECONDS = 300;

/** Each of them triggers a read of the customer's subscriptions. */
export const STRIPE_EVENT_TYPES: ReadonlySet<string> = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
]);

const MAX_ID_CHARS = 255;

/** @throws PaymentEventError */
export function readStripeEvent(
  rawBody: string | Uint8Array,
  signature: string | undefined,
  secret: string,
): PaymentEvent | null {
  if (signature === undefined || signature === '') {
    throw new PaymentEventError('it has no `stripe-signature`');
  }
  return toEvent(verified(rawBody, signature, secret));
}

/** The SDK compares in constant time, and checks the time only of signed content. */
function verified(rawBody: string | Uint8Array, signature: string, secret: string): unknown {
  try {
    return stripeSdk().webhooks.constructEvent(rawBody, signature, secret, EVENT_TOLERANCE_SECONDS);
  } catch (error) {
    throw new PaymentEventError(problemOf(error));
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof stripeSdk().errors.StripeSignatureVerificationError))
    return 'it is not an event';
  return /tolerance/.test(error.message)
    ? `it was signed more than ${EVENT_TOLERANCE_SECONDS} seconds ago`
    : 'its signature does not match';
}

function toEvent(value: unknown): PaymentEvent | null {
  const { id, type, data } = fieldsOf(value);
  if (!isId(id) || typeof type !== 'string') throw new PaymentEventError('it is not an event');
  if (!STRIPE_EVENT_TYPES.has(type)) return null;
  const { customer } = fieldsOf(fieldsOf(data)['object']);
  // A checkout for something else may have no customer.
  const customerId = isId(customer) ? customer : fieldsOf(customer)['id'];
  return isId(customerId) ? { id, type, customerId } : null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^\w+$/.test(value) && value.length <= MAX_ID_CHARS;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

let loaded: typeof Stripe | undefined;

/** Stripe's SDK, loaded at first use: a process without billing saves its 35 MiB. */
export function stripeSdk(): typeof Stripe {
  loaded ??= createRequire(import.meta.url)('stripe') as typeof Stripe;
  return loaded;
}
