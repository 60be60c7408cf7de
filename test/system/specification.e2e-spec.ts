import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { changeAgreement } from '@app/accounts';
import {
  htmlPage,
  startFixtureSite,
  until,
  type Answer,
  type FixtureSite,
  type OwnPage,
} from '@app/testing';
import { MODES, type Caller } from './deployment.js';
import { share, type SharedService } from './shared-cluster.js';

const SCHEMA = { type: 'object', properties: { price: { type: 'number' } } };
const KETTLE = htmlPage({
  title: 'Kettle',
  body: '<p>Price: 34.5</p><p>A kettle of brushed steel.</p>',
});
const BAKERY = htmlPage({
  title: 'Bakery',
  body: `<script type="application/ld+json">${JSON.stringify({
    ...{ '@context': 'https://schema.org', '@type': 'Bakery', name: 'Corner Bakery' },
    telephone: '+1 512-555-0147',
  })}</script><p>Bread.</p>`,
});

/** Where answers of the API once differed from the specification; other deviations are in the specs of their endpoints. */
describe.each(MODES)('the specification, %s', (mode) => {
  let service: SharedService;
  let site: FixtureSite;
  let caller: Caller;

  beforeAll(async () => {
    site = await startFixtureSite({ robots: '' });
    service = await share(mode);
    caller = await service.tenant('hobby');
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });

  const post = (path: string, body: object, { client } = caller): Promise<Answer> =>
    client.call('POST', path, body);

  const UNSTORABLE = 'holds characters that cannot be stored';

  it.each<[string, object, string]>([
    ['graph/query', { tech: 'a\0' }, `an entry of \`tech\` ${UNSTORABLE}`],
    ['graph/query', { techAny: ['x', '\ud800'] }, `an entry of \`techAny\` ${UNSTORABLE}`],
    ['graph/query', { city: 'x', notTech: ['\0'] }, `an entry of \`notTech\` ${UNSTORABLE}`],
    ['graph/query', { city: 'Aus\0tin' }, `\`city\` ${UNSTORABLE}`],
    ['graph/query', { industry: '\udc00' }, `\`industry\` ${UNSTORABLE}`],
    ['resolve', { name: 'x', zip: '7\0' }, `\`zip\` ${UNSTORABLE}`],
    ['resolve', { name: 'x', uei: '\ud800' }, `\`uei\` ${UNSTORABLE}`],
    ['resolve', { name: 'x', state: '\0' }, '`state` must be two letters, such as TX'],
    ['resolve', { name: 'x', state: 'Texas' }, '`state` must be two letters, such as TX'],
    ['search', { query: '\0' }, `\`query\` ${UNSTORABLE}`],
    ['scrape', { url: 'http://a.example/', cookies: 'a=\0' }, `\`cookies\` ${UNSTORABLE}`],
    [
      'extract',
      { html: '<p>x', schema: { properties: { '\ud800': { type: 'string' } } } },
      `\`schema\` ${UNSTORABLE}`,
    ],
  ])('refuses what cannot be stored: %s %j', async (path, body, error) => {
    const answer = await post(`/v1/${path}`, body);
    expect([answer.status, answer.body]).toMatchObject([400, { error }]);
  });

  it('names options of /v2 whatever characters they have, and `parsers`', async () => {
    const client = caller.client;
    const options = { limit: 1, parsers: ['pdf'], 'a\0b': 1, '\ud800': 1 };
    const crawl = await client.call('POST', '/v2/crawl', { url: site.url('/docs'), ...options });
    const { id, warning } = crawl.body as { readonly id: string; readonly warning: string };
    expect([crawl.status, warning]).toEqual([
      200,
      'Options that were ignored: parsers, a\ufffdb, \ufffd.',
    ]);
    await client.waitForEnd(id);
  });

  it.each([
    ['preview', '`connectorId` is required'],
    ['pull', '`jobId` is required'],
    ['chat', '`message` is required'],
    ['feeds', '`connectorId` is required'],
    ['keys', '`label` is required'],
  ])('says what a request to %s lacks', async (path, message) => {
    const { status, body } = await post(`/v1/${path}`, {});
    const { error } = body as { readonly error: unknown };
    const text = typeof error === 'string' ? error : (error as { message: string }).message;
    expect([status, text]).toEqual([400, message]);
  });

  it('counts JSON and summaries as extractions, whatever the model costs, and no answer of a search', async () => {
    site.serve({ '/kettle': KETTLE });
    const countOf = async (of: Caller): Promise<unknown> => {
      const { body } = await of.client.call('GET', '/v1/usage');
      return (body as { readonly llm_extractions: unknown }).llm_extractions;
    };
    const scrape = { url: site.url('/kettle'), formats: ['json'], schema: SCHEMA };
    const free = await service.tenant('free');
    expect((await post('/v1/scrape', scrape, free)).status).toBe(200);
    expect(await countOf(free)).toBe(1);
    const summary = { url: site.url('/kettle'), formats: ['summary'] };
    expect((await post('/v1/scrape', summary, free)).status).toBe(200);
    expect(await countOf(free)).toBe(2);
    const pro = await service.tenant('pro');
    const { engines, llm } = service.providers;
    engines.results = [{ url: site.url('/kettle'), title: 'Kettle', snippet: 'A steel kettle.' }];
    llm.script = () => ({ answer: 'A kettle is of steel [1].' });
    const search = { query: 'kettle', include_answer: true };
    expect((await post('/v1/search', search, pro)).body).toMatchObject({ total: 1 });
    expect(await countOf(pro)).toBe(0);
    llm.reset();
    expect((await post('/v1/scrape', scrape, pro)).status).toBe(200);
    expect(await countOf(pro)).toBe(1);
  });

  it.each<[string, (urls: readonly string[]) => object]>([
    ['extract', (urls) => ({ urls, schema: SCHEMA })],
    ['scrapers/directory', (urls) => ({ urls })],
  ])('says what is left when all URLs of %s have ended', async (path, bodyOf) => {
    const payer = await service.tenant('hobby');
    const isCharged = async (): Promise<boolean> => {
      const text = 'SELECT FROM credit_ledger WHERE tenant_id = $1';
      return (await service.database.query({ name: 'spec_charged', text }, [payer.id])).length > 0;
    };
    const fails: OwnPage = async ({ response }) => {
      await until(isCharged, { what: 'the first charge' });
      response.writeHead(404).end('Not found');
    };
    site.serve({ '/ok': path === 'extract' ? KETTLE : BAKERY, '/a': fails, '/b': fails });
    const urls = ['/ok', '/a', '/b'].map((at) => site.url(at));
    const answer = await post(`/v1/${path}`, bodyOf(urls), payer);
    expect([answer.status, answer.headers.get('x-credits-consumed')]).toEqual([200, '1']);
    const { body } = await payer.client.call('GET', '/v1/usage');
    const { remaining } = (body as { credit_pools: { scrape: { remaining: number } } }).credit_pools
      .scrape;
    expect(answer.headers.get('x-credits-remaining')).toBe(String(remaining));
  });

  it('keeps inlined images of up to a million characters, unless they are to be removed', async () => {
    const dataOf = (chars: number): string => `data:image/png;base64,${'A'.repeat(chars)}`;
    const chartOf = (chars: number): string =>
      htmlPage({
        title: 'Chart',
        body: `<p>See <img alt="chart" src="${dataOf(chars)}"> here.</p>`,
      });
    site.serve({ '/inlined': chartOf(2_000), '/too-large': chartOf(1_000_000) });
    const markdownOf = async (path: string, options: object = {}): Promise<string> => {
      const { body } = await post('/v1/scrape', { url: site.url(path), ...options });
      return (body as { readonly markdown: string }).markdown;
    };
    expect(await markdownOf('/inlined')).toContain(`![chart](${dataOf(2_000)})`);
    expect(await markdownOf('/too-large')).toContain('![chart](data:image/png)');
    const removed = await markdownOf('/inlined', { removeBase64Images: true });
    expect(removed).toContain('![chart](<Base64-Image-Removed>)');
  });

  it('reads no year of foundation where another thing was opened', async () => {
    const html = BAKERY.replace('Bread.', 'The turbine hall was opened in 1931.');
    const { data } = (await post('/v1/extract', { html })).body as { readonly data: object };
    expect(data).toMatchObject({ name: 'Corner Bakery' });
    expect(data).not.toHaveProperty('founded_year');
  });

  it('does not count calls that are refused for concurrent requests', async () => {
    const busy = await service.tenant('pro');
    const agreed = { monthlyCredits: null, requestsPerMinute: 50, concurrentRequests: 1 };
    await service.database.transaction((tx) => changeAgreement(tx, busy.id, agreed));
    const gate = Promise.withResolvers<void>();
    site.serve({
      '/held': async ({ response }) => {
        await gate.promise;
        response.writeHead(200, { 'content-type': 'text/html' }).end(KETTLE);
      },
    });
    const held = post('/v1/scrape', { url: site.url('/held') }, busy);
    await until(() => site.count('/held') > 0, { what: 'the held page' });
    const left = ({ headers }: Answer): string | null => headers.get('x-ratelimit-remaining');
    for (let n = 0; n < 3; n++) {
      const refused = await post('/v1/map', { url: site.url() }, busy);
      expect([refused.status, left(refused)]).toEqual([429, '49']);
    }
    gate.resolve();
    expect(left(await held)).toBe('49');
    expect(left(await busy.client.call('GET', '/v1/jobs'))).toBe('48');
  });

  describe('compression', () => {
    const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync };

    /** The response with its bytes as they came. */
    async function rawOf(
      method: string,
      path: string,
      { accept = '', body = null as object | null } = {},
    ): Promise<{ readonly response: IncomingMessage; readonly bytes: Buffer }> {
      const sent = httpRequest(new URL(path, service.url), {
        method,
        headers: {
          ...{ 'x-api-key': caller.key, 'content-type': 'application/json' },
          ...(accept === '' ? {} : { 'accept-encoding': accept }),
        },
      });
      sent.end(body === null ? undefined : JSON.stringify(body));
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return { response, bytes: Buffer.concat(await response.toArray()) };
    }

    it.each(['zstd', 'br', 'gzip'] as const)('of a page as %s', async (coding) => {
      site.serve({
        '/long': htmlPage({
          title: 'Long',
          body: '<p>Words that repeat themselves.</p>'.repeat(4_000),
        }),
      });
      const body = { url: site.url('/long'), extractListing: false };
      const plain = await rawOf('POST', '/v1/scrape', { body });
      expect(plain.response.headers).not.toHaveProperty('content-encoding');
      const { response, bytes } = await rawOf('POST', '/v1/scrape', { body, accept: coding });
      expect(response.headers).toMatchObject({
        'content-encoding': coding,
        vary: expect.stringMatching(/accept-encoding/i),
      });
      expect(bytes.length).toBeLessThan(plain.bytes.length / 10);
      const markdownOf = (json: Buffer): string =>
        (JSON.parse(json.toString()) as { markdown: string }).markdown;
      expect(markdownOf(DECODERS[coding](bytes))).toBe(markdownOf(plain.bytes));
    });

    it('of the public files as gzip, with an ETag for each form', async () => {
      const plain = await rawOf('GET', '/openapi.json');
      const { response, bytes } = await rawOf('GET', '/openapi.json', { accept: 'br, gzip' });
      expect(response.headers['content-encoding']).toBe('gzip');
      expect(bytes.length).toBeLessThan(plain.bytes.length / 4);
      expect(gunzipSync(bytes).equals(plain.bytes)).toBe(true);
      expect(response.headers.etag).not.toBe(plain.response.headers.etag);
    });

    it('is off for what holds secrets, and for what is sent as it is made', async () => {
      for (let n = 0; n < 8; n++) await post('/v1/keys', { label: `key ${n}` });
      const batch = { urls: [site.url('/long')] };
      for (const [method, path, body] of [
        ['GET', '/v1/keys', null],
        ['GET', '/dashboard/sign-in', null],
        ['POST', '/v1/batch', batch],
      ] as const) {
        const { response, bytes } = await rawOf(method, path, { accept: 'zstd, br, gzip', body });
        expect([path, bytes.length > 1_024]).toEqual([path, true]);
        expect([path, response.headers['content-encoding']]).toEqual([path, undefined]);
      }
    });
  });

  it.each<[string, string, number, string]>([
    ['no HTTP', 'NONSENSE\r\n\r\n', 400, 'Malformed HTTP request'],
    [
      'no host',
      'GET /v1/jobs HTTP/1.1\r\nconnection: close\r\n\r\n',
      400,
      'Malformed HTTP request',
    ],
    [
      'a header that is none',
      'GET / HTTP/1.1\r\nhost: a\r\nx y: z\r\n\r\n',
      400,
      'Malformed HTTP request',
    ],
    [
      'large headers',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'Request headers too large: the limit is 16384 bytes',
    ],
  ])('responds to a request with %s in the documented form', async (_what, text, status, error) => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(text);
    const [head = '', body = ''] = (await socket.toArray()).join('').split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/^x-ratelimit-limit: \d+\r?$/im);
    expect(JSON.parse(body)).toMatchObject({ error });
  });

  it('ignores an expectation that it does not know', async () => {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'GET /health/live HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
    );
    expect((await socket.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
