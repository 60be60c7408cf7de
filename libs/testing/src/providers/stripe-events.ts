import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { checkoutObject, type FakeCheckout, type StripeAccount } from './stripe-account.js';
import {
  invoiceObject,
  MONTH_SECONDS,
  subscriptionObject,
  type FakeSubscription,
  type StripeObject,
} from './stripe-objects.js';

/** An event as it is sent. */
export interface FakeStripeEvent {
  readonly id: string;
  readonly type: string;
  readonly body: string;
}

/** Plays what people do on Stripe's pages: changes the account, and says what Stripe would send. */
export class StripeEvents {
  constructor(
    private readonly account: StripeAccount,
    /** Signs; `whsec_…`. */
    readonly secret: string,
  ) {}

  /** A checkout is paid. The order is one that was seen; none is promised. */
  pay(checkout: FakeCheckout): readonly FakeStripeEvent[] {
    const made = this.account.subscribe(checkout.customer, checkout.price);
    return [
      this.event('customer.subscription.created', subscriptionObject(made)),
      this.event('invoice.paid', this.invoice(made, 'paid')),
      this.event('checkout.session.completed', checkoutObject(checkout, 'complete')),
    ];
  }

  changePrice(subscription: FakeSubscription, price: string): readonly FakeStripeEvent[] {
    subscription.price = price;
    return [this.updated(subscription)];
  }

  cancelAtEnd(subscription: FakeSubscription): readonly FakeStripeEvent[] {
    subscription.cancelAtPeriodEnd = true;
    return [this.updated(subscription)];
  }

  /** It ends now. */
  end(subscription: FakeSubscription): readonly FakeStripeEvent[] {
    subscription.status = 'canceled';
    return [this.event('customer.subscription.deleted', subscriptionObject(subscription))];
  }

  renew(subscription: FakeSubscription): readonly FakeStripeEvent[] {
    subscription.periodStart = subscription.periodEnd;
    subscription.periodEnd += MONTH_SECONDS;
    subscription.status = 'active';
    return [
      this.updated(subscription),
      this.event('invoice.paid', this.invoice(subscription, 'paid')),
    ];
  }

  /** A payment fails; Stripe tries it again for a while. */
  failPayment(
    subscription: FakeSubscription,
    status: 'past_due' | 'unpaid',
  ): readonly FakeStripeEvent[] {
    subscription.status = status;
    const invoice = this.invoice(subscription, 'open');
    return [this.event('invoice.payment_failed', invoice), this.updated(subscription)];
  }

  event(type: string, object: StripeObject): FakeStripeEvent {
    const id = this.account.newId('evt');
    const created = Math.floor(Date.now() / 1_000);
    const whole = { id, object: 'event', type, created, livemode: false, data: { object } };
    return { id, type, body: JSON.stringify(whole, null, 2) };
  }

  /** By the real SDK. @param ageSeconds how long ago it was signed */
  sign(body: string, { ageSeconds = 0, secret = this.secret } = {}): string {
    const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
    // Loaded here: it is large, and few of those who use this library sign anything.
    const { webhooks } = createRequire(import.meta.url)('stripe') as typeof Stripe;
    return webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  }

  /** Sends it as Stripe does; returns the status. */
  async send(
    url: string,
    { body }: Pick<FakeStripeEvent, 'body'>,
    signature = this.sign(body),
  ): Promise<number> {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': signature,
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    };
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  private updated(subscription: FakeSubscription): FakeStripeEvent {
    return this.event('customer.subscription.updated', subscriptionObject(subscription));
  }

  private invoice(subscription: FakeSubscription, status: string): StripeObject {
    return invoiceObject(this.account.newId('in'), subscription, status);
  }
}
