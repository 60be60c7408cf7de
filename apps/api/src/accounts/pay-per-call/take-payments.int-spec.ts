import { randomBytes } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { loadSettings } from '@app/config';
import { ApiError } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { PAY_PER_CALL_TENANT_ID } from '@app/accounts';
import { paymentLoops } from '@app/billing';
import { type Database } from '@app/database';
import { createLogger, Metrics } from '@app/telemetry';
import {
  paymentHeader,
  readPaymentHeader,
  signedPayment,
  startFakeFacilitator,
  until,
  type FakeFacilitator,
  type PaymentChanges,
  type PaymentRequired,
} from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../../test/setup/open-fresh-database.js';
import { payingTenantOf, paysForItself } from '../auth/paying-requests.js';
import { presentApiError } from '../../http/api-error.filter.js';
import type { RouteFacts } from '../../http/route-facts.js';
import { takePayments } from './take-payments.js';

const PAGE = { markdown: 'a page' };
const PRICE = 7;
const REPLICAS = 2;

/** The outcome of the fake handler. */
interface ChargeIds {
  readonly status: number;
  readonly credits: number;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

describe('calls that are paid for one by one', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let facilitator: FakeFacilitator;
  let metrics: Metrics;
  let replicas: FastifyInstance[];
  let urls: string[];
  let work: ChargeIds;
  /** Delays the fake work. */
  let gate: Promise<void>;
  /** Tenants that work was done for. */
  let workedAs: (string | undefined)[];
  /** Clients that disconnected early. */
  let hungUps: number;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    facilitator = await startFakeFacilitator({ token: 'token' });
    [work, gate, workedAs] = [{ status: 200, credits: 1 }, Promise.resolve(), []];
    metrics = new Metrics();
    [replicas, urls, hungUps] = [[], [], 0];
    for (let n = 0; n < REPLICAS; n++) await start();
  });
  afterEach(async () => {
    await Promise.all(replicas.map((one) => one.close()));
    await facilitator.close();
    for (const table of ['pay_per_call_payments', 'rate_windows'])
      await database.query({ name: `spec_clear_${table}`, text: `DELETE FROM ${table}` }, []);
  });

  const runtimeFor = (env: Readonly<Record<string, string>>): Runtime =>
    ({
      settings: loadSettings(env),
      log: createLogger({ level: 'silent', component: 'spec' }),
      publicUrl: 'https://trawl.example',
      ...{ database, metrics },
    }) as unknown as Runtime;
  const on = (over: Readonly<Record<string, string>> = {}) => ({
    PAY_PER_CALL_PRICE: String(PRICE),
    PAY_PER_CALL_NETWORK: 'eip155:84532',
    PAY_PER_CALL_ASSET: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    PAY_PER_CALL_PAY_TO: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    PAY_PER_CALL_EXTRA: '{"name":"USDC","version":"2"}',
    PAY_PER_CALL_FACILITATOR_URL: facilitator.url,
    PAY_PER_CALL_FACILITATOR_TOKEN: 'token',
    PAY_PER_CALL_REQUESTS_PER_MINUTE: '1000',
    ...over,
  });

  /** Starts one more replica with a fake key check. */
  async function start(env: Readonly<Record<string, string>> = on()): Promise<string> {
    const server = fastify({ forceCloseConnections: true });
    server.setErrorHandler(async (error, _request, reply) => {
      const apiError =
        error instanceof ApiError ? error : new ApiError('internal', {}, { cause: error });
      await reply.status(apiError.row.status).send(presentApiError(apiError));
    });
    takePayments(server, runtimeFor(env));
    server.addHook('onRequest', async (request) => {
      if (!paysForItself(request)) throw new ApiError('api_key_required');
    });
    const routes = { '/v1/scrape': 'scrape', '/v1/map': 'map', '/v1/extract': null } as const;
    for (const [path, name] of Object.entries(routes)) {
      const price = name && { name, credits: 1, description: name };
      const facts: RouteFacts = { kind: 'waits', ...(price ? { price } : {}) };
      server.post(path, { config: { facts } }, async (request, reply) => {
        workedAs.push(payingTenantOf(request)?.id);
        reply.raw.once('close', () => (hungUps += reply.raw.writableEnded ? 0 : 1));
        await gate;
        return reply.status(work.status).header('x-credits-consumed', work.credits).send(PAGE);
      });
    }
    replicas.push(server);
    const url = await server.listen({ port: 0, host: '127.0.0.1' });
    urls.push(url);
    return url;
  }

  interface Call {
    readonly path?: string;
    readonly replica?: number;
    readonly body?: object;
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  }

  async function call({ path = '/v1/scrape', replica = 0, ...sent }: Call = {}): Promise<Answered> {
    const response = await fetch(`${urls[replica]}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...sent.headers },
      body: JSON.stringify(sent.body ?? { url: 'https://example.com/' }),
      ...(sent.signal ? { signal: sent.signal } : {}),
    });
    const body = (await response.json()) as Answered['body'];
    return { status: response.status, headers: response.headers, body };
  }

  const offered = async (path?: string): Promise<PaymentRequired> =>
    (await call(path === undefined ? {} : { path })).body as unknown as PaymentRequired;
  const signed = async (changes?: PaymentChanges): Promise<string> =>
    paymentHeader(signedPayment(await offered(), changes));
  const pay = (header: string, sent: Call = {}): Promise<Answered> =>
    call({ ...sent, headers: { ...sent.headers, 'payment-signature': header } });

  async function states(): Promise<readonly string[]> {
    const text = 'SELECT state FROM pay_per_call_payments ORDER BY created_at, id';
    const rows = await database.query<{ state: string }>({ name: 'spec_states', text }, []);
    return rows.map(({ state }) => state);
  }

  async function counted(outcome: string): Promise<number | undefined> {
    const { values } = await metrics.payPerCallPayments.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value;
  }

  describe('without a payment', () => {
    it('return the price in the body and in the header', async () => {
      const { status, headers, body } = await call();
      expect(status).toBe(402);
      expect(body).toEqual({
        x402Version: 2,
        error: expect.stringContaining('Payment required'),
        resource: {
          url: 'https://trawl.example/v1/scrape',
          description: expect.any(String),
          mimeType: 'application/json',
        },
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:84532',
            amount: '7',
            asset: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
            payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
            maxTimeoutSeconds: expect.any(Number),
            extra: { name: 'USDC', version: '2' },
          },
        ],
      });
      expect(readPaymentHeader(headers.get('payment-required'))).toEqual(body);
      expect([workedAs, facilitator.requests]).toEqual([[], []]);
    });

    it('are offered on endpoints that answer at once; other endpoints need a key', async () => {
      expect((await offered('/v1/map')).resource.url).toBe('https://trawl.example/v1/map');
      const headers = { 'payment-signature': await signed() };
      for (const sent of [{ path: '/v1/extract' }, { path: '/v1/extract', headers }]) {
        const { status, body } = await call(sent);
        expect([status, body]).toMatchObject([401, { error: expect.stringContaining('API key') }]);
      }
    });

    it.each<Readonly<Record<string, string>>>([
      { 'x-api-key': 'any' },
      { authorization: 'Bearer any' },
    ])('go to the key check if they carry a key: %j', async (headers) => {
      expect((await call({ headers })).status).toBe(401);
      expect((await pay(await signed(), { headers })).status).toBe(401);
      expect(facilitator.requests).toEqual([]);
    });
  });

  describe('with a payment', () => {
    it('are settled before the response', async () => {
      const { status, headers, body } = await pay(await signed({ from: '0xpayer' }));
      expect([status, body]).toEqual([200, PAGE]);
      expect(readPaymentHeader(headers.get('payment-response'))).toEqual({
        ...{ success: true, transaction: '0xtx1', network: 'eip155:84532', payer: '0xpayer' },
      });
      expect(headers.get('x-payment-response')).toBeNull();
      expect(facilitator.requests.map(({ path }) => path)).toEqual([
        '/x402/verify',
        '/x402/settle',
      ]);
      expect(facilitator.transfers).toMatchObject([{ payer: '0xpayer', amount: '7' }]);
      expect(await states()).toEqual(['settled']);
      expect(workedAs).toEqual([PAY_PER_CALL_TENANT_ID]);
      expect(await counted('settled')).toBe(1);
    });

    it('accept the header of version 1, and answer with its response header', async () => {
      const { status, headers } = await call({ headers: { 'x-payment': await signed() } });
      expect(status).toBe(200);
      const told = headers.get('x-payment-response');
      expect(readPaymentHeader(told)).toMatchObject({ success: true });
      expect(headers.get('payment-response')).toBe(told);
    });

    it('run once per payment, even if many arrive at once at all replicas', async () => {
      const header = await signed();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => pay(header, { replica: n % REPLICAS })),
      );
      const done = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 402);
      expect([done.length, refused.length]).toEqual([1, 19]);
      expect([workedAs.length, facilitator.transfers.length]).toEqual([1, 1]);
      const later = await pay(header);
      expect(later.status).toBe(402);
      expect(later.body).toMatchObject({ x402Version: 2, accepts: [{ amount: '7' }] });
      expect(facilitator.count('settle')).toBe(1);
    });

    it('run once for a payment in another encoding', async () => {
      const offer = await offered();
      const nonce = `0x${randomBytes(31).toString('hex')}aa`;
      const [one, other] = [nonce, nonce.toUpperCase().replace('0X', '0x')].map((spelled) =>
        paymentHeader(signedPayment(offer, { from: '0xpayer', nonce: spelled })),
      );
      expect((await pay(one ?? '')).status).toBe(200);
      expect((await pay(other ?? '')).status).toBe(402);
      expect(facilitator.transfers).toHaveLength(1);
    });

    it.each([
      ['no data', { status: 200, credits: 0 }],
      ['a page that could not be read', { status: 422, credits: 0 }],
      ['an invalid body', { status: 400, credits: 0 }],
      ['an internal error', { status: 500, credits: 0 }],
    ])('are not settled for %s, and the payment is good for another', async (_name, given) => {
      work = given;
      const header = await signed();
      expect((await pay(header)).status).toBe(given.status);
      expect([facilitator.count('settle'), await states()]).toEqual([0, []]);
      expect(await counted('unspent')).toBe(1);
      work = { status: 200, credits: 1 };
      expect((await pay(header)).status).toBe(200);
      expect(facilitator.transfers).toHaveLength(1);
    });

    it.each<[string, PaymentChanges, string]>([
      ['is not signed', { signature: '0xbad' }, 'invalid_exact_evm_payload_signature'],
      [
        'has ended',
        { validForSeconds: -5 },
        'invalid_exact_evm_payload_authorization_valid_before',
      ],
    ])('are rejected when the payment %s', async (_name, changes, reason) => {
      const { status, body, headers } = await pay(await signed(changes));
      expect([status, body]).toEqual([
        402,
        expect.objectContaining({ error: expect.stringContaining(reason), x402Version: 2 }),
      ]);
      expect(readPaymentHeader(headers.get('payment-required'))).toEqual(body);
      expect([workedAs, await states()]).toEqual([[], []]);
      expect(await counted('refused')).toBe(1);
    });

    it('are rejected for other terms, without calling the facilitator', async () => {
      const offer = await offered();
      const accepted = { ...offer.accepts[0], amount: '1' };
      const { status, body } = await pay(paymentHeader(signedPayment(offer, { accepted })));
      expect([status, body['error']]).toEqual([402, expect.stringContaining('other terms')]);
      expect(facilitator.requests).toEqual([]);
    });

    it('report a malformed payment', async () => {
      const { status, body } = await pay('nonsense');
      expect([status, body]).toEqual([
        400,
        { error: expect.stringContaining('Payment not readable') },
      ]);
      expect(facilitator.requests).toEqual([]);
    });

    it.each<[string, Call]>([
      ['Idempotency-Key', { headers: { 'idempotency-key': 'one' } }],
      ['maxAge', { body: { url: 'https://example.com/', maxAge: 60_000 } }],
      ['minAge', { body: { url: 'https://example.com/', minAge: 5 } }],
    ])('share no data with other payers by %s', async (name, sent) => {
      const { status, body } = await pay(await signed(), sent);
      expect([status, body['error']]).toEqual([400, expect.stringContaining(`\`${name}\``)]);
      expect([workedAs, await states()]).toEqual([[], []]);
    });
  });

  describe('whose settlement', () => {
    it('fail with the payment used', async () => {
      const header = await signed({ from: '0xpoor' });
      facilitator.broke.add('0xpoor');
      const { status, headers, body } = await pay(header);
      expect([status, body]).toEqual([
        402,
        expect.objectContaining({ error: expect.stringContaining('insufficient_funds') }),
      ]);
      expect(JSON.stringify(body)).not.toContain(PAGE.markdown);
      expect(headers.get('x-credits-consumed')).toBe('0');
      expect(readPaymentHeader(headers.get('payment-response'))).toEqual({
        ...{ success: false, errorReason: 'insufficient_funds', transaction: '' },
        ...{ network: 'eip155:84532', payer: '0xpoor' },
      });
      expect(await states()).toEqual(['failed']);
      facilitator.broke.clear();
      expect((await pay(header)).status).toBe(402);
      expect(facilitator.transfers).toEqual([]);
    });

    it.each(['lost', '500', 'garbage_json'] as const)(
      'is unknown (%s) are answered all the same, and settlement is not retried',
      async (mode) => {
        facilitator.settleMode = mode;
        const header = await signed();
        const { status, headers, body } = await pay(header);
        expect([status, body, headers.get('payment-response')]).toEqual([200, PAGE, null]);
        expect([await states(), await counted('unknown')]).toEqual([['unknown'], 1]);
        facilitator.settleMode = 'ok';
        expect((await pay(header)).status).toBe(402);
        expect(facilitator.count('settle')).toBe(1);
      },
    );

    it('is one that paid for another call are not answered', async () => {
      expect((await pay(await signed())).status).toBe(200);
      facilitator.settleMode = 'same_transaction';
      const { status, body } = await pay(await signed());
      expect([status, body['error']]).toEqual([402, expect.stringContaining('another call')]);
      expect(await states()).toEqual(['settled', 'failed']);
    });

    it('was begun by a process that died is given up, and never begun again', async () => {
      const header = await signed();
      expect((await pay(header)).status).toBe(200);
      // As a kill between the settlement and its writing leaves it.
      const text = `UPDATE pay_per_call_payments SET state = 'settling', transaction_id = NULL,
                      state_at = now() - interval '1 hour'`;
      await database.query({ name: 'spec_as_killed', text }, []);
      expect((await pay(header)).status).toBe(402);
      const [loop] = paymentLoops(runtimeFor(on()));
      expect(await loop?.round()).toBeNull();
      expect([await states(), await counted('unknown')]).toEqual([['unknown'], 1]);
      expect((await pay(header)).status).toBe(402);
      expect(facilitator.count('settle')).toBe(1);
    });
  });

  it.each(['500', 'reset'] as const)(
    'wait for a facilitator that answers %s: nothing is done meanwhile',
    async (mode) => {
      facilitator.verifyMode = mode;
      const header = await signed();
      const { status, body } = await pay(header);
      expect([status, body]).toEqual([
        503,
        { error: expect.stringContaining('temporarily unavailable') },
      ]);
      expect([workedAs, await states()]).toEqual([[], []]);
      facilitator.verifyMode = 'ok';
      expect((await pay(header)).status).toBe(200);
    },
  );

  it('whose client disconnected are not settled', async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => (open = resolve));
    const header = await signed();
    const client = new AbortController();
    const hungUp = pay(header, { signal: client.signal }).catch((error: unknown) => error);
    await until(() => workedAs.length === 1);
    client.abort();
    expect(await hungUp).toHaveProperty('name', 'AbortError');
    await until(() => hungUps === 1);
    open();
    await until(async () => (await states()).length === 0, { what: 'the payment to be released' });
    expect([facilitator.count('settle'), await counted('unspent')]).toEqual([0, 1]);
  });

  it('are counted by address, in all replicas together', async () => {
    const limited = { PAY_PER_CALL_REQUESTS_PER_MINUTE: '3' };
    for (let n = 0; n < REPLICAS; n++) await start(on(limited));
    const header = await signed();
    const answers: Answered[] = [];
    for (let n = 0; n < 5; n++) answers.push(await pay(header, { replica: REPLICAS + (n % 2) }));
    expect(answers.map(({ status }) => status)).toEqual([200, 402, 402, 429, 429]);
    expect(answers.at(-1)?.body).toEqual({
      ...{ error: 'Rate limit exceeded', limit: 3, tier: 'pay-per-call', retryAfterSeconds: 60 },
    });
    const left = answers.map(({ headers }) => headers.get('x-ratelimit-remaining'));
    expect(left).toEqual(['2', '1', '0', '0', '0']);
    // A request for the price is not counted.
    expect((await call({ replica: REPLICAS })).status).toBe(402);
  });

  it('are not offered without configuration: a key is needed', async () => {
    const header = await signed();
    await start({});
    const replica = urls.length - 1;
    for (const answer of [await call({ replica }), await pay(header, { replica })]) {
      expect([answer.status, answer.body]).toEqual([
        401,
        { error: 'API key required. Pass via x-api-key header.', hint: expect.any(String) },
      ]);
      expect(answer.headers.get('payment-required')).toBeNull();
    }
    expect(paymentLoops(runtimeFor({}))).toEqual([]);
  });
});
