import { EgressGuard, HttpClient, type HttpRequest } from '@app/egress';
import {
  startFakeStripe,
  startLeakCheck,
  until,
  type FakeStripe,
  type LeakCheck,
} from '@app/testing';
import { PaymentProviderError } from './stripe-subscription.js';
import { StripePayments, type StripePaymentsOptions } from './stripe-payments.js';

const TENANT = '018f0000-0000-7000-8000-000000000001';

describe('Stripe as the payment provider', () => {
  let leaks: LeakCheck;
  let fake: FakeStripe;
  let http: HttpClient;
  let payments: StripePayments;

  beforeEach(async () => {
    leaks = startLeakCheck();
    fake = await startFakeStripe();
    open();
  });
  afterEach(async () => {
    payments.close();
    await http.close();
    await fake.close();
    await leaks.assertClean();
  });

  /** Waits long, so that a busy machine fails no case; those that wait for the limit shorten it. */
  function open(over: Partial<StripePaymentsOptions> = {}): void {
    const url = over.url ?? fake.baseUrl;
    const guard = EgressGuard.forEndpoint(url);
    http = new HttpClient({ guard, userAgent: 'spec', connectTimeoutMs: 60_000 });
    payments = new StripePayments({
      ...{ http, url, secretKey: fake.key, webhookSecret: 'whsec_spec' },
      ...{ timeoutMs: 30_000, maxRetries: 1 },
      ...over,
    });
  }

  async function reopen(over: Partial<StripePaymentsOptions>): Promise<void> {
    payments.close();
    await http.close();
    open(over);
  }

  const newCustomer = (idempotencyKey = 'one') =>
    payments.createCustomer({ tenantId: TENANT, idempotencyKey });

  async function failureOf(work: () => Promise<unknown>): Promise<string> {
    const error: unknown = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PaymentProviderError);
    const { failure, message, stack } = error as PaymentProviderError;
    expect(`${message} ${stack}`).not.toContain(fake.key);
    return failure;
  }

  it('makes a customer that knows its tenant', async () => {
    const id = await newCustomer();
    expect([...fake.account.customers]).toEqual([[id, { tenantId: TENANT, isDeleted: false }]]);
  });

  it.each(['', '/', '/gate/stripe', '/gate/stripe/'])(
    'keeps the path %j of its address',
    async (path) => {
      await reopen({ url: `${fake.baseUrl}${path}` });
      await newCustomer().catch(() => undefined);
      expect(fake.requests[0]?.path).toBe(`${path.replace(/\/$/, '')}/v1/customers`);
    },
  );

  it('says nothing about the machine it runs on', async () => {
    await newCustomer();
    const { headers = {} } = fake.requests[0] ?? {};
    expect(headers['user-agent']).toBe('spec');
    expect(Object.keys(headers).filter((name) => name.startsWith('x-stripe'))).toEqual([]);
    expect(headers).toMatchObject({
      'idempotency-key': 'one',
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': expect.stringMatching(/^\d{4}-\d\d-\d\d\./),
    });
  });

  it('makes one customer under one key, also when the first answer was lost', async () => {
    fake.nextModes.push('lost');
    const first = await newCustomer();
    expect(await newCustomer()).toBe(first);
    expect(fake.account.customers.size).toBe(1);
    expect(fake.requests).toHaveLength(3);
    expect(await newCustomer('two')).not.toBe(first);
  });

  it('waits for another request with the same key', async () => {
    let open = (): void => undefined;
    fake.gate = new Promise((resolve) => (open = resolve));
    const first = newCustomer();
    await until(() => fake.requests.length === 1);
    expect(await failureOf(() => newCustomer())).toBe('conflict');
    open();
    expect(await newCustomer()).toBe(await first);
  });

  it('opens a checkout for a price', async () => {
    const customerId = await newCustomer();
    const url = await payments.openCheckout({
      ...{ tenantId: TENANT, customerId, priceId: 'price_pro', idempotencyKey: 'c' },
      successUrl: 'https://app.example/ok?s={CHECKOUT_SESSION_ID}',
      cancelUrl: 'https://app.example/no',
    });
    expect(fake.account.checkouts).toEqual([
      {
        ...{ id: expect.any(String), url, customer: customerId, price: 'price_pro' },
        tenantId: TENANT,
        successUrl: 'https://app.example/ok?s={CHECKOUT_SESSION_ID}',
        cancelUrl: 'https://app.example/no',
      },
    ]);
  });

  it('opens the portal, and the page that changes a subscription', async () => {
    const customerId = await newCustomer();
    const returnUrl = 'https://app.example/';
    expect(await payments.openPortal({ customerId, returnUrl })).toMatch(/^https:/);
    const subscription = fake.account.subscribe(customerId, 'price_hobby');
    await payments.openPlanChange({
      ...{ customerId, subscriptionId: subscription.id, itemId: subscription.itemId },
      ...{ priceId: 'price_scale', successUrl: returnUrl, cancelUrl: returnUrl },
      idempotencyKey: 'p',
    });
    expect(fake.account.portals).toMatchObject([
      { customer: customerId, returnUrl, newPrice: undefined },
      { customer: customerId, returnUrl, newPrice: 'price_scale' },
    ]);
  });

  it('reads subscriptions as they are', async () => {
    const customerId = await newCustomer();
    expect(await payments.readSubscriptions(customerId)).toEqual([]);
    const old = fake.account.subscribe(customerId, 'price_hobby');
    old.status = 'canceled';
    const one = fake.account.subscribe(customerId, 'price_pro');
    one.cancelAtPeriodEnd = true;
    expect(await payments.readSubscriptions(customerId)).toEqual([
      {
        ...{ id: one.id, state: 'active', isLive: true, isOverdue: false },
        endsAt: new Date(one.periodEnd * 1_000),
        items: [
          {
            ...{ id: one.itemId, priceId: 'price_pro' },
            periodStart: new Date(one.periodStart * 1_000),
            periodEnd: new Date(one.periodEnd * 1_000),
          },
        ],
      },
    ]);
  });

  it.each([
    ['active', true],
    ['trialing', true],
    ['past_due', true],
    ['unpaid', false],
    ['incomplete', false],
    ['incomplete_expired', false],
    ['paused', false],
    ['some_new_word', false],
  ])('a subscription that is %s is live: %s', async (status, isLive) => {
    const customerId = await newCustomer();
    fake.account.subscribe(customerId, 'price_pro').status = status;
    const [read] = await payments.readSubscriptions(customerId);
    expect(read).toMatchObject({ state: status, isLive, isOverdue: status === 'past_due' });
  });

  it('reads nothing of a deleted customer, and cannot sell to it', async () => {
    expect(await payments.readSubscriptions('cus_gone')).toEqual([]);
    const urls = { successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' };
    const checkout = { tenantId: TENANT, customerId: 'cus_gone', priceId: 'price_pro', ...urls };
    const sell = () => payments.openCheckout({ ...checkout, idempotencyKey: 'c' });
    expect(await failureOf(sell)).toBe('customer_gone');
    const portal = { customerId: 'cus_gone', returnUrl: 'https://a.example/' };
    expect(await failureOf(() => payments.openPortal(portal))).toBe('customer_gone');
  });

  it('says which request a price was refused in', async () => {
    const customerId = await newCustomer();
    const urls = { successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' };
    const sell = payments.openCheckout({
      ...{ tenantId: TENANT, customerId, priceId: 'price_gone', idempotencyKey: 'c', ...urls },
    });
    await expect(sell).rejects.toThrow(
      /^Stripe answered 400, code resource_missing, of line_items\[0\]\[price\], request req_\w+, No such price: 'price_gone'$/,
    );
  });

  it.each([
    ['401', 'refused'],
    ['402', 'refused'],
    ['403', 'refused'],
    ['404', 'refused'],
    ['429', 'busy'],
    ['500', 'failed'],
    ['503', 'failed'],
    ['redirect', 'unreadable'],
    ['hang', 'unreachable'],
    ['hang_body', 'unreachable'],
    ['reset', 'unreachable'],
    ['not_http', 'unreachable'],
    ['truncated', 'unreachable'],
    ['garbage_json', 'unreadable'],
    ['html_error', 'unreadable'],
    ['empty', 'unreadable'],
    ['wrong_type', 'unreadable'],
    ['echo_key', 'unreadable'],
    ['huge', 'unreachable'],
  ] as const)('that answers %s is %s', async (mode, failure) => {
    if (mode.startsWith('hang')) await reopen({ timeoutMs: 300 });
    fake.mode = mode;
    expect(await failureOf(() => newCustomer())).toBe(failure);
    expect(await failureOf(() => payments.readSubscriptions('cus_1'))).toBe(failure);
  });

  it.each([
    ['{}', 'an object without what it is for'],
    ['null', 'nothing'],
    ['[]', 'a list'],
    ['{"data":[{}]}', 'a list of empty objects'],
    ['{"data":[{"id":"sub_1","status":"active","items":{"data":[{"id":"si_1"}]}}]}', 'no price'],
  ])('that answers %s (%s) is unreadable', async (body) => {
    const played = {
      fetch: async () => ({
        ...{ url: '', status: 200, headers: {}, body: Uint8Array.from(Buffer.from(body)) },
        ...{ truncated: false, truncation: null, redirects: [], protocol: 'h1' as const },
        ...{ remoteAddress: '', reused: false },
        timings: { dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, downloadMs: 0 },
      }),
    };
    const over = { url: fake.baseUrl, http: played, secretKey: 'k', webhookSecret: 'w' };
    const odd = new StripePayments({ ...over, maxRetries: 0 });
    expect(await failureOf(() => odd.readSubscriptions('cus_1'))).toBe('unreadable');
    const made = () => odd.createCustomer({ tenantId: TENANT, idempotencyKey: 'k' });
    if (!body.includes('"id":"sub_1"')) expect(await failureOf(made)).toBe('unreadable');
  });

  it.each(['500', '503', 'reset'] as const)('is asked again after %s', async (mode) => {
    fake.nextModes.push(mode);
    await newCustomer();
    expect(fake.requests).toHaveLength(2);
    const keys = fake.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set(['one']));
  });

  it('refuses our key without quoting it', async () => {
    await reopen({ secretKey: 'sk_live_wrong_and_secret' });
    const error: unknown = await newCustomer().catch((thrown: unknown) => thrown);
    expect(String(error)).not.toContain('sk_live');
    expect((error as PaymentProviderError).failure).toBe('refused');
  });

  it('breaks off what is under way when it is closed', async () => {
    await reopen({ timeoutMs: 60_000 });
    fake.mode = 'hang';
    const asked = failureOf(() => newCustomer());
    await until(() => fake.requests.length > 0);
    payments.close();
    expect(await asked).toBe('unreachable');
  });

  it.each([
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/customers'],
    ['http://stripe.internal', 'http://stripe.internal/v1/customers'],
    ['https://api.stripe.com', 'https://api.stripe.com/v1/customers'],
    ['http://[::1]:9', 'http://[::1]:9/v1/customers'],
  ])('at %s is asked at %s', async (url, asked) => {
    const urls: string[] = [];
    const played = {
      fetch: (request: HttpRequest) => {
        urls.push(String(request.url));
        return Promise.reject(new Error('enough'));
      },
    };
    const options = { secretKey: 'k', webhookSecret: 'w', url, http: played, maxRetries: 0 };
    const odd = new StripePayments(options);
    const made = () => odd.createCustomer({ tenantId: TENANT, idempotencyKey: 'k' });
    expect(await failureOf(made)).toBe('unreachable');
    expect(urls).toEqual([asked]);
  });
});
