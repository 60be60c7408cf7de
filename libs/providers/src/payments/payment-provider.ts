import type { PaymentEvent } from './payment-event.js';

/** One price of a subscription. */
export interface SubscriptionItem {
  readonly id: string;
  readonly priceId: string;
  /** What is paid for now; null where the provider does not say. */
  readonly periodStart: Date | null;
  readonly periodEnd: Date | null;
}

/** A subscription as the provider has it at the moment of reading. */
export interface Subscription {
  readonly id: string;
  /** The provider's word, for logs and records. */
  readonly state: string;
  /** Whether what it pays for is to be served. */
  readonly isLive: boolean;
  /** It lives, but its last payment failed and is tried again. */
  readonly isOverdue: boolean;
  readonly items: readonly SubscriptionItem[];
  /** When it ends by itself; null: it renews. */
  readonly endsAt: Date | null;
}

/** Two requests with the same key have one effect, also when the first one's answer was lost. */
interface Once {
  readonly idempotencyKey: string;
}

export interface CustomerRequest extends Once {
  readonly tenantId: string;
}

export interface CheckoutRequest extends Once {
  readonly tenantId: string;
  readonly customerId: string;
  readonly priceId: string;
  /** Where the browser goes when it is paid. */
  readonly successUrl: string;
  /** Where it goes when it is not. */
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
  /** Where the page's way back leads. */
  readonly returnUrl: string;
}

/**
 * Who takes the money. Its state is the truth of who pays for what: events only say that it is time to
 * read it again. Every method but `parseEvent` talks to the provider and rejects with
 * {@link PaymentProviderError}.
 */
export interface PaymentProvider {
  /** Last part of the path its events come to, and the name it is recorded under. */
  readonly name: string;
  /** Returns the id of a new customer. */
  createCustomer(request: CustomerRequest): Promise<string>;
  /** Address of a page where a first subscription is paid. */
  openCheckout(request: CheckoutRequest): Promise<string>;
  /** Address of a page where a subscription that lives is changed to another price. */
  openPlanChange(request: PlanChangeRequest): Promise<string>;
  /** Address of the customer's own page: cards, invoices, cancelling. */
  openPortal(request: PortalRequest): Promise<string>;
  /** Those that are not over, newest first. A customer that was deleted has none. */
  readSubscriptions(customerId: string): Promise<readonly Subscription[]>;
  /**
   * Reads an event from the bytes as they came; null when it is about nothing that is handled here.
   * @param signature the header that signs it
   * @throws PaymentEventError when it was not signed by the provider, or not within its tolerance
   */
  parseEvent(rawBody: string | Uint8Array, signature: string | undefined): PaymentEvent | null;
}
