import { once } from 'node:events';
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { Deadline, DEFAULT_FETCH_OPTIONS, type FetchOptions } from '@app/contracts';
import {
  BlockedUrlError,
  EgressGuard,
  HttpClient,
  parseAllowPrivate,
  type HttpRequest,
} from '@app/egress';
import {
  PLAIN_RENDER,
  type FetchedPage,
  type FetchRequest,
  type RungResult,
} from '../fetch-rung.js';
import { Spend } from '../spend.js';
import { PlainRung } from './plain.rung.js';

type Script = (request: http.IncomingMessage, response: http.ServerResponse, turn: number) => void;

const closers: (() => Promise<void>)[] = [];

interface Fixture {
  readonly rung: PlainRung;
  readonly client: HttpClient;
  readonly requests: http.IncomingMessage[];
  readonly port: number;
}

async function open(script: Script): Promise<Fixture> {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    script(request, response, requests.length - 1);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const guard = new EgressGuard({
    resolver: { resolve: async () => ['127.0.0.1'] },
    allowPrivate: parseAllowPrivate(`127.0.0.1/32:${port},site.example:${port}`),
  });
  const client = new HttpClient({
    guard,
    userAgent: 'TrawlTest/1.0',
    connectTimeoutMs: 60_000,
    headersTimeoutMs: 60_000,
  });
  closers.push(async () => {
    await client.close();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return { rung: new PlainRung(client), client, requests, port };
}

type Overrides = Partial<Omit<FetchRequest, 'options' | 'url'>> & {
  readonly options?: Partial<FetchOptions>;
};

function ask(
  fixture: Fixture,
  path: string,
  { options, ...rest }: Overrides = {},
): Promise<RungResult> {
  return fixture.rung.fetch({
    url: new URL(`http://site.example:${fixture.port}${path}`),
    deadline: Deadline.after(60_000),
    maxBytes: 1_000_000,
    options: { ...DEFAULT_FETCH_OPTIONS, ...options },
    spend: new Spend(null),
    onRetryAfter: 'wait',
    render: PLAIN_RENDER,
    ...rest,
  });
}

function pageOf(result: RungResult): FetchedPage {
  if (result.ok && 'page' in result) return result.page;
  throw new Error(`no page: ${JSON.stringify(result)}`);
}

function failureOf(result: RungResult) {
  if (!result.ok) return result.failure;
  throw new Error('no failure');
}

const text = (page: FetchedPage) => Buffer.from(page.body).toString();

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the request', () => {
  it('names the languages of the country', async () => {
    const fixture = await open((_request, response) => response.end());
    await ask(fixture, '/', { options: { country: 'DE' } });
    expect(fixture.requests[0]?.headers).toMatchObject({
      'accept-language': 'de-DE,de;q=0.9,en;q=0.7',
      'user-agent': 'TrawlTest/1.0',
      accept: expect.stringContaining('text/html'),
    });
  });

  it('prefers Markdown to HTML on request, unless the caller has an Accept of its own', async () => {
    const fixture = await open((_request, response) => response.end());
    await ask(fixture, '/', { options: { preferMarkdown: true } });
    await ask(fixture, '/', { options: { preferMarkdown: true, headers: { accept: 'a/b' } } });
    expect(fixture.requests.map(({ headers }) => headers.accept)).toEqual([
      expect.stringMatching(/^text\/markdown, text\/html;q=0\.9, /),
      'a/b',
    ]);
  });

  it("prefers the caller's headers to its own, and sends the cookies", async () => {
    const fixture = await open((_request, response) => response.end());
    const headers = { 'accept-language': 'fr', 'user-agent': 'Mine/1', 'x-key': 'k' };
    await ask(fixture, '/', { options: { headers, cookies: 'a=1', country: 'DE' } });
    expect(fixture.requests[0]?.headers).toMatchObject({ ...headers, cookie: 'a=1' });
  });

  it('keeps them from another origin', async () => {
    const other = await open((_request, response) => response.end('end'));
    const fixture = await open((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${other.port}/` }).end(),
    );
    const guard = new EgressGuard({
      resolver: { resolve: async () => ['127.0.0.1'] },
      allowPrivate: parseAllowPrivate(`127.0.0.1/32:${other.port},site.example:${fixture.port}`),
    });
    const client = new HttpClient({
      guard,
      userAgent: 'TrawlTest/1.0',
      connectTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    });
    const options = { headers: { 'x-key': 'k', authorization: 'Bearer s' }, cookies: 'a=1' };
    const result = await ask({ ...fixture, rung: new PlainRung(client) }, '/', { options });
    expect(text(pageOf(result))).toBe('end');
    const { headers } = other.requests[0] ?? {};
    expect([headers?.['x-key'], headers?.authorization, headers?.cookie]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await client.close();
  });
});

describe('a page', () => {
  it('reports its headers, redirects and times', async () => {
    const fixture = await open((request, response) => {
      if (request.url === '/') return void response.writeHead(301, { location: '/to' }).end();
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'X-Robots-Tag': ['noindex', 'nofollow'],
      });
      response.end('<p>hello');
    });
    const page = pageOf(await ask(fixture, '/'));
    expect(page).toMatchObject({
      url: `http://site.example:${fixture.port}/to`,
      statusCode: 200,
      contentType: 'text/html; charset=utf-8',
      bytes: 8,
      isCut: false,
      isRendered: false,
      redirects: [{ url: `http://site.example:${fixture.port}/`, statusCode: 301 }],
    });
    expect(page.headers['x-robots-tag']).toBe('noindex, nofollow');
    expect(page.robotsTags).toEqual(['noindex', 'nofollow']);
    expect(Object.keys(page.timings)).toContain('ttfbMs');
  });

  it.each([[['a=1; Expires=Wed, 21 Oct 2099 07:28:00 GMT', 'b=2, 3']], [['a=1']], [undefined]])(
    'reports the cookies of the response one by one: %j',
    async (setCookies) => {
      const fixture = await open(({ url }, response) => {
        if (url === '/') response.writeHead(302, { location: '/end', 'set-cookie': 'hop=1' }).end();
        else response.writeHead(200, setCookies ? { 'set-cookie': setCookies } : {}).end('hello');
      });
      expect(pageOf(await ask(fixture, '/')).setCookies).toEqual(setCookies);
    },
  );

  it('returns its body as it was sent where requested, and accepts only gzip', async () => {
    const sent = gzipSync('hello '.repeat(1_000));
    const fixture = await open((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(sent),
    );
    const options = { headers: { 'accept-encoding': 'br' } };
    const page = pageOf(await ask(fixture, '/', { keepsEncoding: true, options }));
    expect(Buffer.compare(page.body, sent)).toBe(0);
    expect(fixture.requests[0]?.headers['accept-encoding']).toBe('gzip');
  });

  it.each([200, 204, 400, 403, 404, 410, 429, 500, 503])(
    'is also one of status %i',
    async (status) => {
      const fixture = await open((_request, response) => response.writeHead(status).end());
      expect(pageOf(await ask(fixture, '/')).statusCode).toBe(status);
    },
  );

  it('is cut at the byte cap', async () => {
    const fixture = await open((_request, response) => response.end('x'.repeat(5_000)));
    const page = pageOf(await ask(fixture, '/', { maxBytes: 1_000 }));
    expect([page.bytes, page.isCut, page.isUnsettled]).toEqual([1_000, true, undefined]);
  });

  it.each([
    ['text/html', 'part', true],
    ['text/plain; charset=x', 'part', true],
    ['application/xhtml+xml', 'part', true],
    ['application/pdf', 'part', false],
    ['text/html', '', false],
  ])('of %s with %j read at the deadline is taken: %p', async (type, part, isTaken) => {
    const fixture = await open((_request, response) => {
      response.writeHead(200, { 'content-type': type });
      response.flushHeaders();
      response.write(part);
    });
    const result = await ask(fixture, '/', { deadline: Deadline.after(isTaken ? 3_000 : 1_500) });
    if (isTaken) {
      expect(pageOf(result)).toMatchObject({ isCut: true, isUnsettled: true, bytes: 4 });
    } else {
      expect(failureOf(result)).toMatchObject({ errorClass: 'timeout' });
    }
  });

  it('is not accepted in part when the caller disconnected', async () => {
    const controller = new AbortController();
    const fixture = await open((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.write('part');
      setTimeout(() => controller.abort(), 50);
    });
    const result = await ask(fixture, '/', { signal: controller.signal });
    expect(failureOf(result).errorClass).toBe('timeout');
  });
});

describe('a failure', () => {
  it.each([
    ['a redirect without Location', 302, {}, 'Fetch failed: HTTP 302'],
    ['several choices', 300, {}, 'Fetch failed: HTTP 300'],
    ['an unrequested 304', 304, {}, 'Fetch failed: HTTP 304'],
    ['a redirect to itself', 302, { location: '/' }, 'Fetch failed: too many redirects'],
  ])('is %s', async (_name, status, headers, problem) => {
    const fixture = await open((_request, response) => response.writeHead(status, headers).end());
    expect(failureOf(await ask(fixture, '/'))).toMatchObject({ errorClass: 'http_error', problem });
  });

  it('is an endless chain of redirects', async () => {
    const fixture = await open((_request, response, turn) =>
      response.writeHead(302, { location: `/${turn}` }).end(),
    );
    expect(failureOf(await ask(fixture, '/')).problem).toBe('Fetch failed: too many redirects');
    expect(fixture.requests).toHaveLength(11);
  });

  it('of the connection is a value', async () => {
    const fixture = await open((request) => request.socket.destroy());
    expect(failureOf(await ask(fixture, '/'))).toMatchObject({
      errorClass: 'network',
      statusCode: null,
    });
  });

  it('of the guard is thrown', async () => {
    const fixture = await open((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.5/' }).end(),
    );
    await expect(ask(fixture, '/')).rejects.toThrow(BlockedUrlError);
  });

  it('of the redirect callback is passed on', async () => {
    const fixture = await open((_request, response) =>
      response.writeHead(302, { location: '/x' }).end(),
    );
    const objection = new Error('robots');
    const onRedirect = () => Promise.reject(objection);
    await expect(ask(fixture, '/', { onRedirect })).rejects.toBe(objection);
  });
});

describe('a cached copy', () => {
  const validators = { etag: '"v1"', lastModified: 'Thu, 01 Jan 2026 00:00:00 GMT' };

  it('is confirmed by a 304', async () => {
    const fixture = await open((_request, response) => response.writeHead(304).end());
    expect(await ask(fixture, '/', { validators })).toEqual({ ok: true, notModified: true });
    expect(fixture.requests[0]?.headers).toMatchObject({
      'if-none-match': '"v1"',
      'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT',
    });
  });

  it('is replaced by a page', async () => {
    const fixture = await open((_request, response) => response.end('new'));
    expect(text(pageOf(await ask(fixture, '/', { validators })))).toBe('new');
  });

  it('is not confirmed by a 304 when it has no validators', async () => {
    const fixture = await open((_request, response) => response.writeHead(304).end());
    expect(failureOf(await ask(fixture, '/', { validators: {} })).errorClass).toBe('http_error');
  });
});

describe('Retry-After', () => {
  const busyOnce =
    (status: number, retryAfter: string): Script =>
    (_request, response, turn) =>
      turn === 0
        ? void response.writeHead(status, { 'retry-after': retryAfter }).end('busy')
        : void response.end('served');

  it.each([429, 503])('of a %i is waited for, once', async (status) => {
    const fixture = await open(busyOnce(status, '0'));
    expect(text(pageOf(await ask(fixture, '/')))).toBe('served');
    expect(fixture.requests).toHaveLength(2);
  });

  it('is not waited for twice', async () => {
    const fixture = await open((_request, response) =>
      response.writeHead(503, { 'retry-after': '0' }).end(),
    );
    expect(pageOf(await ask(fixture, '/')).statusCode).toBe(503);
    expect(fixture.requests).toHaveLength(2);
  });

  it('takes its time', async () => {
    const fixture = await open(busyOnce(429, '1'));
    const startedAt = performance.now();
    expect(text(pageOf(await ask(fixture, '/')))).toBe('served');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  it.each<[string, number, string, Overrides]>([
    ['when it is only to be reported', 429, '0', { onRetryAfter: 'report' }],
    ['when it leaves less than a second', 503, '59', {}],
    ['when it cannot be read', 503, 'soon', {}],
    ['of another status', 500, '0', {}],
  ])('is not waited for %s', async (_name, status, retryAfter, overrides) => {
    const fixture = await open(busyOnce(status, retryAfter));
    const page = pageOf(
      await ask(fixture, '/', { deadline: Deadline.after(59_900), ...overrides }),
    );
    expect([page.statusCode, page.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('is aborted when the caller disconnects', async () => {
    const controller = new AbortController();
    const fixture = await open(busyOnce(503, '50'));
    const { client } = fixture;
    const http = Object.assign(Object.create(client) as HttpClient, {
      async fetch(request: HttpRequest) {
        const response = await client.fetch(request);
        setImmediate(() => controller.abort());
        return response;
      },
    });
    const startedAt = performance.now();
    const asked = ask({ ...fixture, rung: new PlainRung(http) }, '/', {
      signal: controller.signal,
    });
    expect(pageOf(await asked).statusCode).toBe(503);
    expect(performance.now() - startedAt).toBeLessThan(45_000);
    expect(fixture.requests).toHaveLength(1);
  });
});
