import { TrawlClient, until } from '@app/testing';
import { BillingRun, order, ORIGIN, type Buyer } from './billing-run.js';
import { MODES } from './deployment.js';
import { shareWithOwnApi, type OwnApiService } from './shared-cluster.js';

const REDIRECT = 'successUrl/cancelUrl must be an allowed http(s) URL';

describe.each(MODES)('billing (%s)', (mode) => {
  let run: BillingRun<OwnApiService>;
  let buyer: Buyer;

  beforeAll(async () => {
    run = await BillingRun.start((settings) => shareWithOwnApi(mode, settings));
  });
  afterAll(() => run?.stop());
  beforeEach(async () => {
    run.stripe.mode = 'ok';
    run.stripe.nextModes.length = 0;
    buyer = await run.buyer();
  });

  describe('a checkout', () => {
    it('is a page of the provider for a customer that is made, and a plan that follows', async () => {
      const checkout = await run.opened(buyer, 'pro');
      expect(checkout).toMatchObject({
        ...{ price: 'price_pro', tenantId: buyer.id },
        ...{ successUrl: `${ORIGIN}/paid`, cancelUrl: `${ORIGIN}/plans` },
      });
      // Below the path of STRIPE_API_URL.
      const asked = run.stripe.requests.map(({ path }) => path);
      expect(asked).toContain('/gate/v1/checkout/sessions');
      expect(await run.planOf(buyer)).toBe('free');
      await run.send(run.events.pay(checkout));
      await run.onPlan(buyer, 'pro');
      expect(await run.changesOf(buyer)).toEqual(['pro']);
    });

    it.each([
      ['starter', 'price_hobby'],
      ['business', 'price_scale'],
    ])('takes the legacy name %s', async (plan, price) => {
      expect(await run.opened(buyer, plan)).toMatchObject({ price });
    });

    it('makes one customer for twenty at a time', async () => {
      const before = run.stripe.account.customers.size;
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => run.checkout(buyer, order('pro'))),
      );
      // A free account may ask ten times a minute.
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
      expect(statuses.has(200)).toBe(true);
      expect(run.stripe.account.customers.size).toBe(before + 1);
    });

    it('of who pays already changes the subscription, or shows it', async () => {
      const subscription = await run.subscribe(buyer, 'hobby');
      const before = run.stripe.account.checkouts.length;
      const changed = await run.checkout(buyer, order('scale'));
      const same = await run.checkout(buyer, order('hobby'));
      expect(run.stripe.account.checkouts).toHaveLength(before);
      const { customer } = subscription;
      expect(run.stripe.account.portals.slice(-2)).toEqual([
        {
          ...(changed.body as object),
          customer,
          returnUrl: `${ORIGIN}/plans`,
          newPrice: 'price_scale',
        },
        { ...(same.body as object), customer, returnUrl: `${ORIGIN}/plans`, newPrice: undefined },
      ]);
      await run.send(run.events.changePrice(subscription, 'price_scale'));
      await run.onPlan(buyer, 'scale');
      expect(await run.changesOf(buyer)).toEqual(['hobby', 'scale']);
    });

    it('creates a customer again that the provider no longer has', async () => {
      const first = await run.opened(buyer, 'pro');
      const gone = run.stripe.account.customers.get(first.customer);
      if (gone) gone.isDeleted = true;
      const second = await run.opened(buyer, 'pro');
      expect(second.customer).not.toBe(first.customer);
    });

    it('with an Idempotency-Key is the same page again', async () => {
      const ask = () =>
        fetch(new URL('/v1/billing/checkout', run.service.url), {
          method: 'POST',
          headers: {
            'x-api-key': buyer.key,
            'content-type': 'application/json',
            'idempotency-key': `k-${buyer.id}`,
          },
          body: JSON.stringify(order('pro')),
        });
      const first = await (await ask()).json();
      const before = run.stripe.requests.length;
      expect(await (await ask()).json()).toEqual(first);
      expect(run.stripe.requests).toHaveLength(before);
    });

    it.each<[unknown, string]>([
      ['{"plan":', 'Invalid JSON body'],
      ['', 'Invalid JSON body'],
      ['[]', 'Invalid JSON body'],
      [{}, '`plan` is required'],
      [{ plan: 'nope' }, '`successUrl` is required'],
      [{ plan: 'nope', successUrl: 'nope' }, '`cancelUrl` is required'],
      [{ ...order('nope'), successUrl: 'nope' }, REDIRECT],
      [{ ...order('pro'), cancelUrl: 'javascript:alert(1)' }, REDIRECT],
      [{ ...order('pro'), cancelUrl: 'https://elsewhere.example/' }, REDIRECT],
      [order('nope'), 'Unknown plan: nope'],
      [order('free'), 'Unknown plan: free'],
      [order('custom'), 'Unknown plan: custom'],
      [order('enterprise'), 'Unknown plan: enterprise'],
      [{ ...order('pro'), plan: 1 }, '`plan` must be a string'],
    ])('with %j is refused', async (body, error) => {
      const before = run.stripe.requests.length;
      const answer = await run.checkout(buyer, body);
      expect([answer.status, answer.body]).toMatchObject([400, { error }]);
      expect(run.stripe.requests).toHaveLength(before);
    });

    it('needs a key, and knows its fields', async () => {
      const nobody = new TrawlClient(run.service.url, '');
      expect((await run.checkout({ ...buyer, client: nobody }, order('pro'))).status).toBe(401);
      expect((await run.portal({ ...buyer, client: nobody })).status).toBe(401);
      const answer = await run.checkout(buyer, { ...order('pro'), coupon: 'x' });
      expect(answer.body).toMatchObject({ error: expect.stringContaining('`coupon`') });
    });

    it.each([
      ['500', 502, 'could not complete the request'],
      ['402', 502, 'could not complete the request'],
      ['garbage_json', 502, 'could not complete the request'],
      ['429', 503, 'is not responding'],
      ['reset', 503, 'is not responding'],
    ] as const)('of a provider that answers %s is a %i', async (mode, status, words) => {
      run.stripe.mode = mode;
      const answer = await run.checkout(buyer, order('pro'));
      expect(answer.body).toEqual({ error: expect.stringContaining(words) });
      expect(answer.status).toBe(status);
      run.stripe.mode = 'ok';
      await run.opened(buyer, 'pro');
    });
  });

  describe('the portal', () => {
    it('is for who has an account there', async () => {
      const none = await run.portal(buyer);
      const error = 'No billing account found for this tenant';
      expect([none.status, none.body]).toEqual([400, { error }]);
      const { customer } = await run.opened(buyer, 'pro');
      const answer = await run.portal(buyer);
      expect(answer.status).toBe(200);
      const portal = run.stripe.account.portals.at(-1);
      expect(answer.body).toEqual({ url: portal?.url });
      expect(portal).toMatchObject({
        customer,
        returnUrl: expect.stringMatching(/\/dashboard\/return\/overview$/),
      });
    });
  });

  describe('a plan', () => {
    it('has its limits from the next call on', async () => {
      const limitOf = async () =>
        (await buyer.client.call('GET', '/v1/jobs')).headers.get('x-ratelimit-limit');
      expect(await limitOf()).toBe('10');
      const subscription = await run.subscribe(buyer, 'pro');
      expect(await limitOf()).toBe('200');
      await run.send(run.events.end(subscription));
      await run.onPlan(buyer, 'free');
      expect(await limitOf()).toBe('10');
    });

    it('is kept to the end of the paid period, then it is the free one', async () => {
      const subscription = await run.subscribe(buyer, 'scale');
      await run.settled(await sent(run.events.cancelAtEnd(subscription)));
      expect(await run.planOf(buyer)).toBe('scale');
      await run.send(run.events.end(subscription));
      await run.onPlan(buyer, 'free');
      expect(await run.changesOf(buyer)).toEqual(['scale', 'free']);
    });

    it('is kept while a payment is retried, and lost when the provider gives up', async () => {
      const subscription = await run.subscribe(buyer, 'pro');
      await run.settled(await sent(run.events.failPayment(subscription, 'past_due')));
      expect(await run.planOf(buyer)).toBe('pro');
      await run.settled(await sent(run.events.renew(subscription)));
      expect(await run.planOf(buyer)).toBe('pro');
      await run.send(run.events.failPayment(subscription, 'unpaid'));
      await run.onPlan(buyer, 'free');
    });
  });

  describe('events', () => {
    async function aPayment() {
      return run.events.pay(await run.opened(buyer, 'pro'));
    }

    it('are refused with an invalid signature, and change nothing', async () => {
      const [event] = await aPayment();
      if (!event) throw new Error('no event');
      const { body } = event;
      const send = (text: string, signature: string) =>
        run.events.send(run.eventsUrl, { body: text }, signature);
      expect(await send(body, '')).toBe(400);
      expect(await send(body, run.events.sign(body, { secret: 'whsec_other' }))).toBe(400);
      expect(await send(`${body} `, run.events.sign(body))).toBe(400);
      expect(await send(body.replace('active', 'ACTIVE'), run.events.sign(body))).toBe(400);
      expect(await send(body, run.events.sign(body, { ageSeconds: 302 }))).toBe(400);
      expect(await run.eventRows([event.id])).toEqual([]);
      expect(await run.planOf(buyer)).toBe('free');
      expect(await send(body, run.events.sign(body, { ageSeconds: 240 }))).toBe(200);
      await run.onPlan(buyer, 'pro');
    });

    it('get an error that names the problem', async () => {
      const answer = await fetch(run.eventsUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: 'Payment event refused: it has no `stripe-signature`' },
      ]);
    });

    it('may arrive twenty times at once, and once more later', async () => {
      const events = await aPayment();
      const [event] = events;
      if (!event) throw new Error('no event');
      const statuses = await Promise.all(
        Array.from({ length: 20 }, () => run.events.send(run.eventsUrl, event)),
      );
      expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
      await run.onPlan(buyer, 'pro');
      await run.send(events);
      await run.send(events);
      expect(await run.settled(events)).toMatchObject(events.map(() => ({ state: 'applied' })));
      expect(await run.changesOf(buyer)).toEqual(['pro']);
    });

    it('may arrive in any order, also late', async () => {
      const paid = await aPayment();
      const subscription = run.subscriptionOf(run.stripe.account.checkouts.at(-1)?.customer ?? '');
      const changed = run.events.changePrice(subscription, 'price_hobby');
      const ended = run.events.end(subscription);
      const all = [...ended, ...changed, ...[...paid].reverse()];
      await run.send(all);
      expect(await run.settled(all)).toHaveLength(all.length);
      expect(await run.planOf(buyer)).toBe('free');
    });

    it('of another account are answered and ignored', async () => {
      const object = { id: 'sub_elsewhere', customer: 'cus_elsewhere' };
      const event = run.events.event('customer.subscription.created', object);
      await run.send([event]);
      expect(await run.settled([event])).toMatchObject([
        { state: 'ignored', error: 'no account has this customer' },
      ]);
      const other = run.events.event('charge.succeeded', { id: 'ch_1' });
      await run.send([other]);
      expect(await run.eventRows([other.id])).toEqual([]);
    });

    it('wait for a provider that is down', async () => {
      const events = await aPayment();
      run.stripe.mode = '503';
      await run.send(events);
      const before = run.stripe.requests.length;
      await until(() => run.stripe.requests.length > before, { what: 'the provider to be asked' });
      run.stripe.mode = 'ok';
      await run.onPlan(buyer, 'pro', 60_000);
    });

    it('may not be larger than an event is', async () => {
      const body = JSON.stringify({ id: 'evt_1', padding: 'x'.repeat(1_100_000) });
      expect(await run.events.send(run.eventsUrl, { body }).catch(() => 413)).toBe(413);
    });
  });

  if (mode === 'cluster') {
    it('reports which settings are missing where it is not configured, and accepts no events', async () => {
      const client = new TrawlClient(run.service.urls[1] ?? '', run.service.key);
      const settings = 'STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES';
      const error = `Billing not configured: set ${settings}.`;
      const answers = [
        await client.call('POST', '/v1/billing/checkout', order('pro')),
        await client.call('GET', '/v1/billing/portal'),
        await client.call('POST', '/webhooks/stripe', {}),
      ];
      for (const { status, body } of answers) expect([status, body]).toEqual([503, { error }]);
      const wrong = await client.call('POST', '/v1/billing/checkout', order('nope'));
      expect(wrong.body).toEqual({ error: 'Unknown plan: nope' });
    });
  }

  async function sent(events: Parameters<BillingRun['send']>[0]) {
    await run.send(events);
    return events;
  }
});
