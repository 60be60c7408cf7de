import { Deadline } from '@app/contracts';
import { BlockedUrlError, HttpFetchError, type HttpRequest, type HttpResponse } from '@app/egress';
import { RobotsCache, type RobotsCacheOptions, type RobotsDecision } from './robots-cache.js';

type Outcome = Partial<HttpResponse> | Error;

function respond(body: string, overrides: Partial<HttpResponse> = {}): Partial<HttpResponse> {
  return { status: 200, body: new Uint8Array(Buffer.from(body)), truncation: null, ...overrides };
}

interface Fixture {
  readonly cache: RobotsCache;
  readonly requests: HttpRequest[];
  nowMs: number;
  outcome: Outcome | Promise<Outcome>;
}

function createFixture(
  outcome: Fixture['outcome'],
  options: Partial<RobotsCacheOptions> = {},
): Fixture {
  const requests: HttpRequest[] = [];
  const http = {
    async fetch(request: HttpRequest): Promise<HttpResponse> {
      requests.push(request);
      const outcome = await fixture.outcome;
      if (outcome instanceof Error) throw outcome;
      return outcome as HttpResponse;
    },
  };
  const cache = new RobotsCache({
    http,
    agentToken: 'FooBot',
    now: () => fixture.nowMs,
    ...options,
  });
  const fixture: Fixture = { cache, requests, nowMs: 0, outcome };
  return fixture;
}

const ask = (fixture: Fixture, url = 'http://site.example/page'): Promise<RobotsDecision> =>
  fixture.cache.rulesFor(new URL(url), { deadline: Deadline.after(60_000) });

const DENY_PAGE = respond('user-agent: *\ndisallow: /page\ncrawl-delay: 2\nsitemap: /s.xml');

describe('RobotsCache', () => {
  it('reads rules, delay and sitemaps of the origin', async () => {
    const fixture = createFixture(DENY_PAGE);
    const verdict = await ask(fixture, 'http://site.example:8080/page?q');
    expect(fixture.requests.map(({ url }) => url)).toEqual(['http://site.example:8080/robots.txt']);
    expect(fixture.requests[0]).toMatchObject({ maxBytes: 512_000, maxRedirects: 5 });
    expect(verdict).toMatchObject({ state: 'found', crawlDelayMs: 2_000, sitemaps: ['/s.xml'] });
    expect(verdict.isAllowed('http://site.example:8080/page')).toBe(false);
    expect(verdict.isAllowed('http://site.example:8080/other')).toBe(true);
  });

  it.each<[string, Outcome, RobotsDecision['state']]>([
    ['404', respond('', { status: 404 }), 'absent'],
    ['401', respond('', { status: 401 }), 'absent'],
    ['403', respond('', { status: 403 }), 'absent'],
    ['a redirect to nowhere', respond('', { status: 302 }), 'absent'],
    ['too many redirects', new HttpFetchError('http_error', 'too_many_redirects'), 'absent'],
    ['429', respond('', { status: 429 }), 'unreachable'],
    ['500', respond('', { status: 500 }), 'unreachable'],
    ['503', respond('user-agent: *\nallow: /', { status: 503 }), 'unreachable'],
    ['a broken connection', new HttpFetchError('network', 'ECONNRESET'), 'unreachable'],
    ['no such host', new HttpFetchError('network', 'ENOTFOUND'), 'unreachable'],
    ['a timeout', new HttpFetchError('timeout', 'deadline'), 'unreachable'],
    ['no HTTP', new HttpFetchError('parse_error', 'invalid_http'), 'unreachable'],
    [
      'S356: a redirect to a private host',
      new BlockedUrlError('redirect', 'http://127.0.0.1/'),
      'unreachable',
    ],
    [
      'a file that broke off',
      respond('user-agent: *', { truncation: 'stream_end' }),
      'unreachable',
    ],
    [
      'a file over the cap',
      respond('user-agent: *\ndisallow: /page', { truncation: 'byte_cap' }),
      'found',
    ],
  ])('takes %s as %s', async (_name, outcome, state) => {
    const verdict = await ask(createFixture(outcome));
    expect(verdict.state).toBe(state);
    expect(verdict.isAllowed('http://site.example/page')).toBe(state === 'absent');
  });

  it('S355: a host the guard refuses is refused here, too, and not remembered', async () => {
    const refusal = new BlockedUrlError('dns', 'http://127.0.0.1/robots.txt');
    const fixture = createFixture(refusal);
    await expect(ask(fixture)).rejects.toBe(refusal);
    fixture.outcome = DENY_PAGE;
    expect((await ask(fixture)).state).toBe('found');
  });

  it.each<[Outcome, RobotsDecision['failure']]>([
    [respond('', { status: 503 }), { errorClass: 'http_error', statusCode: 503, hostCode: null }],
    [
      new HttpFetchError('timeout', 'deadline'),
      { errorClass: 'timeout', statusCode: null, hostCode: 'deadline' },
    ],
    [
      new HttpFetchError('network', 'ENOTFOUND'),
      { errorClass: 'network', statusCode: null, hostCode: 'ENOTFOUND' },
    ],
    [
      new BlockedUrlError('redirect', 'http://10.0.0.1/'),
      { errorClass: 'blocked', statusCode: null, hostCode: null },
    ],
    [DENY_PAGE, null],
  ])('names the failure of outcome %#', async (outcome, failure) => {
    expect((await ask(createFixture(outcome))).failure).toEqual(failure);
  });

  it('does not blame the site where another host that robots.txt leads to fails', async () => {
    const http = {
      async fetch({ onRedirect }: HttpRequest): Promise<HttpResponse> {
        const hop = {
          url: 'http://site.example/robots.txt',
          status: 302,
          location: 'http://b.example/',
        };
        await onRedirect?.(hop, new URL('http://b.example/'));
        throw new HttpFetchError('network', 'ENOTFOUND');
      },
    };
    const cache = new RobotsCache({ http, agentToken: 'FooBot' });
    const url = new URL('http://site.example/page');
    const { failure } = await cache.rulesFor(url, { deadline: Deadline.after(60_000) });
    expect(failure).toEqual({ errorClass: 'network', statusCode: null, hostCode: null });
  });

  it('sends one request for many concurrent callers, per origin', async () => {
    let arrive: (outcome: Outcome) => void = () => undefined;
    const fixture = createFixture(new Promise<Outcome>((resolve) => (arrive = resolve)));
    const urls = [
      'http://a.example/1',
      'http://a.example/2',
      'https://a.example/',
      'http://a.example:81/',
    ];
    const verdicts = Promise.all(urls.map((url) => ask(fixture, url)));
    arrive(DENY_PAGE);
    await verdicts;
    expect(fixture.requests.map(({ url }) => url)).toEqual([
      'http://a.example/robots.txt',
      'https://a.example/robots.txt',
      'http://a.example:81/robots.txt',
    ]);
  });

  it('requests it again after an hour, and after a minute when the site failed', async () => {
    const fixture = createFixture(DENY_PAGE);
    await ask(fixture);
    fixture.nowMs = 3_599_999;
    await ask(fixture);
    expect(fixture.requests).toHaveLength(1);
    fixture.nowMs = 3_600_000;
    fixture.outcome = respond('', { status: 404 });
    expect((await ask(fixture)).state).toBe('absent');

    const failing = createFixture(respond('', { status: 500 }));
    await ask(failing);
    failing.nowMs = 59_999;
    await ask(failing);
    expect(failing.requests).toHaveLength(1);
    failing.nowMs = 60_000;
    failing.outcome = DENY_PAGE;
    expect((await ask(failing)).state).toBe('found');
  });

  it('keeps a file it has read while the site fails, for a day', async () => {
    const fixture = createFixture(DENY_PAGE);
    await ask(fixture);
    fixture.outcome = respond('', { status: 500 });
    fixture.nowMs = 3_600_000;
    expect((await ask(fixture)).isAllowed('http://site.example/other')).toBe(true);
    fixture.nowMs = 86_400_000;
    expect((await ask(fixture)).state).toBe('unreachable');
  });

  it('evicts the least recently used origin beyond its bound', async () => {
    const fixture = createFixture(DENY_PAGE, { maxHosts: 2 });
    for (const host of ['a', 'b', 'a', 'c', 'a', 'b'])
      await ask(fixture, `http://${host}.example/`);
    const asked = fixture.requests.map(({ url }) => new URL(url).hostname.slice(0, 1));
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });

  it('evicts files beyond its bound of bytes', async () => {
    const fixture = createFixture(respond('#'.repeat(10_000)), { maxTotalBytes: 25_000 });
    for (const host of ['a', 'b', 'c', 'c', 'b', 'a'])
      await ask(fixture, `http://${host}.example/`);
    expect(fixture.requests).toHaveLength(4);
  });

  it("ends a caller's wait at its deadline or signal without spoiling the look-up", async () => {
    let arrive: (outcome: Outcome) => void = () => undefined;
    const fixture = createFixture(new Promise<Outcome>((resolve) => (arrive = resolve)));
    const url = new URL('http://site.example/page');
    const controller = new AbortController();
    const late = fixture.cache.rulesFor(url, { deadline: Deadline.after(20) });
    const aborted = fixture.cache.rulesFor(url, {
      deadline: Deadline.after(60_000),
      signal: controller.signal,
    });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ errorClass: 'timeout', code: 'aborted' });
    await expect(late).rejects.toMatchObject({ errorClass: 'timeout', code: 'deadline' });
    arrive(DENY_PAGE);
    expect((await ask(fixture)).state).toBe('found');
    expect(fixture.requests).toHaveLength(1);
  });
});
