import { Injectable } from '@nestjs/common';
import { ApiError, type ApiErrorCode } from '@app/contracts';
import { PaymentProviderError } from '@app/providers';
import type { Runtime } from '@app/runtime';
import {
  findBillingAccount,
  BillingCustomers,
  paidPlanOf,
  paymentError,
  type Customer,
  type Payments,
} from '@app/billing';
import type { Tenant } from '@app/accounts';
import { parseOrigins, soldPlanNamed, type SoldPlan } from '@app/config';
import { InjectRuntime } from '../../runtime.token.js';
import { BillingPayments } from './billing-payments.js';
import type { HostedPage } from './billing.dto.js';
import { MAX_REQUEST_URL_CHARS } from '../../http/fields.js';
import { invalidRequest } from '../../http/invalid-request.js';

/** Characters of an unknown plan that the error quotes. */
const MAX_QUOTED_CHARS = 100;
/** Stripe replaces this by the id of the session; a URL's path would escape it. */
const SESSION_PLACE = '{CHECKOUT_SESSION_ID}';

interface WantedCheckout {
  readonly plan: SoldPlan;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

interface CheckoutFields {
  readonly plan?: unknown;
  readonly successUrl?: unknown;
  readonly cancelUrl?: unknown;
}

/** Allowed redirects of a checkout. */
interface CheckoutReturns {
  /** BILLING_REDIRECT_ORIGINS; empty: any. */
  readonly redirectOrigins: string;
  /** Our own pages also sell plans: they are always allowed. */
  readonly publicUrl: string;
}

/**
 * Checks in the specification's order: missing fields, then the redirect URLs, then the plan (Endpoints,
 * Billing). @throws ApiError
 */
export function parseCheckout(
  body: CheckoutFields,
  { redirectOrigins, publicUrl }: CheckoutReturns,
): WantedCheckout {
  const name = requiredText(body, 'plan', 'plan_required');
  const success = requiredText(body, 'successUrl', 'success_url_required');
  const cancel = requiredText(body, 'cancelUrl', 'cancel_url_required');
  const named = parseOrigins(redirectOrigins);
  const origins = named.length === 0 ? [] : [...named, new URL(publicUrl).origin];
  const successUrl = redirectUrl(success, origins);
  const cancelUrl = redirectUrl(cancel, origins);
  const plan = soldPlanNamed(name);
  if (plan === null) throw new ApiError('unknown_plan', { plan: name.slice(0, MAX_QUOTED_CHARS) });
  return { plan, successUrl, cancelUrl };
}

function requiredText(
  body: CheckoutFields,
  name: keyof CheckoutFields,
  code: ApiErrorCode,
): string {
  const value = body[name];
  if (value === undefined || value === null || value === '') throw new ApiError(code);
  if (typeof value !== 'string') throw invalidRequest(`\`${name}\` must be a string`);
  return value;
}

/** Serialized from the parsed URL, so that another parser cannot read a different target. */
function redirectUrl(text: string, origins: readonly string[]): string {
  const url = text.length <= MAX_REQUEST_URL_CHARS && URL.canParse(text) ? new URL(text) : null;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isHttp || url.username !== '' || url.password !== '') {
    throw new ApiError('redirect_not_allowed');
  }
  if (origins.length > 0 && !origins.includes(url.origin)) {
    throw new ApiError('redirect_not_allowed');
  }
  return url.href.replaceAll(encodeURIComponent(SESSION_PLACE), SESSION_PLACE);
}

/** A valid checkout request for a plan that has a price. */
interface Order extends WantedCheckout {
  readonly priceId: string;
  /** The same for every attempt of one request. */
  readonly chargeId: string;
}

/** Redirects a tenant to the payment provider's pages. Payments there come back as events. */
@Injectable()
export class BillingService {
  private readonly customers: BillingCustomers;

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'publicUrl'>,
    private readonly payments: BillingPayments,
  ) {
    this.customers = new BillingCustomers(runtime.database);
  }

  /** @throws ApiError */
  async checkout(body: object, tenant: Tenant, chargeId: string): Promise<HostedPage> {
    const { settings, publicUrl } = this.runtime;
    const redirectOrigins = settings.billingRedirectOrigins;
    const wanted = parseCheckout(body, { redirectOrigins, publicUrl });
    const payments = this.payments.require();
    const priceId = payments.prices.find(({ plan }) => plan === wanted.plan)?.priceId;
    if (priceId === undefined) throw notSold(wanted.plan);
    const { customers } = this;
    return this.withPaymentErrors(tenant, async () => {
      const customer = await customers.ensure(payments.provider, tenant.id);
      const order = { ...wanted, priceId, chargeId };
      try {
        return await this.openPage(payments, order, customer);
      } catch (error) {
        if (!isCustomerGone(error)) throw error;
        await customers.forget(customer);
        return this.openPage(payments, order, await customers.ensure(payments.provider, tenant.id));
      }
    });
  }

  /** @throws ApiError */
  async portal(tenant: Tenant): Promise<HostedPage> {
    const { provider } = this.payments.require();
    const account = await findBillingAccount(this.runtime.database, tenant.id);
    const customerId = account?.customerId ?? null;
    if (customerId === null) throw new ApiError('no_billing_account');
    // An own page first: a browser sends no session cookie to a page that another site links to.
    const returnUrl = `${this.runtime.publicUrl}/dashboard/return/overview`;
    return this.withPaymentErrors(tenant, async () => {
      try {
        return { url: await provider.openPortal({ customerId, returnUrl }) };
      } catch (error) {
        throw isCustomerGone(error) ? new ApiError('no_billing_account') : error;
      }
    });
  }

  /** A paying account changes the plan of its subscription: a second subscription would be paid beside it. */
  private async openPage(
    { provider, prices }: Payments,
    order: Order,
    { tenantId, customerId, isNew }: Customer,
  ): Promise<HostedPage> {
    const { priceId, successUrl, cancelUrl, chargeId } = order;
    const subscriptions = isNew ? [] : await provider.readSubscriptions(customerId);
    const paid = paidPlanOf(subscriptions, prices);
    if (paid?.plan === order.plan) {
      return { url: await provider.openPortal({ customerId, returnUrl: cancelUrl }) };
    }
    const page = { customerId, priceId, successUrl, cancelUrl };
    if (paid === null) {
      const idempotencyKey = `checkout-${chargeId}-${customerId}`;
      return { url: await provider.openCheckout({ ...page, tenantId, idempotencyKey }) };
    }
    return {
      url: await provider.openPlanChange({
        ...page,
        subscriptionId: paid.subscription.id,
        itemId: paid.item.id,
        idempotencyKey: `change-${chargeId}-${customerId}`,
      }),
    };
  }

  private async withPaymentErrors<T>(tenant: Tenant, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PaymentProviderError) {
        this.runtime.log.warn({ err: error, tenantId: tenant.id }, 'the payment provider failed');
      }
      throw paymentError(error);
    }
  }
}

function isCustomerGone(error: unknown): boolean {
  return error instanceof PaymentProviderError && error.failure === 'customer_gone';
}

function notSold(plan: string): ApiError {
  return new ApiError('billing_unavailable', { settings: `STRIPE_PRICES with a price of ${plan}` });
}
