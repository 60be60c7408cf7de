import type { PaymentEvent } from './payment-event.js';

/** One price of a subscription. */
export interface SubscriptionItem {
  readonly id: string;
  readonly priceId: string;
  /** The paid period; null if the provider does not report it. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
}

/** A subscription in its current state at the provider. */
export interface Subscription {
  readonly id: string;
  /** The provider's status, for logs and records. */
  readonly state: string;
  /** Whether the tenant gets the service it pays for. */
  readonly isLive: boolean;
  /** It is active, but its last payment failed and is retried. */
  readonly isOverdue: boolean;
  readonly items: readonly SubscriptionItem[];
  /** When it ends by itself; null: it renews. */
  readonly endsAt: Date | null;
}

/** Two requests with the same key have one effect, even if the response to the first was lost. */
interface Once {
  readonly idempotencyKey: string;
}

export interface CustomerRequest extends Once {
  readonly tenantId: string;
}

export interface CheckoutSessionRequest extends Once {
  readonly tenantId: string;
  readonly customerId: string;
  readonly priceId: string;
  /** The browser's target after the payment. */
  readonly successUrl: string;
  /** The browser's target if the payment is cancelled. */
  readonly cancelUrl: string;
}

export interface PlanChangeRequest extends Once {
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly itemId: string;
  readonly priceId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface PortalRequest {
  readonly customerId: string;
  /** Target of the page's way back. */
  readonly returnUrl: string;
}

/**
 * The payment provider. Its state decides who pays for what: events only trigger another read. Every method
 * except `parseEvent` sends requests to the provider and rejects with {@link PaymentProviderError}.
 */
export interface PaymentProvider {
  /** Last part of the path that receives its events, and its name in records. */
  readonly name: string;
  /** Returns the id of a new customer. */
  createCustomer(request: CustomerRequest): Promise<string>;
  /** URL of a page to pay for the first subscription. */
  openCheckout(request: CheckoutSessionRequest): Promise<string>;
  /** URL of a page to change an active subscription to another price. */
  openPlanChange(request: PlanChangeRequest): Promise<string>;
  /** URL of the customer's own page: cards, invoices, cancelling. */
  openPortal(request: PortalRequest): Promise<string>;
  /** Those that have not ended, newest first. A deleted customer has none. */
  readSubscriptions(customerId: string): Promise<readonly Subscription[]>;
  /**
   * Parses an event from the received bytes; null if it concerns nothing that is handled here.
   * @param signature the header that signs it
   * @throws PaymentEventError if the provider did not sign it, or not within the tolerance
   */
  parseEvent(rawBody: string | Uint8Array, signature: string | undefined): PaymentEvent | null;
}
