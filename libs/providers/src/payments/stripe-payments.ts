import type Stripe from 'stripe';
import { Deadline } from '@app/contracts';
import { HttpFetchError, type HttpClient, type HttpMethod, type HttpResponse } from '@app/egress';
import type { PaymentEvent } from './payment-event.js';
import {
  PaymentProviderError,
  type PaymentFailure,
  readSubscriptionList,
} from './stripe-subscription.js';
import type {
  CheckoutSessionRequest,
  CustomerRequest,
  PaymentProvider,
  PlanChangeRequest,
  PortalRequest,
  Subscription,
} from './payment-provider.js';
import { readStripeEvent, stripeSdk } from './stripe-event.js';

export interface StripePaymentsOptions {
  readonly secretKey: string;
  /** Verifies the events; `whsec_…`. */
  readonly webhookSecret: string;
  /** Address of the API; `/v1/…` is added to its path. */
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
    this.transport = new StripeHttp(options.http, options.url);
    this.#secretKey = options.secretKey;
    this.#webhookSecret = options.webhookSecret;
    const Sdk = stripeSdk();
    this.#stripe = new Sdk(options.secretKey, {
      httpClient: this.transport,
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

/** The error for an error of the SDK. Its text is kept only if it is about the request. */
function toProviderError(error: unknown, secretKey: string): PaymentProviderError {
  if (error instanceof PaymentProviderError) return error;
  const { StripeConnectionError, StripeError } = stripeSdk().errors;
  if (error instanceof StripeConnectionError) {
    return new PaymentProviderError('unreachable', 'Stripe did not respond');
  }
  if (!(error instanceof StripeError) || error.statusCode === undefined) {
    return new PaymentProviderError('unreadable', 'Stripe returned an unexpected response');
  }
  return new PaymentProviderError(failureOf(error), describe(error).replaceAll(secretKey, '[key]'));
}

function failureOf(error: Stripe.errors.StripeError): PaymentFailure {
  const { statusCode = 0, code, param } = error;
  if (statusCode === 429) return 'busy';
  if (statusCode === 409) return 'conflict';
  if (statusCode >= 500) return 'failed';
  return code === 'resource_missing' && param === 'customer' ? 'customer_gone' : 'refused';
}

/** The text about a refused key is dropped: it contains parts of the key. */
function describe(error: Stripe.errors.StripeError): string {
  const { statusCode, code, param, requestId, message } = error;
  const isAboutRequest = error instanceof stripeSdk().errors.StripeInvalidRequestError;
  const facts = [
    `Stripe answered ${statusCode}`,
    ...(code === undefined ? [] : [`code ${code}`]),
    ...(param === undefined ? [] : [`of ${param}`]),
    ...(requestId === undefined ? [] : [`request ${requestId}`]),
    ...(isAboutRequest ? [message.slice(0, 500)] : []),
  ];
  return facts.join(', ');
}

/** A client whose guard admits only the provider's API. */
type PaymentsHttp = Pick<HttpClient, 'fetch'>;

/** A hundred subscriptions with all details are well under a megabyte. */
const MAX_ANSWER_BYTES = 4_194_304;

/**
 * Headers that the HTTP client sets, or that describe this machine: the SDK sends its system, runtime and tools.
 * Names in lower case.
 */
const WITHHELD: ReadonlySet<string> = new Set([
  'content-length',
  'user-agent',
  'x-stripe-client-user-agent',
  'x-stripe-client-telemetry',
]);

const METHODS: Readonly<Record<string, HttpMethod>> = {
  GET: 'GET',
  POST: 'POST',
  DELETE: 'DELETE',
};

type RequestArguments = Parameters<Stripe.HttpClient['makeRequest']>;

/** Sends the SDK's requests: through the egress guard, with a limit on bytes and without redirects. */
class StripeHttp implements Stripe.HttpClient {
  private readonly closing = new AbortController();

  private readonly base: string;

  constructor(
    private readonly http: PaymentsHttp,
    url: string,
  ) {
    const { origin, pathname } = new URL(url);
    this.base = `${origin}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  }

  getClientName(): string {
    return 'trawl';
  }

  /** Aborts running requests; later ones fail at once. */
  close(): void {
    this.closing.abort(new Error('closing'));
  }

  async makeRequest(...request: RequestArguments): Promise<Stripe.HttpClientResponse> {
    // Host, port and protocol are those of the SDK, which knows no path before its own.
    const [, , path, method, headers, body, , timeoutMs] = request;
    try {
      const response = await this.http.fetch({
        url: `${this.base}${path}`,
        method: METHODS[method] ?? 'GET',
        headers: forwarded(headers),
        ...(body === '' ? {} : { body }),
        deadline: Deadline.after(timeoutMs),
        signal: this.closing.signal,
        maxBytes: MAX_ANSWER_BYTES,
        maxRedirects: 0,
      });
      return toResponse(response);
    } catch (error) {
      const isTimeout = error instanceof HttpFetchError && error.errorClass === 'timeout';
      // The SDK recognises a timeout by its own error; any other counts as a connection error.
      throw isTimeout ? stripeSdk().HttpClient.makeTimeoutError() : error;
    }
  }
}

function forwarded(headers: RequestArguments[4]): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !WITHHELD.has(name.toLowerCase()));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function toResponse(response: HttpResponse): Stripe.HttpClientResponse {
  // The SDK stores its own data here.
  const raw = {};
  return {
    getStatusCode: () => response.status,
    getHeaders: () => ({ ...response.headers }),
    getRawResponse: () => raw,
    toStream: () => {
      throw new Error('responses are not streamed');
    },
    toJSON: async () => parseBody(response),
  };
}

function parseBody({ body, truncated }: HttpResponse): unknown {
  if (truncated) {
    throw stripeSdk().HttpClient.makeResponseBodyError(new Error('the response is truncated'));
  }
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
}
