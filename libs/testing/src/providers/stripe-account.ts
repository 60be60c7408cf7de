import { randomUUID } from 'node:crypto';
import { formText, type FormFields } from './form-body.js';
import {
  errorObject,
  listObject,
  MONTH_SECONDS,
  priceObject,
  subscriptionObject,
  type FakeSubscription,
  type StripeObject,
} from './stripe-objects.js';

/** An answer of the API. */
export interface StripeAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface FakeCheckout {
  readonly id: string;
  readonly url: string;
  readonly customer: string;
  readonly price: string;
  readonly tenantId: string;
  readonly successUrl: string;
  readonly cancelUrl: string;
}

export interface FakePortalSession {
  readonly url: string;
  readonly customer: string;
  readonly returnUrl: string | undefined;
  /** Of a change of plan: the price it leads to. */
  readonly newPrice: string | undefined;
}

/** What an account holds, and the requests that read and change it. */
export class StripeAccount {
  readonly customers = new Map<string, { readonly tenantId: string; isDeleted: boolean }>();
  readonly checkouts: FakeCheckout[] = [];
  readonly portals: FakePortalSession[] = [];
  readonly subscriptions = new Map<string, FakeSubscription>();

  constructor(readonly prices: ReadonlySet<string>) {}

  /** Like every object, named for what it is. */
  newId(prefix: string): string {
    return `${prefix}_${randomUUID().replaceAll('-', '')}`;
  }

  post(path: string, form: FormFields): StripeAnswer {
    switch (path) {
      case '/v1/customers':
        return this.createCustomer(form);
      case '/v1/checkout/sessions':
        return this.createCheckout(form);
      case '/v1/billing_portal/sessions':
        return this.createPortal(form);
      default:
        return unknownPath('POST', path);
    }
  }

  get(path: string, query: URLSearchParams): StripeAnswer {
    const [, kind, id = ''] = /^\/v1\/(customers|subscriptions|prices)\/(\w+)$/.exec(path) ?? [];
    if (path === '/v1/subscriptions') return this.listSubscriptions(query);
    if (kind === 'subscriptions') return this.found('subscription', this.subscriptions.get(id), id);
    if (kind === 'prices' && this.prices.has(id)) return { status: 200, body: priceObject(id) };
    if (kind === 'customers' && this.customers.has(id)) return { status: 200, body: customer(id) };
    return kind === undefined ? unknownPath('GET', path) : missing(kind.slice(0, -1), id, 'id');
  }

  /** A customer that pays for a price from now on. */
  subscribe(customerId: string, price: string): FakeSubscription {
    const periodStart = Math.floor(Date.now() / 1_000);
    const made: FakeSubscription = {
      ...{ id: this.newId('sub'), itemId: this.newId('si'), customer: customerId, price },
      ...{ status: 'active', cancelAtPeriodEnd: false },
      ...{ periodStart, periodEnd: periodStart + MONTH_SECONDS },
    };
    this.subscriptions.set(made.id, made);
    return made;
  }

  private createCustomer(form: FormFields): StripeAnswer {
    const id = this.newId('cus');
    this.customers.set(id, {
      tenantId: formText(form, 'metadata', 'tenant_id') ?? '',
      isDeleted: false,
    });
    return { status: 200, body: customer(id) };
  }

  private createCheckout(form: FormFields): StripeAnswer {
    const price = formText(form, 'line_items', 0, 'price') ?? '';
    const refusal =
      this.refusedCustomer(formText(form, 'customer')) ??
      this.refusedPrice(price, 'line_items[0][price]') ??
      ['mode', 'success_url', 'cancel_url'].map((name) => required(form, name)).find(Boolean);
    if (refusal) return refusal;
    const id = this.newId('cs_test');
    const made = {
      ...{ id, url: `https://checkout.stripe.test/c/pay/${id}`, price },
      customer: formText(form, 'customer') ?? '',
      tenantId: formText(form, 'client_reference_id') ?? '',
      successUrl: formText(form, 'success_url') ?? '',
      cancelUrl: formText(form, 'cancel_url') ?? '',
    };
    this.checkouts.push(made);
    return { status: 200, body: checkoutObject(made, 'open') };
  }

  private createPortal(form: FormFields): StripeAnswer {
    const flow = ['flow_data', 'subscription_update_confirm'] as const;
    const newPrice = formText(form, ...flow, 'items', 0, 'price');
    const subscription = formText(form, ...flow, 'subscription');
    const refusal =
      this.refusedCustomer(formText(form, 'customer')) ??
      (newPrice === undefined ? null : this.refusedPrice(newPrice, 'price')) ??
      (subscription === undefined || this.subscriptions.has(subscription)
        ? null
        : missing('subscription', subscription, 'subscription'));
    if (refusal) return refusal;
    const id = this.newId('bps');
    const made = {
      url: `https://billing.stripe.test/p/session/${id}`,
      customer: formText(form, 'customer') ?? '',
      returnUrl: formText(form, 'return_url'),
      newPrice,
    };
    this.portals.push(made);
    return { status: 200, body: { id, object: 'billing_portal.session', url: made.url } };
  }

  private listSubscriptions(query: URLSearchParams): StripeAnswer {
    const of = query.get('customer') ?? '';
    if (!this.customers.has(of)) return missing('customer', of, 'customer');
    const wanted = [...this.subscriptions.values()]
      .filter(({ customer: one, status }) => one === of && status !== 'canceled')
      .reverse()
      .slice(0, Number(query.get('limit') ?? 10));
    return { status: 200, body: listObject('/v1/subscriptions', wanted.map(subscriptionObject)) };
  }

  private found(kind: string, one: FakeSubscription | undefined, id: string): StripeAnswer {
    return one ? { status: 200, body: subscriptionObject(one) } : missing(kind, id, 'id');
  }

  private refusedCustomer(id: string | undefined): StripeAnswer | null {
    if (id === undefined) return parameterMissing('customer');
    const known = this.customers.get(id);
    return known && !known.isDeleted ? null : missing('customer', id, 'customer');
  }

  private refusedPrice(id: string, param: string): StripeAnswer | null {
    return this.prices.has(id) ? null : missing('price', id, param);
  }
}

export function checkoutObject(one: FakeCheckout, status: string): StripeObject {
  const { id, url, customer: of, tenantId } = one;
  return {
    ...{ id, object: 'checkout.session', mode: 'subscription', status, url, customer: of },
    client_reference_id: tenantId,
    payment_status: status === 'complete' ? 'paid' : 'unpaid',
  };
}

function customer(id: string): StripeObject {
  return { id, object: 'customer', email: null, metadata: {} };
}

function required(form: FormFields, name: string): StripeAnswer | null {
  return formText(form, name) === undefined ? parameterMissing(name) : null;
}

function parameterMissing(param: string): StripeAnswer {
  const more = { code: 'parameter_missing', param };
  return refused(400, `Missing required param: ${param}.`, more);
}

function missing(kind: string, id: string, param: string): StripeAnswer {
  const status = param === 'id' ? 404 : 400;
  return refused(status, `No such ${kind}: '${id}'`, { code: 'resource_missing', param });
}

function unknownPath(method: string, path: string): StripeAnswer {
  return refused(404, `Unrecognized request URL (${method}: ${path}).`);
}

function refused(status: number, message: string, more = {}): StripeAnswer {
  return { status, body: errorObject('invalid_request_error', message, more) };
}
