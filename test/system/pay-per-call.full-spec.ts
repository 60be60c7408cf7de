import { BAD_SETTINGS_EXIT_CODE } from '@app/config';
import {
  paymentHeader,
  readPaymentHeader,
  signedPayment,
  startFakeFacilitator,
  startFixtureSite,
  spawnApp,
  until,
  type FakeFacilitator,
  type FixtureSite,
  type PaymentChanges,
  type PaymentRequired,
} from '@app/testing';
import { deploy, MODES, spawnApi, type Deployment } from './deployment.js';
import { crash } from './fault-run.js';
import { OpenApiDocument } from './openapi-document.js';

const PRICE = 1_000;

function settings(facilitator: FakeFacilitator): Readonly<Record<string, string>> {
  return {
    BROWSER_MAX: '0',
    PAY_PER_CALL_PRICE: String(PRICE),
    PAY_PER_CALL_NETWORK: 'eip155:84532',
    PAY_PER_CALL_ASSET: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
    PAY_PER_CALL_PAY_TO: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    PAY_PER_CALL_EXTRA: '{"name":"USDC","version":"2"}',
    PAY_PER_CALL_FACILITATOR_URL: facilitator.url,
    PAY_PER_CALL_REQUESTS_PER_MINUTE: '1000',
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Call {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(serviceUrl: string, { method = 'POST', ...sent }: Call): Promise<Answered> {
  const response = await fetch(`${serviceUrl}${sent.path ?? '/v1/scrape'}`, {
    method,
    headers: { 'content-type': 'application/json', ...sent.headers },
    ...(method === 'GET' ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await response.text();
  const body = JSON.parse(text) as Answered['body'];
  return { status: response.status, headers: response.headers, text, body };
}

describe.each(MODES)('calls without a key that are paid for (%s)', (mode) => {
  let facilitator: FakeFacilitator;
  let service: Deployment;
  let site: FixtureSite;
  let document: OpenApiDocument;

  beforeAll(async () => {
    site = await startFixtureSite();
    facilitator = await startFakeFacilitator();
    service = await deploy(mode, { env: settings(facilitator) });
    document = await OpenApiDocument.read(service.url);
  });
  afterAll(async () => {
    await service?.stop();
    await facilitator?.close();
    await site?.close();
  });
  beforeEach(() => {
    facilitator.verifyMode = 'ok';
    facilitator.settleMode = 'ok';
    facilitator.gate = Promise.resolve();
  });

  const page = () => ({ url: site.url('/tree/3') });
  const call = (sent: Call = {}): Promise<Answered> => send(service.url, { body: page(), ...sent });
  const offered = async (path?: string): Promise<PaymentRequired> =>
    (await call(path === undefined ? {} : { path })).body as unknown as PaymentRequired;
  const signed = async (changes?: PaymentChanges, path?: string): Promise<string> =>
    paymentHeader(signedPayment(await offered(path), changes));
  const pay = (header: string, sent: Call = {}): Promise<Answered> =>
    call({ ...sent, headers: { ...sent.headers, 'payment-signature': header } });

  /** Answers are as the OpenAPI document has them. */
  function expectDocumented(path: string, { status, headers, text }: Answered): void {
    const contentType = headers.get('content-type') ?? '';
    const operation = document.find('POST', path);
    expect(document.problems(operation, { status, contentType, text })).toEqual([]);
  }

  it.each(['/v1/scrape', '/v1/map'])(
    'get the price of %s, and the result for that price',
    async (path) => {
      const asked = await call({ path });
      expect(asked.status).toBe(402);
      expect(asked.body).toMatchObject({
        x402Version: 2,
        resource: { url: expect.stringMatching(new RegExp(`${path}$`)) },
        accepts: [{ scheme: 'exact', network: 'eip155:84532', amount: String(PRICE) }],
      });
      expect(readPaymentHeader(asked.headers.get('payment-required'))).toEqual(asked.body);
      expectDocumented(path, asked);
      const transfers = facilitator.transfers.length;
      const paid = await pay(await signed({}, path), { path, body: { url: site.url('/') } });
      expect([paid.status, paid.text]).toEqual([200, expect.stringContaining(site.url('/'))]);
      expect(readPaymentHeader(paid.headers.get('payment-response'))).toMatchObject({
        success: true,
      });
      expect(facilitator.transfers).toHaveLength(transfers + 1);
      expectDocumented(path, paid);
    },
  );

  it('still work with a key, and cost no payment then', async () => {
    const before = facilitator.requests.length;
    const headers = { 'x-api-key': service.key, 'payment-signature': await signed() };
    const { status, headers: answered } = await call({ headers });
    expect([status, answered.get('payment-response')]).toEqual([200, null]);
    expect(facilitator.requests).toHaveLength(before);
  });

  it('cost nothing without a result, and the payment stays valid', async () => {
    const before = facilitator.count('settle');
    const header = await signed();
    const failed = await pay(header, { body: { url: site.url('/status/404') } });
    expect(failed.status).toBe(422);
    expectDocumented('/v1/scrape', failed);
    const wrong = await pay(header, { body: { url: 'nonsense' } });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      { error: 'Invalid URL', hint: expect.any(String) },
    ]);
    expect(facilitator.count('settle')).toBe(before);
    expect((await pay(header)).status).toBe(200);
    expect(facilitator.count('settle')).toBe(before + 1);
  });

  it('are refused with the problem of their payment', async () => {
    const answers = [
      await pay('nonsense'),
      await pay(await signed({ signature: '0xbad' })),
      await pay(await signed(), { body: { ...page(), maxAge: 60_000 } }),
      await pay(await signed(), { headers: { 'idempotency-key': 'mine' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 402, 400, 400]);
    for (const answer of answers) expectDocumented('/v1/scrape', answer);
  });

  it('may read no data of a tenant: everything else needs a key', async () => {
    const header = await signed();
    const paths = ['/v1/jobs', '/v1/usage', '/v1/keys', '/v1/webhooks', '/v1/billing/portal'];
    for (const path of paths) {
      const { status } = await pay(header, { method: 'GET', path });
      expect([path, status]).toEqual([path, 401]);
    }
    for (const path of ['/v1/crawl', '/v1/batch', '/v1/extract', '/v1/screenshot', '/v1/parse']) {
      expect([path, (await pay(header, { path })).status]).toEqual([path, 401]);
    }
    expect((await pay(header)).status).toBe(200);
  });

  it('run once for a payment, under any concurrency', async () => {
    const header = await signed();
    const before = facilitator.transfers.length;
    const answers = await Promise.all(Array.from({ length: 12 }, () => pay(header)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(11);
    expect(facilitator.transfers).toHaveLength(before + 1);
  });

  it('are settled once when the process dies over the settlement', async () => {
    const header = await signed();
    const [settles, transfers] = [facilitator.count('settle'), facilitator.transfers.length];
    let open = (): void => undefined;
    facilitator.gate = new Promise((resolve) => (open = resolve));
    // The money moves, and who requested it is dead before it hears of that.
    facilitator.settleMode = 'held';
    const lost = pay(header).catch((error: unknown) => error);
    await until(() => facilitator.transfers.length === transfers + 1, { what: 'the settlement' });
    await crash(service);
    open();
    expect(await lost).toHaveProperty('name', 'TypeError');
    facilitator.settleMode = 'ok';
    expect((await pay(header)).status).toBe(402);
    expect(facilitator.count('settle')).toBe(settles + 1);
    expect(facilitator.transfers).toHaveLength(transfers + 1);
    expect((await pay(await signed())).status).toBe(200);
  });
});

describe('paid calls to several replicas', () => {
  it('are done once for a payment', async () => {
    const site = await startFixtureSite();
    const facilitator = await startFakeFacilitator();
    const service = await deploy('cluster', { env: settings(facilitator) });
    const second = await spawnApi(service.env);
    service.apps.push(second);
    try {
      const body = { url: site.url('/tree/3') };
      const offer = (await send(second.url, { body })).body as unknown as PaymentRequired;
      const headers = { 'payment-signature': paymentHeader(signedPayment(offer)) };
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          send(n % 2 === 0 ? service.url : second.url, { body, headers }),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(facilitator.transfers).toHaveLength(1);
    } finally {
      await service.stop();
      await facilitator.close();
      await site.close();
    }
  });
});

describe('pay-per-call that is not set up', () => {
  it('requests a key, as ever, and is not documented', async () => {
    const service = await deploy('embedded', { env: { BROWSER_MAX: '0' } });
    try {
      const body = { url: 'https://example.com/' };
      const given: readonly Readonly<Record<string, string>>[] = [
        {},
        { 'payment-signature': 'any' },
        { 'x-payment': 'any' },
      ];
      for (const headers of given) {
        const answer = await send(service.url, { body, headers });
        expect([answer.status, answer.body]).toEqual([
          401,
          { error: 'API key required. Pass via x-api-key header.', hint: expect.any(String) },
        ]);
        expect(answer.headers.get('payment-required')).toBeNull();
      }
      const document = await OpenApiDocument.read(service.url);
      const { parameters } = document.find('POST', '/v1/scrape');
      expect(parameters.map(({ name }) => name)).not.toContain('PAYMENT-SIGNATURE');
    } finally {
      await service.stop();
    }
  });

  it('does not start with half of an offer', async () => {
    const app = await spawnApp({
      app: 'api',
      env: { PAY_PER_CALL_PRICE: '1000' },
      waitUntilReady: false,
    });
    expect(await app.process.exited).toMatchObject({ code: BAD_SETTINGS_EXIT_CODE });
    expect(app.process.output.join('\n')).toContain('PAY_PER_CALL_PAY_TO: is not set');
  });
});
