import type Stripe from 'stripe';
import type { PaymentEvent } from './payment-event.js';
import { PaymentProviderError } from './payment-provider-error.js';
import type {
  CheckoutSessionRequest,
  CustomerRequest,
  PaymentProvider,
  PlanChangeRequest,
  PortalRequest,
  Subscription,
} from './payment-provider.js';
import { toProviderError } from './stripe-error.js';
import { readStripeEvent } from './stripe-event.js';
import { StripeHttp, type PaymentsHttp } from './stripe-http.js';
import { stripeSdk } from './stripe-sdk.js';
import { readSubscriptionList } from './stripe-subscription.js';

export interface StripePaymentsOptions {
  readonly secretKey: string;
  /** Verifies the events; `whsec_…`. */
  readonly webhookSecret: string;
  /** Scheme, host and port of the API. */
  readonly url: string;
  /** From `EgressGuard.forEndpoint(url)`. */
  readonly http: PaymentsHttp;
  /** Of one attempt. @default 10_000 */
  readonly timeoutMs?: number;
  /** Retries, if they may help. @default 2 */
  readonly maxRetries?: number;
}

export const STRIPE_DEFAULT_TIMEOUT_MS = 10_000;
export const STRIPE_DEFAULT_RETRIES = 2;
/** More than a customer can get from this service. */
const MAX_SUBSCRIPTIONS = 100;

/** Stripe, through its SDK and the API version of that SDK. The SDK stays hidden in here. */
export class StripePayments implements PaymentProvider {
  readonly name = 'stripe';
  readonly #secretKey: string;
  readonly #webhookSecret: string;
  readonly #stripe: Stripe;
  private readonly transport: StripeHttp;

  constructor(options: StripePaymentsOptions) {
    const { hostname, port, protocol } = new URL(options.url);
    const isPlain = protocol === 'http:';
    this.transport = new StripeHttp(options.http);
    this.#secretKey = options.secretKey;
    this.#webhookSecret = options.webhookSecret;
    const Sdk = stripeSdk();
    this.#stripe = new Sdk(options.secretKey, {
      httpClient: this.transport,
      host: hostname,
      port: port === '' ? (isPlain ? 80 : 443) : Number(port),
      protocol: isPlain ? 'http' : 'https',
      timeout: options.timeoutMs ?? STRIPE_DEFAULT_TIMEOUT_MS,
      maxNetworkRetries: options.maxRetries ?? STRIPE_DEFAULT_RETRIES,
      telemetry: false,
    });
  }

  /** Aborts running requests. */
  close(): void {
    this.transport.close();
  }

  async createCustomer({ tenantId, idempotencyKey }: CustomerRequest): Promise<string> {
    const params = { metadata: { tenant_id: tenantId } };
    const made = await this.answered(this.#stripe.customers.create(params, { idempotencyKey }));
    return textOf(made, 'id');
  }

  async openCheckout(request: CheckoutSessionRequest): Promise<string> {
    const { tenantId, customerId, priceId, successUrl, cancelUrl, idempotencyKey } = request;
    const params: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: tenantId,
      line_items: [{ price: priceId, quantity: 1 }],
      success_url: successUrl,
      cancel_url: cancelUrl,
      subscription_data: { metadata: { tenant_id: tenantId } },
    };
    const made = await this.answered(
      this.#stripe.checkout.sessions.create(params, { idempotencyKey }),
    );
    return textOf(made, 'url');
  }

  async openPlanChange(request: PlanChangeRequest): Promise<string> {
    const { customerId, subscriptionId, itemId, priceId, idempotencyKey } = request;
    const params: Stripe.BillingPortal.SessionCreateParams = {
      customer: customerId,
      return_url: request.cancelUrl,
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: subscriptionId,
          items: [{ id: itemId, price: priceId, quantity: 1 }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: request.successUrl } },
      },
    };
    const { sessions } = this.#stripe.billingPortal;
    return textOf(await this.answered(sessions.create(params, { idempotencyKey })), 'url');
  }

  async openPortal({ customerId, returnUrl }: PortalRequest): Promise<string> {
    const params = { customer: customerId, return_url: returnUrl };
    return textOf(await this.answered(this.#stripe.billingPortal.sessions.create(params)), 'url');
  }

  async readSubscriptions(customerId: string): Promise<readonly Subscription[]> {
    try {
      // Without a status: all except cancelled ones.
      const params = { customer: customerId, limit: MAX_SUBSCRIPTIONS };
      return readSubscriptionList(await this.answered(this.#stripe.subscriptions.list(params)));
    } catch (error) {
      if (error instanceof PaymentProviderError && error.failure === 'customer_gone') return [];
      throw error;
    }
  }

  parseEvent(rawBody: string | Uint8Array, signature: string | undefined): PaymentEvent | null {
    return readStripeEvent(rawBody, signature, this.#webhookSecret);
  }

  /** @throws PaymentProviderError */
  private async answered(call: PromiseLike<unknown>): Promise<unknown> {
    try {
      return await call;
    } catch (error) {
      throw toProviderError(error, this.#secretKey);
    }
  }
}

function textOf(answer: unknown, field: string): string {
  const value = (answer as Readonly<Record<string, unknown>> | null)?.[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new PaymentProviderError('unreadable', 'Stripe returned an unexpected response');
}
