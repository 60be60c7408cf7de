import { createTenant, createApiKey } from '@app/accounts';
import type { Plan } from '@app/contracts';
import {
  startFakeStripe,
  StripeEvents,
  TrawlClient,
  until,
  type Answer,
  type FakeCheckout,
  type FakeStripe,
  type FakeStripeEvent,
  type FakeSubscription,
} from '@app/testing';
import type { Service } from './deployment.js';

const WEBHOOK_SECRET = 'whsec_system_test';

export const ORIGIN = 'https://app.example.com';

/** What a tenant sends to buy a plan. */
export function order(plan: string) {
  return { plan, successUrl: `${ORIGIN}/paid`, cancelUrl: `${ORIGIN}/plans` };
}

/** A tenant with a client of its own. */
export interface Buyer {
  readonly id: string;
  readonly key: string;
  readonly client: TrawlClient;
}

/** A service that sells plans, and the provider it sells them by. */
export class BillingRun<S extends Service = Service> {
  private constructor(
    readonly service: S,
    readonly stripe: FakeStripe,
    readonly events: StripeEvents,
  ) {}

  static async start<S extends Service>(
    open: (settings: Service['env']) => Promise<S>,
  ): Promise<BillingRun<S>> {
    const stripe = await startFakeStripe({ path: '/gate' });
    const events = new StripeEvents(stripe.account, WEBHOOK_SECRET);
    const settings = {
      STRIPE_SECRET_KEY: stripe.key,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_PRICES: 'hobby:price_hobby,pro:price_pro,scale:price_scale',
      STRIPE_API_URL: stripe.baseUrl,
      BILLING_REDIRECT_ORIGINS: `${ORIGIN},http://localhost:8080`,
    };
    try {
      return new BillingRun(await open(settings), stripe, events);
    } catch (error) {
      await stripe.close();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.stripe.close();
  }

  get eventsUrl(): string {
    return new URL('/webhooks/stripe', this.service.url).href;
  }

  async buyer(plan: Plan = 'free'): Promise<Buyer> {
    const { database, url } = this.service;
    const { id } = await createTenant(database, 'buyer', plan);
    const key = await createApiKey(database, id, 'buyer');
    return { id, key, client: new TrawlClient(url, key) };
  }

  checkout({ client }: Buyer, body: unknown): Promise<Answer> {
    return client.call('POST', '/v1/billing/checkout', body);
  }

  portal({ client }: Buyer): Promise<Answer> {
    return client.call('GET', '/v1/billing/portal');
  }

  /** Asks for a plan; returns the checkout that the provider received. */
  async opened(buyer: Buyer, plan: string): Promise<FakeCheckout> {
    const answer = await this.checkout(buyer, order(plan));
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('"url"')]);
    const { url } = answer.body as { url: string };
    const opened = this.stripe.account.checkouts.find((one) => one.url === url);
    if (!opened) throw new Error(`no checkout at ${url}`);
    return opened;
  }

  /** Each is answered with this status, in this order. */
  async send(events: readonly FakeStripeEvent[], status = 200): Promise<void> {
    for (const event of events) expect(await this.events.send(this.eventsUrl, event)).toBe(status);
  }

  /** Buys a plan, all the way. */
  async subscribe(buyer: Buyer, plan: 'hobby' | 'pro' | 'scale'): Promise<FakeSubscription> {
    const { customer, ...rest } = await this.opened(buyer, plan);
    await this.send(this.events.pay({ customer, ...rest }));
    await this.onPlan(buyer, plan);
    return this.subscriptionOf(customer);
  }

  subscriptionOf(customer: string): FakeSubscription {
    const mine = [...this.stripe.account.subscriptions.values()].filter(
      (one) => one.customer === customer,
    );
    const [one] = mine;
    if (!one || mine.length > 1) throw new Error(`${mine.length} subscriptions of ${customer}`);
    return one;
  }

  onPlan(buyer: Buyer, plan: Plan, timeoutMs = 60_000): Promise<unknown> {
    return until(async () => (await this.planOf(buyer)) === plan, {
      what: `the tenant on ${plan}`,
      timeoutMs,
    });
  }

  async planOf({ id }: Buyer): Promise<string> {
    const text = 'SELECT plan FROM tenants WHERE id = $1';
    const [row] = await this.service.database.query<{ plan: string }>({ name: 'run_plan', text }, [
      id,
    ]);
    return row?.plan ?? 'none';
  }

  /** How often the plan was changed by payments. */
  async changesOf({ id }: Buyer): Promise<readonly string[]> {
    const text = `SELECT details->>'to' AS "to" FROM admin_acts
                  WHERE tenant_id = $1 AND act = 'plan.follow' ORDER BY id`;
    const rows = await this.service.database.query<{ to: string }>({ name: 'run_changes', text }, [
      id,
    ]);
    return rows.map(({ to }) => to);
  }

  async eventRows(ids: readonly string[]): Promise<readonly EventRow[]> {
    return this.service.database.query<EventRow>(
      {
        name: 'run_events',
        text: 'SELECT id, state, attempts, error FROM payment_events WHERE id = ANY($1) ORDER BY id',
      },
      [ids],
    );
  }

  /** All of them are past their application. */
  async settled(
    events: readonly FakeStripeEvent[],
    timeoutMs = 60_000,
  ): Promise<readonly EventRow[]> {
    const ids = events.map(({ id }) => id);
    return until(
      async () => {
        const rows = await this.eventRows(ids);
        return rows.some(({ state }) => state === 'pending') ? null : rows;
      },
      { what: 'events to be applied', timeoutMs },
    );
  }
}

export interface EventRow extends Record<string, unknown> {
  readonly id: string;
  readonly state: string;
  readonly attempts: number;
  readonly error: string | null;
}
