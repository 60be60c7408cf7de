import {
  apiErrorStep,
  drop,
  json,
  ScriptedServer,
  type ScriptedStep,
} from '../test/scripted-server.js';
import { type DocumentFile, Trawl } from './trawl.js';
import { TrawlError } from './trawl-error.js';

const PAGE = { url: 'http://a.example/', ok: true, markdown: '# A' };
const at = { 'retry-after': '0' };

describe('calls of the client', () => {
  let server: ScriptedServer;
  let trawl: Trawl;

  beforeEach(async () => {
    server = await ScriptedServer.start();
    trawl = new Trawl({ baseUrl: `${server.url}/`, apiKey: 'k1', retryDelayMs: 1 });
  });
  afterEach(() => server.close());

  const failure = async (call: Promise<unknown>): Promise<TrawlError> => {
    const error: unknown = await call.then(
      () => 'no error',
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(TrawlError);
    return error as TrawlError;
  };
  const keys = (): Set<unknown> =>
    new Set(server.requests.map(({ headers }) => headers['idempotency-key']));

  it('send the key, the error format, and the body with its argument', async () => {
    server.script(json(PAGE));
    expect(await trawl.scrape('http://a.example/', { formats: ['links'] })).toEqual(PAGE);
    expect(server.requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/scrape',
        headers: {
          'x-api-key': 'k1',
          'x-error-format': 'agent',
          'content-type': 'application/json',
          'idempotency-key': expect.stringMatching(/^[0-9a-f]{32}$/),
        },
      },
    ]);
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      url: 'http://a.example/',
      formats: ['links'],
    });
  });

  it.each<[string, DocumentFile, string]>([
    ['a file with its name', new File(['a,b'], 'tides.csv', { type: 'text/csv' }), 'tides.csv'],
    ['bytes', new TextEncoder().encode('a,b'), 'document'],
  ])('send %s as a form, with the options as fields', async (_, file, name) => {
    server.script(json({ ok: true, markdown: '' }));
    await trawl.parse(file, { format: 'rag', pages: true, pageMarkers: null });
    const [{ headers, body } = { headers: {}, body: '' }] = server.requests;
    const type = String(headers['content-type']);
    const form = await new Response(body, { headers: { 'content-type': type } }).formData();
    const sent = form.get('file') as File;
    expect([sent.name, await sent.text()]).toEqual([name, 'a,b']);
    expect([form.get('format'), form.get('pages'), form.has('pageMarkers')]).toEqual([
      'rag',
      'true',
      false,
    ]);
  });

  it.each<[string, ScriptedStep]>([
    ['429', apiErrorStep(429, 'rate_limited', at)],
    ['503 with Retry-After', apiErrorStep(503, 'draining', at)],
    ['502 of a proxy', (response) => response.writeHead(502).end('<h1>Bad gateway</h1>')],
    ['a connection that is dropped', drop()],
    ['half a response', drop('{"url":"http')],
    ['an attempt that still runs', apiErrorStep(409, 'idempotency_key_running', at)],
  ])('are repeated with the same Idempotency-Key after %s', async (_, step) => {
    server.script(step, step, json(PAGE));
    expect(await trawl.scrape('http://a.example/')).toEqual(PAGE);
    expect(server.requests).toHaveLength(3);
    expect(keys().size).toBe(1);
  });

  it('use another key for another call, or that of the caller', async () => {
    server.script(json(PAGE), json(PAGE), json({ jobId: 'j' }, 202));
    await trawl.scrape('http://a.example/');
    await trawl.scrape('http://a.example/');
    await trawl.crawl('http://a.example/', {}, { idempotencyKey: 'nightly' });
    expect(keys().size).toBe(3);
    expect(server.requests[2]?.headers['idempotency-key']).toBe('nightly');
  });

  it.each<[string, ScriptedStep, object]>([
    [
      'refused',
      apiErrorStep(400, 'blocked_url'),
      { status: 400, code: 'blocked_url', hint: 'fix blocked_url', requestId: 'r1' },
    ],
    ['without credits', apiErrorStep(402, 'payment_required'), { status: 402 }],
    ['lost', apiErrorStep(410, 'idempotency_answer_gone'), { code: 'idempotency_answer_gone' }],
    ['of the operator', apiErrorStep(503, 'llm_unavailable'), { status: 503, retryable: false }],
    ['internal', apiErrorStep(500, 'internal'), { status: 500, retryable: false }],
    [
      'of another server',
      (response) => response.writeHead(404, { 'x-request-id': 'x' }).end('Not here'),
      { status: 404, code: 'invalid_response', message: 'HTTP 404: Not here', requestId: 'x' },
    ],
    ['no JSON', (response) => response.end('<h1>Hello'), { code: 'invalid_response' }],
    [
      'not before tomorrow',
      apiErrorStep(429, 'screenshot_quota', { 'retry-after': '36000' }),
      { status: 429, retryable: true, retryAfterMs: 36_000_000 },
    ],
  ])('are not repeated when the response is %s', async (_, step, fields) => {
    server.script(step);
    expect(await failure(trawl.scrape('http://a.example/'))).toMatchObject(fields);
    expect(server.requests).toHaveLength(1);
  });

  it("prefer the service's own hint, and keep the other fields", async () => {
    const error = { message: 'Invalid URL', code: 'invalid_url', suggested_fix: 'f' };
    server.script(json({ error, hint: 'Did you mean http://a.example/?', ok: false }, 400));
    const { hint, details } = await failure(trawl.scrape('a'));
    expect(hint).toBe('Did you mean http://a.example/?');
    expect(details['ok']).toBe(false);
  });

  it('end with the last error after the retries', async () => {
    const two = new Trawl({ baseUrl: server.url, apiKey: 'k', retries: 2, retryDelayMs: 1 });
    server.script(drop(), drop(), apiErrorStep(503, 'draining', at), json(PAGE));
    expect(await failure(two.scrape('http://a.example/'))).toMatchObject({ code: 'draining' });
    expect(server.requests).toHaveLength(3);
  });

  it('wait as long as Retry-After says', async () => {
    server.script(apiErrorStep(429, 'rate_limited', { 'retry-after': '1' }), json(PAGE));
    const began = performance.now();
    await trawl.scrape('http://a.example/');
    expect(performance.now() - began).toBeGreaterThanOrEqual(995);
  });

  it('end an attempt that takes too long, and repeat it', async () => {
    let attempts = 0;
    const counted = (url: string, init: RequestInit): Promise<Response> => {
      attempts++;
      return fetch(url, init);
    };
    const hurried = new Trawl({ baseUrl: server.url, apiKey: 'k', timeoutMs: 50, retries: 1, retryDelayMs: 1, fetch: counted }); // prettier-ignore
    const silent: ScriptedStep = () => undefined;
    server.script(silent, silent);
    const error = await failure(hurried.usage());
    expect(error).toMatchObject({ code: 'timeout', retryable: true });
    expect(attempts).toBe(2);
  });

  it('end at once when their signal is aborted, with its reason', async () => {
    const gone = new AbortController();
    server.script(() => gone.abort(new Error('enough')));
    await expect(trawl.scrape('http://a.example/', {}, { signal: gone.signal })).rejects.toThrow(
      'enough',
    );
    await expect(trawl.usage({ signal: gone.signal })).rejects.toThrow('enough');
    expect(server.requests).toHaveLength(1);
  });

  it('end while they wait for a retry when their signal is aborted', async () => {
    const gone = new AbortController();
    server.script((response, request) => {
      apiErrorStep(429, 'rate_limited', { 'retry-after': '60' })(response, request);
      setTimeout(() => gone.abort(new Error('enough')), 20);
    });
    await expect(trawl.usage({ signal: gone.signal })).rejects.toThrow('enough');
  });

  it('do not follow redirects with the key', async () => {
    server.script((response) =>
      response.writeHead(301, { location: 'https://other.example/v1/usage' }).end(),
    );
    const error = await failure(trawl.usage());
    expect(error.message).toContain('https://other.example');
    expect(error.hint).toContain('Set baseUrl');
    expect(server.requests).toHaveLength(1);
  });

  it('name the reason when the service cannot be reached', async () => {
    const nowhere = new Trawl({ baseUrl: 'http://127.0.0.1:1', apiKey: 'k', retries: 0 });
    const error = await failure(nowhere.usage());
    expect(error).toMatchObject({ code: 'network', status: undefined });
    expect(error.message).toMatch(/127\.0\.0\.1:1|bad port/);
  });

  it('upload a file as a form, again after a failure', async () => {
    server.script(drop(), json({ ok: true, markdown: 'text' }));
    const file = new TextEncoder().encode('%PDF-1.7');
    expect(await trawl.parse(file, { format: 'rag' })).toMatchObject({ markdown: 'text' });
    for (const { headers, body } of server.requests) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
      expect(body).toContain('%PDF-1.7');
      expect(body).toMatch(/name="format"\r\n\r\nrag/);
    }
    expect(keys().size).toBe(1);
  });

  it('have the paths of the API', async () => {
    const methods: (() => Promise<unknown>)[] = [
      () => trawl.map('u'),
      () => trawl.extract({ url: 'u' }),
      () => trawl.parse('http://a.example/a.pdf'),
      () => trawl.screenshot('u'),
      () => trawl.enrich('a.example'),
      () => trawl.brand('a.example'),
      () => trawl.search('q'),
      () => trawl.batch(['u']),
      () => trawl.startBatch(['u']),
      () => trawl.crawl('u'),
      () => trawl.jobs(),
      () => trawl.usage(),
      () => trawl.job('a/b').status(),
      () => trawl.job('j').cancel(),
      () => trawl.job('j').extract({}),
    ];
    for (const method of methods) {
      server.script(json({ jobId: 'j' }));
      await method();
    }
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/map',
      'POST /v1/extract',
      'POST /v1/parse',
      'POST /v1/screenshot',
      'POST /v1/enrich',
      'POST /v1/brand',
      'POST /v1/search',
      'POST /v1/batch',
      'POST /v1/batch',
      'POST /v1/crawl',
      'GET /v1/jobs',
      'GET /v1/usage',
      'GET /v1/jobs/a%2Fb',
      'DELETE /v1/jobs/j',
      'POST /v1/crawl/j/extract',
    ]);
  });

  it.each([
    ['baseUrl', { baseUrl: 'localhost:3000', apiKey: 'k' }],
    ['baseUrl', { baseUrl: 'http://user:word@a.example/', apiKey: 'k' }],
    ['apiKey', { baseUrl: 'http://a.example', apiKey: '' }],
    ['apiKey', { baseUrl: 'http://a.example', apiKey: 'key\n' }],
  ])('refuse a %s that cannot be used', (name, options) => {
    expect(() => new Trawl(options)).toThrow(name);
  });

  it('keep the path of the address, and use the given fetch', async () => {
    const seen: string[] = [];
    const behind = new Trawl({
      baseUrl: 'https://a.example/trawl/',
      apiKey: 'k',
      fetch: async (url) => {
        seen.push(url);
        return Response.json({ plan: 'free' });
      },
    });
    await behind.usage();
    expect(seen).toEqual(['https://a.example/trawl/v1/usage']);
  });
});
