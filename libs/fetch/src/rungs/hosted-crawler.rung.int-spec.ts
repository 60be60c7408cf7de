import { Deadline } from '@app/contracts';
import { BlockedUrlError, EgressGuard, HttpClient } from '@app/egress';
import {
  SiteServer,
  startFakeHostedCrawler,
  startLeakCheck,
  type FakeHostedCrawler,
  type LeakCheck,
} from '@app/testing';
import { fetchRequest, loopbackGuard } from '../../test/fetch-request.js';
import { HostedCrawlerRung, type HostedCrawlerOptions } from './hosted-crawler.rung.js';

const PAGE = 'http://93.184.216.34/page';
const KEY = 'SECRET-KEY-2';
/** Far more than a busy machine adds, and far less than what would be waited for wrongly. */
const FAR_TOO_LATE_MS = 45_000;

describe('the hosted crawler rung', () => {
  let leaks: LeakCheck;
  let crawler: FakeHostedCrawler;
  let http: HttpClient;
  beforeEach(async () => {
    leaks = startLeakCheck();
    crawler = await startFakeHostedCrawler({ key: KEY, slowMs: 200 });
    http = new HttpClient({
      guard: EgressGuard.forEndpoint(crawler.baseUrl),
      userAgent: 'Test/1',
      connectTimeoutMs: 60_000,
      headersTimeoutMs: 60_000,
    });
  });
  afterEach(async () => {
    await http.close();
    await crawler.close();
    await leaks.assertClean();
  });
  const create = (over: Partial<HostedCrawlerOptions> = {}) =>
    new HostedCrawlerRung({
      baseUrl: new URL(crawler.baseUrl),
      key: KEY,
      http,
      guard: new EgressGuard(),
      ...over,
    });

  it('returns a page of a real site as UTF-8 with its status and final address', async () => {
    const site = await SiteServer.start(({ url, response }) => {
      if (url.pathname === '/start')
        return void response.writeHead(302, { location: '/end' }).end();
      response.writeHead(404, { 'content-type': 'text/html; charset=latin1' }).end('<p>gone</p>');
    });
    const { guard } = loopbackGuard([site.port]);
    const result = await create({ guard }).fetch(fetchRequest(site.url('/start')));
    expect(result).toMatchObject({
      ok: true,
      page: {
        url: site.url('/end'),
        statusCode: 404,
        contentType: 'text/html; charset=utf-8',
        isRendered: true,
        isCut: false,
      },
    });
    await site.close();
  });

  it('requests the source of a fresh page, with waits, country and scrolling, by the contract', async () => {
    const options = { country: 'DE', waitForMs: 500, scroll: true };
    const deadline = Deadline.after(60_000, () => 0);
    const request = fetchRequest(PAGE, { deadline, options });
    expect(await create().fetch(request)).toMatchObject({ ok: true });
    expect(crawler.scrapes).toMatchObject([
      { url: PAGE, formats: ['rawHtml'], maxAge: 0, waitFor: 500, headers: {} },
    ]);
    const body = JSON.parse(crawler.requests[0]?.body ?? '') as Record<string, unknown>;
    expect(body).toMatchObject({ location: { country: 'DE' }, storeInCache: false });
    expect(body.actions).toHaveLength(10);
    expect(body.timeout).toBe(59_500);
  });

  it('never waits longer than half of its time', async () => {
    const deadline = Deadline.after(60_500, () => 0);
    await create().fetch(fetchRequest(PAGE, { deadline, options: { waitForMs: 60_000 } }));
    expect(crawler.scrapes[0]?.waitFor).toBe(30_000);
  });

  it.each([
    ['401', 'provider_error', null],
    ['402', 'provider_error', null],
    ['404', 'provider_error', null],
    ['408', 'timeout', null],
    ['422', 'provider_error', null],
    ['429', 'provider_error', 1_000],
    ['500', 'provider_error', null],
    ['503', 'provider_error', null],
    ['504', 'timeout', null],
    ['redirect', 'provider_error', null],
    ['hang', 'timeout', null],
    ['hang_body', 'timeout', null],
    ['reset', 'provider_error', null],
    ['not_http', 'provider_error', null],
    ['garbage_json', 'provider_error', null],
    ['html_error', 'provider_error', null],
    ['empty', 'provider_error', null],
    ['truncated', 'provider_error', null],
    ['wrong_type', 'provider_error', null],
    ['huge', 'provider_error', null],
    ['echo_key', 'provider_error', null],
    ['unsuccessful', 'provider_error', null],
    ['timeout_code', 'timeout', null],
    ['no_html', 'provider_error', null],
    ['site_error', 'http_error', null],
  ] as const)('names %s as %s and never shows the key', async (mode, errorClass, retryAfterMs) => {
    crawler.mode = mode;
    // Only a crawler that never responds uses it up; the others end by themselves, long before.
    const deadline = Deadline.after(mode.startsWith('hang') ? 1_800 : 60_000);
    const startedAt = performance.now();
    const result = await create().fetch(fetchRequest(PAGE, { deadline }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass, retryAfterMs } });
    expect(JSON.stringify(result)).not.toContain(KEY);
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it('reports the status of a site that responded without a page', async () => {
    crawler.mode = 'site_error';
    const result = await create().fetch(fetchRequest(PAGE));
    expect(result).toMatchObject({ failure: { statusCode: 404 } });
  });

  it('names an invalid key', async () => {
    const result = await create({ key: 'wrong' }).fetch(fetchRequest(PAGE));
    expect(result).toMatchObject({
      failure: { problem: 'Fetch failed: the provider refuses our key (401): unauthorized' },
    });
  });

  it('waits once for Retry-After where it may and it fits', async () => {
    crawler.nextModes.push('429', 'ok');
    const result = await create().fetch(fetchRequest(PAGE, { onRetryAfter: 'wait' }));
    expect(result).toMatchObject({ ok: true });
    crawler.nextModes.push('429', '429', 'ok');
    expect(await create().fetch(fetchRequest(PAGE, { onRetryAfter: 'wait' }))).toMatchObject({
      ok: false,
      failure: { retryAfterMs: 1_000 },
    });
    expect(crawler.requests).toHaveLength(4);
  });

  it('does not wait for a Retry-After that does not fit', async () => {
    crawler.mode = '429';
    // Once it was asked, the clock stays 2 s before the end: a waiting call has time left to ask
    // again, and the test sees it.
    const deadline = Deadline.at(60_000, () => (crawler.requests.length > 0 ? 58_000 : 0));
    await create().fetch(fetchRequest(PAGE, { deadline, onRetryAfter: 'wait' }));
    expect(crawler.requests).toHaveLength(1);
  });

  it('sends no request when no time is left', async () => {
    const deadline = Deadline.after(1_000);
    const result = await create().fetch(fetchRequest(PAGE, { deadline }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
    expect(crawler.requests).toHaveLength(0);
  });

  it('ends at once with the signal', async () => {
    crawler.mode = 'hang';
    const startedAt = performance.now();
    const deadline = Deadline.after(60_000);
    const signal = AbortSignal.timeout(100);
    const result = await create().fetch(fetchRequest(PAGE, { deadline, signal }));
    expect(result).toMatchObject({ ok: false, failure: { errorClass: 'timeout' } });
    expect(performance.now() - startedAt).toBeLessThan(FAR_TOO_LATE_MS);
  });

  it('cuts a page at the cap and reports it', async () => {
    const result = await create().fetch(fetchRequest(PAGE, { maxBytes: 50 }));
    expect(result).toMatchObject({ ok: true, page: { isCut: true, bytes: 50 } });
  });

  it.each(['http://169.254.169.254/', 'http://inside.example/'])(
    'never receives the private address %s',
    async (url) => {
      const { guard } = loopbackGuard([], ['inside.example']);
      const asked = create({ guard }).fetch(fetchRequest(url));
      await expect(asked).rejects.toBeInstanceOf(BlockedUrlError);
      expect(crawler.requests).toHaveLength(0);
    },
  );

  it("forwards the caller's headers and cookies only where that is allowed", async () => {
    const options = { cookies: 'sid=1', headers: { 'x-own': 'two' } };
    const request = fetchRequest(PAGE, { options });
    expect(await create().fetch(request)).toMatchObject({
      failure: { errorClass: 'provider_error' },
    });
    expect(crawler.requests).toHaveLength(0);
    expect(await create({ forwardHeaders: true }).fetch(request)).toMatchObject({ ok: true });
    expect(crawler.scrapes[0]?.headers).toEqual({ cookie: 'sid=1', 'x-own': 'two' });
    expect(crawler.requests[0]?.headers['cookie']).toBeUndefined();
  });
});
