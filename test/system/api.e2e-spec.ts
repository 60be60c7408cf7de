import {
  adHocStatement,
  startFixtureSite,
  treeMarker,
  until,
  type Answer,
  type FixtureSite,
} from '@app/testing';
import { API_ERRORS } from '@app/contracts';
import { sumOfGauge } from './browser-census.js';
import { MODES, type Service } from './deployment.js';
import { share, UNKNOWN_ID } from './shared-cluster.js';

const API_DEPENDENCIES = ['database', 'schema', 'broker', 'storage'];
/** The scanner and the browsers are parts of the process that serves. */
const DEPENDENCIES = {
  cluster: API_DEPENDENCIES,
  embedded: [...API_DEPENDENCIES, 'scanners', 'browser'],
};

describe.each(MODES)('the service, %s', (mode) => {
  let service: Service;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: 300, slowPages: 1_000, slowMs: 400 });
    service = await share(mode);
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => site.reset());

  const raw = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(`${service.url}${path}`, init);
    const text = await response.text();
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = undefined;
    }
    return { status: response.status, headers: response.headers, text, body };
  };

  describe('health', () => {
    it('is live, and ready with every dependency named', async () => {
      expect((await raw('/health/live')).status).toBe(200);
      const isReady = async (): Promise<Answer | null> => {
        const answer = await raw('/health/ready?verbose');
        return answer.status === 200 ? answer : null;
      };
      // A dependency that a busy machine delays for seconds is not ready at that moment.
      const ready = await until(isReady, { what: 'a ready service' });
      expect(ready.body).toMatchObject({
        status: 'ready',
        dependencies: DEPENDENCIES[mode].map((name) => ({
          name,
          ok: true,
        })),
      });
    });

    it('keeps metrics on a port of its own', async () => {
      const metrics = await (await fetch(`${service.metricsUrl}/metrics`)).text();
      expect(metrics).toContain('trawl_http_requests_total');
      expect((await raw('/metrics')).status).toBe(404);
    });
  });

  describe('keys', () => {
    it.each([
      ['GET', '/v1/jobs'],
      ['POST', '/v1/scrape'],
      ['GET', '/v1/nothing-here'],
      ['GET', '/%76%31/jobs'],
      ['GET', '//v1/jobs'],
    ])('refuses %s %s without a key', async (method, path) => {
      expect(await raw(path, { method })).toMatchObject({
        status: 401,
        body: { error: 'API key required. Pass via x-api-key header.', hint: expect.any(String) },
      });
    });

    it.each([
      ['x-api-key', (key: string) => key],
      ['authorization', (key: string) => `Bearer ${key}`],
    ])('takes the key in %s', async (header, value) => {
      expect((await raw('/v1/jobs', { headers: { [header]: value(service.key) } })).status).toBe(
        200,
      );
      const wrong = `${service.key.slice(0, -1)}${service.key.endsWith('A') ? 'B' : 'A'}`;
      expect(await raw('/v1/jobs', { headers: { [header]: value(wrong) } })).toMatchObject({
        status: 401,
        body: { error: 'Invalid or revoked API key.', hint: expect.any(String) },
      });
    });

    it.each(['nonsense', 'trawl_live_', 'trawl_live_000000000000_x', 'a'.repeat(5_000)])(
      'refuses the key %s',
      async (key) => {
        expect((await raw('/v1/jobs', { headers: { 'x-api-key': key } })).body).toEqual({
          error: 'Invalid or revoked API key.',
          hint: expect.any(String),
        });
      },
    );
  });

  describe('every answer', () => {
    it("carries a request id, the caller's own when it is sound", async () => {
      expect((await raw('/health/live')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      const own = await raw('/v1/jobs', { headers: { 'x-request-id': 'my-id.1' } });
      expect(own.headers.get('x-request-id')).toBe('my-id.1');
      const odd = await raw('/health/live', { headers: { 'x-request-id': 'a b<c>' } });
      expect(odd.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    });

    it('is our own also for a target that no router can read', async () => {
      const answer = await raw('/v1/%zz', { headers: { 'x-api-key': service.key } });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: 'Invalid URL', hint: expect.any(String) },
      });
      expect(answer.headers.get('x-request-id')).not.toBeNull();
    });

    it('is 404 with a text for an unknown address', async () => {
      expect(await raw('/nothing')).toMatchObject({ status: 404, body: { error: 'Not found' } });
    });
  });

  describe('POST /v1/scrape', () => {
    it('answers Markdown, metadata and the cascade', async () => {
      const answer = await service.client.scrape({ url: site.url('/tree/3') });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        url: site.url('/tree/3'),
        ok: true,
        statusCode: 200,
        metadata: {
          title: 'Tree page 3',
          fetchMethod: 'plain',
          cached: false,
          sourceURL: site.url('/tree/3'),
        },
        cascade: { level: 1, attempts: [{ rung: 'plain', level: 1, ok: true, error_class: null }] },
        unblock: { attempts: [] },
      });
      expect((answer.body as { markdown: string }).markdown).toContain(treeMarker(3));
      expect(answer.headers.get('x-credits-consumed')).toBe('1');
      expect(answer.body).not.toHaveProperty('formats');
      expect(answer.body).not.toHaveProperty('html');
    });

    it('answers the formats that were requested under their names', async () => {
      const { body } = await service.client.scrape({
        url: site.url('/'),
        formats: ['rawHtml', 'links'],
        includeHtml: true,
      });
      const result = body as { formats: { rawHtml: string; links: string[] }; html: string };
      expect(Object.keys(result.formats)).toEqual(['rawHtml', 'links']);
      expect(result.formats.rawHtml).toMatch(/^<!doctype html>/i);
      expect(result.html).toBe(result.formats.rawHtml);
      expect(result.formats.links).toContain(site.url('/docs/install'));
      expect(body).not.toHaveProperty('markdown');
    });

    it('follows redirects and names the page it reached', async () => {
      const { body } = await service.client.scrape({
        url: site.url(`/redirect/302?to=${encodeURIComponent('/tree/1')}`),
      });
      expect(body).toMatchObject({ url: site.url('/tree/1'), ok: true });
    });

    it.each([404, 410, 500, 503])('is 422 for a page that answers %i', async (status) => {
      expect(await service.client.scrape({ url: site.url(`/status/${status}`) })).toMatchObject({
        status: 422,
        body: {
          ok: false,
          error: `Fetch failed: HTTP ${status}`,
          cascade: {
            level: null,
            attempts: [{ rung: 'plain', ok: false, error_class: 'http_error' }],
          },
        },
      });
    });

    it('is 422 for a host that does not resolve', async () => {
      expect(await service.client.scrape({ url: 'http://127.0.0.1:1025/' })).toMatchObject({
        status: 422,
        body: {
          ok: false,
          error: 'Fetch failed: the host 127.0.0.1:1025 refused the connection',
          cascade: {
            level: null,
            attempts: [{ rung: 'plain', level: 1, ok: false, error_class: 'network' }],
          },
        },
      });
    });

    it('is 422 for a connection that is reset', async () => {
      expect(await service.client.scrape({ url: site.url('/reset') })).toMatchObject({
        status: 422,
        body: {
          ok: false,
          cascade: { level: null, attempts: [{ rung: 'plain', error_class: 'network' }] },
        },
      });
    });

    it('is 422 for pages that robots.txt forbids, unless it is ignored', async () => {
      const url = site.url('/private/x');
      expect(await service.client.scrape({ url })).toMatchObject({
        status: 422,
        body: {
          ok: false,
          error: 'Fetch failed: robots.txt forbids this page',
          cascade: {
            level: null,
            attempts: [{ rung: 'plain', level: 1, ok: false, error_class: 'robots' }],
          },
        },
      });
      expect((await service.client.scrape({ url, ignoreRobotsTxt: true })).status).toBe(200);
    });

    it('asks robots.txt of where a redirect leads', async () => {
      const url = site.url(`/redirect/302?to=${encodeURIComponent('/private/x')}`);
      expect(await service.client.scrape({ url })).toMatchObject({
        status: 422,
        body: {
          error: 'Fetch failed: robots.txt forbids this page',
          cascade: { attempts: [{ rung: 'plain', ok: false, error_class: 'robots' }] },
        },
      });
      expect(site.count('/private/x')).toBe(0);
    });

    it('reads null as an option that was not set', async () => {
      const { status, body } = await service.client.scrape({
        url: site.url('/'),
        formats: null,
        includeHtml: null,
      });
      expect([status, Object.keys(body as object)]).toEqual([
        200,
        expect.arrayContaining(['markdown']),
      ]);
    });

    it('names a blank page instead of passing it off as content, free of charge', async () => {
      for (const path of ['/blank', '/empty']) {
        const answer = await service.client.scrape({ url: site.url(path) });
        expect(answer).toMatchObject({
          status: 200,
          body: { ok: true, partial: true, partial_reason: 'empty', markdown: expect.any(String) },
        });
        expect(answer.headers.get('x-credits-consumed')).toBe('0');
      }
    });

    it('refuses content it cannot convert', async () => {
      expect(await service.client.scrape({ url: site.url('/binary.png') })).toMatchObject({
        status: 422,
        body: { ok: false, error: expect.stringContaining('cannot be converted') },
      });
    });

    it('carries a large page through storage and leaves no blob there', async () => {
      const answer = await service.client.scrape({
        url: site.url('/big/3000000'),
        formats: ['rawHtml'],
      });
      expect(answer.status).toBe(200);
      expect(
        (answer.body as { formats: { rawHtml: string } }).formats.rawHtml.length,
      ).toBeGreaterThan(2_900_000);
    });

    it.each<[string, unknown, string]>([
      ['no url', {}, '`url` is required'],
      ['an empty url', { url: '' }, '`url` is required'],
      ['a url that is none', { url: 'nope' }, 'Invalid URL'],
      ['a url that is no text', { url: 7 }, 'Invalid URL'],
      ['a private target', { url: 'http://10.0.0.1/' }, 'Blocked URL: http://10.0.0.1/'],
      [
        'metadata',
        { url: 'http://169.254.169.254/latest/' },
        'Blocked URL: http://169.254.169.254/latest/',
      ],
      [
        'an unknown field',
        { url: 'http://a.example/', waitfor: 1 },
        'Unknown field `waitfor`. See /openapi.json for the fields of this endpoint.',
      ],
      [
        'an unknown format',
        { url: 'http://a.example/', formats: ['pdf'] },
        '`formats` holds an unsupported value; supported values are markdown, rawHtml, links, screenshot',
      ],
      [
        'no format at all',
        { url: 'http://a.example/', formats: [] },
        '`formats` is empty: name at least one of markdown, rawHtml, links, screenshot',
      ],
      [
        'a format that is no list',
        { url: 'http://a.example/', formats: 'markdown' },
        '`formats` must be an array',
      ],
      [
        'a cache age past 30 days',
        { url: 'http://a.example/', maxAge: 2_592_000_001 },
        '`maxAge` must be at most 2592000000',
      ],
      ['a wait past a minute', { url: 'http://a.example/', waitFor: 60_001 }, '`waitFor` must be'],
      [
        'a selector that is none',
        { url: 'http://a.example/', includeTags: ['a[['] },
        'an entry of `includeTags`',
      ],
      [
        'a script to run',
        { url: 'http://a.example/', actions: [{ type: 'executeJavascript', script: '1' }] },
        'action_not_available',
      ],
      ['an array', [], 'Invalid JSON body'],
      ['a text', '"x"', 'Invalid JSON body'],
      ['broken JSON', '{"url": ', 'Invalid JSON body'],
      ['nothing', '', 'Invalid JSON body'],
    ])('refuses %s', async (_, body, error) => {
      const answer = await service.client.scrape(body);
      expect(answer.status).toBe(400);
      expect((answer.body as { error: string }).error).toContain(error);
      if (error.startsWith('Blocked')) expect(answer.body).toMatchObject({ ok: false });
      expect(site.requests()).toHaveLength(0);
    });

    it('refuses a redirect to a private target with the address that was requested', async () => {
      const url = site.url(`/redirect/302?to=${encodeURIComponent('http://10.0.0.1/')}`);
      expect(await service.client.scrape({ url })).toMatchObject({
        status: 400,
        body: { ok: false, error: `Blocked URL: ${url}`, hint: expect.any(String) },
      });
    });

    it('refuses a body at its limit and one byte more', async () => {
      const bodyOf = (bytes: number) => {
        const frame = JSON.stringify({ url: site.url('/'), x: '' });
        return JSON.stringify({ url: site.url('/'), x: 'y'.repeat(bytes - frame.length) });
      };
      expect((await service.client.scrape(bodyOf(1_048_576))).body).toMatchObject({
        error: expect.stringContaining('Unknown field'),
      });
      expect(await service.client.scrape(bodyOf(1_048_577))).toMatchObject({
        status: 413,
        body: {
          error: 'Request body too large: the limit is 1048576 bytes',
          hint: expect.any(String),
        },
      });
    });

    it('refuses more options than a task may carry, as too large and not as a fault', async () => {
      const write = { type: 'write', selector: '#note', text: 'x'.repeat(9_000) };
      const actions = Array.from({ length: 10 }, () => write);
      const { status, body } = await service.client.scrape({ url: site.url('/'), actions });
      expect([status, body]).toEqual([
        413,
        { error: 'Request body too large: the limit is 65536 bytes', hint: expect.any(String) },
      ]);
    });

    it.each(['text/plain', 'application/xml'])('refuses %s', async (type) => {
      const answer = await raw('/v1/scrape', {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': type },
        body: '{}',
      });
      expect(answer).toMatchObject({
        status: 415,
        body: {
          error: 'Unsupported content type: send application/json',
          hint: expect.any(String),
        },
      });
    });

    it('refuses a form', async () => {
      const answer = await raw('/v1/scrape', {
        method: 'POST',
        headers: { 'x-api-key': service.key, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'url=x',
      });
      expect(answer.status).toBe(415);
    });
  });

  describe('a crawl', () => {
    const sumOf = ({ pages }: { pages: Record<string, number> }): number =>
      Object.entries(pages).reduce((sum, [name, n]) => (name === 'discovered' ? sum : sum + n), 0);

    it('scrapes exactly its limit, reports every address, and returns the results', async () => {
      const started = await service.client.crawl({
        url: site.url('/tree/0'),
        limit: 40,
        allowBackwardLinks: true,
        sitemap: 'skip',
      });
      expect(started).toMatchObject({ status: 'queued', url: site.url('/tree/0') });
      const job = await service.client.waitForEnd(started.jobId);
      expect(job).toMatchObject({ status: 'completed', pages_scraped: 40, error: null });
      expect(job.pages.scraped).toBe(40);
      expect(sumOf(job as never)).toBe(job.pages.discovered);
      expect(job.skipped).toMatchObject({ limit: job.pages.skipped });

      const pages = await service.client.results(job.id, 7);
      expect(pages).toHaveLength(40);
      expect(new Set(pages.map((page) => page.url)).size).toBe(40);
      for (const page of pages) {
        const index = Number(/\/tree\/(\d+)$/.exec(page.url)?.[1]);
        expect(page.markdown).toContain(treeMarker(index));
      }
      const lines: string[] = [];
      for await (const page of service.client.ndjson(job.id)) lines.push(page.url);
      expect(lines).toEqual(pages.map((page) => page.url));

      const file = await fetch(job.result_url ?? '');
      expect(file.status).toBe(200);
      expect(file.headers.get('content-disposition')).toContain(job.id);
      expect((await file.json()) as unknown[]).toHaveLength(40);

      const fetched = site.requests().filter((request) => request.path.startsWith('/tree/'));
      expect(fetched).toHaveLength(40);
    });

    it('crawls a whole small site and ends by itself', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/'),
        limit: 100,
        sitemap: 'skip',
      });
      const job = await service.client.waitForEnd(jobId);
      expect(job).toMatchObject({ status: 'completed', pages_scraped: 6 });
    });

    it.each([
      [0, 1],
      [1, 6],
    ])('with maxDepth %i scrapes %i pages', async (maxDepth, pages) => {
      const { jobId } = await service.client.crawl({
        url: site.url('/'),
        limit: 100,
        maxDepth,
        sitemap: 'skip',
      });
      expect((await service.client.waitForEnd(jobId)).pages_scraped).toBe(pages);
    });

    it('respects includePaths and excludePaths and reports the skipped pages', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/'),
        limit: 100,
        includePaths: ['/docs'],
        excludePaths: ['/docs/usage'],
        sitemap: 'skip',
      });
      const job = await service.client.waitForEnd(jobId);
      const paths = (await service.client.results(jobId)).map((page) => new URL(page.url).pathname);
      expect(new Set(paths)).toEqual(new Set(['/', '/docs', '/docs/install']));
      expect(job.skipped).toEqual({ excluded: 1, not_included: 2 });
    });

    it('follows no link above its start page', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/docs'),
        limit: 100,
        sitemap: 'skip',
      });
      const job = await service.client.waitForEnd(jobId);
      expect(job.pages_scraped).toBe(3);
      expect(job.skipped).toEqual({ backward: 3 });
    });

    it('goes on where its start page redirects to, unless it is kept to its URL', async () => {
      const moved = await startFixtureSite();
      const url = site.url(`/redirect/301?to=${encodeURIComponent(moved.url('/docs'))}`);
      const crawled = async (over: object) => {
        const { jobId } = await service.client.crawl({ url, limit: 20, sitemap: 'skip', ...over });
        return service.client.waitForEnd(jobId);
      };
      expect(await crawled({})).toMatchObject({
        pages_scraped: 3,
        scope: moved.url('/docs'),
        skipped: { backward: 3 },
      });
      expect(await crawled({ allowBackwardLinks: true })).toMatchObject({
        pages_scraped: 6,
        scope: moved.url('/'),
      });
      expect(await crawled({ strictScope: true })).toMatchObject({
        pages_scraped: 1,
        scope: site.url('/redirect/301'),
      });
      await moved.close();
    });

    it('does not fetch pages that robots.txt forbids, and reports them', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/forbidden-links'),
        limit: 100,
        allowBackwardLinks: true,
      });
      const job = await service.client.waitForEnd(jobId);
      expect(job.skipped['robots']).toBeGreaterThan(0);
      expect(site.requests().filter((request) => request.path.startsWith('/private/'))).toEqual([]);
    });

    it('retries a flaky page and fails a dead one with its class', async () => {
      const flaky = await service.client.crawl({ url: site.url('/flaky/1'), limit: 1 });
      expect(await service.client.waitForEnd(flaky.jobId)).toMatchObject({
        status: 'completed',
        pages_scraped: 1,
      });
      const dead = await service.client.crawl({ url: site.url('/status/404'), limit: 1 });
      expect(await service.client.waitForEnd(dead.jobId)).toMatchObject({
        status: 'failed',
        pages_scraped: 0,
        failed: { http_error: 1 },
        error: 'No page could be scraped: the start page was failed (http_error, HTTP 404).',
        result_url: null,
      });
    });

    it('stops asking the site 5 s after it was cancelled, and stays cancelled', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/slow-site/0'),
        limit: 1_000,
        allowBackwardLinks: true,
      });
      await until(async () => (await service.client.job(jobId)).pages_scraped >= 8, {
        what: 'some pages',
      });
      const answer = await service.client.cancel(jobId);
      expect(answer).toMatchObject({
        status: 200,
        body: { jobId, status: 'cancelled', cancelled: true },
      });
      const cancelledAt = Date.now();
      const { pages_scraped: scraped } = await service.client.job(jobId);
      const isIdle = async (): Promise<boolean> =>
        site.inFlight === 0 && (await sumOfGauge(service.apps, 'trawl_consumer_in_flight')) === 0;
      await until(isIdle, { what: 'the fetcher to be at rest' });
      const late = site.requests().filter((request) => request.atMs > cancelledAt + 5_000);
      expect(late).toEqual([]);
      const job = await service.client.job(jobId);
      expect(job).toMatchObject({ status: 'cancelled', pages_scraped: scraped, result_url: null });
      expect(sumOf(job as never)).toBe(job.pages.discovered);
      expect(await service.client.cancel(jobId)).toMatchObject({
        status: 200,
        body: { status: 'cancelled', cancelled: true },
      });
    });

    it('keeps going at a site that requests a pause of months', async () => {
      const patient = await startFixtureSite({ robots: 'User-agent: *\nCrawl-delay: 9999999\n' });
      const { jobId } = await service.client.crawl({ url: patient.url('/'), limit: 1 });
      expect(await service.client.waitForEnd(jobId)).toMatchObject({
        status: 'completed',
        pages_scraped: 1,
      });
      await patient.close();
    });

    it('accepts a DELETE whose client sends a content type with an empty body', async () => {
      const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 1 });
      const answer = await raw(`/v1/crawl/${jobId}`, {
        method: 'DELETE',
        headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(200);
      await service.client.waitForEnd(jobId);
    });

    it('reports a finished job unchanged when it is cancelled too late', async () => {
      const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 1 });
      await service.client.waitForEnd(jobId);
      expect((await service.client.cancel(jobId)).body).toEqual({
        jobId,
        status: 'completed',
        cancelled: false,
      });
    });

    it('is invisible to another tenant', async () => {
      const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 1 });
      const other = await service.otherTenant();
      for (const [method, path] of [
        ['GET', `/v1/jobs/${jobId}`],
        ['GET', `/v1/crawl/${jobId}`],
        ['GET', `/v1/crawl/${jobId}/results`],
        ['DELETE', `/v1/crawl/${jobId}`],
      ] as const) {
        const theirs = await other.call(method, path);
        const unknown = await other.call(method, path.replace(jobId, UNKNOWN_ID));
        expect([theirs.status, theirs.text]).toEqual([
          404,
          expect.stringMatching(/^\{"error":"Job not found","hint":/),
        ]);
        expect([unknown.status, unknown.text]).toEqual([theirs.status, theirs.text]);
      }
      expect(await other.jobs()).toEqual({ jobs: [] });
      expect((await service.client.waitForEnd(jobId)).status).toBe('completed');
    });

    it('lists the newest jobs first, at most 20', async () => {
      const ids: string[] = [];
      for (let n = 0; n < 21; n++) {
        ids.unshift((await service.client.crawl({ url: site.url('/status/404'), limit: 1 })).jobId);
      }
      const { jobs } = (await service.client.jobs()) as { jobs: { id: string }[] };
      expect(jobs.map((job) => job.id)).toEqual(ids.slice(0, 20));
    });

    it.each<[string, object, string]>([
      ['a limit of nothing', { limit: 0 }, '`limit` must be at least 1'],
      ['a broken limit', { limit: 1.5 }, '`limit` must be a whole number'],
      ['a webhook inside', { webhook: 'http://10.0.0.1/' }, 'Blocked URL: http://10.0.0.1/'],
      [
        'a misspelt option',
        { maxpages: 3 },
        'Unknown field `maxpages`. See /openapi.json for the fields of this endpoint.',
      ],
      [
        'a pattern of wildcards',
        { includePaths: ['/a*'.repeat(9)] },
        'an entry of `includePaths` has more than 8 wildcards',
      ],
      [
        'a NUL',
        { excludePaths: ['/a\u0000'] },
        'an entry of `excludePaths` holds characters that cannot be stored',
      ],
      [
        'half a character',
        { excludePaths: ['/\ud800'] },
        'an entry of `excludePaths` holds characters that cannot be stored',
      ],
      [
        'paths that are no list',
        { includePaths: '/a' },
        '`includePaths` must be an array of strings',
      ],
    ])('refuses %s', async (_, over, error) => {
      const answer = await service.client.call('POST', '/v1/crawl', {
        url: site.url('/'),
        ...over,
      });
      expect(answer).toMatchObject({ status: 400, body: { error } });
    });

    it('clamps a limit to the ceiling', async () => {
      const { message, jobId } = await service.client.crawl({
        url: site.url('/status/404'),
        limit: 5_000,
      });
      expect(message).toContain('up to 1000 pages');
      await service.client.waitForEnd(jobId);
    });

    it.each([
      ['?limit=0', '`limit` must be a whole number from 1 to 100'],
      ['?limit=101', '`limit` must be a whole number from 1 to 100'],
      ['?cursor=x', '`cursor` must be a whole number from 0 to 2147483647'],
    ])('refuses results%s', async (query, error) => {
      const answer = await service.client.call('GET', `/v1/crawl/${UNKNOWN_ID}/results${query}`);
      expect(answer).toMatchObject({ status: 400, body: { error } });
    });
  });

  describe('downloads', () => {
    it('refuses a made-up link', async () => {
      expect(await raw('/downloads/abc.def')).toMatchObject({
        status: 403,
        body: { error: API_ERRORS.download_expired.text },
      });
    });
  });

  describe('GET /openapi.json', () => {
    it('is public OpenAPI 3.1 with every route and its refusals', async () => {
      const answer = await raw('/openapi.json');
      expect(answer.headers.get('content-type')).toContain('application/json');
      const document = answer.body as {
        openapi: string;
        info: { version: string };
        paths: Record<
          string,
          Record<string, { responses: Record<string, { description: string }> }>
        >;
      };
      expect(document.openapi).toBe('3.1.0');
      expect(document.info.version).toBe('0.1.0');
      expect(Object.keys(document.paths).sort()).toEqual([
        '/downloads/{token}',
        '/feeds/{token}',
        '/health/live',
        '/health/ready',
        '/v1/batch',
        '/v1/billing/checkout',
        '/v1/billing/portal',
        '/v1/billing/usage',
        '/v1/brand',
        '/v1/chat',
        '/v1/connectors',
        '/v1/crawl',
        '/v1/crawl/{id}',
        '/v1/crawl/{id}/changes',
        '/v1/crawl/{id}/events',
        '/v1/crawl/{id}/extract',
        '/v1/crawl/{id}/results',
        '/v1/crawl/{id}/search',
        '/v1/crawl/{id}/urls',
        '/v1/data',
        '/v1/data/deletions/{id}',
        '/v1/enrich',
        '/v1/enrich/website',
        '/v1/extract',
        '/v1/feeds',
        '/v1/feeds/{id}',
        '/v1/feeds/{id}/addresses',
        '/v1/feeds/{id}/pause',
        '/v1/feeds/{id}/resume',
        '/v1/feeds/{id}/run',
        '/v1/feeds/{id}/runs',
        '/v1/graph/business/{idOrDomain}',
        '/v1/graph/query',
        '/v1/jobs',
        '/v1/jobs/{id}',
        '/v1/keys',
        '/v1/keys/provision',
        '/v1/keys/{id}',
        '/v1/keys/{id}/rotate',
        '/v1/map',
        '/v1/parse',
        '/v1/preview',
        '/v1/pricing',
        '/v1/profiles',
        '/v1/profiles/{name}',
        '/v1/pull',
        '/v1/pull/{id}',
        '/v1/pull/{id}/results',
        '/v1/resolve',
        '/v1/scrape',
        '/v1/scrapers/directory',
        '/v1/scrapers/listings',
        '/v1/scrapers/maps',
        '/v1/scrapers/reviews',
        '/v1/screenshot',
        '/v1/search',
        '/v1/sites',
        '/v1/sites/{name}',
        '/v1/sites/{name}/changes',
        '/v1/sites/{name}/crawl',
        '/v1/usage',
        '/v1/webhooks/deliveries',
        '/v1/webhooks/deliveries/{id}',
        '/v1/webhooks/deliveries/{id}/redeliver',
        '/v1/webhooks/secret',
        '/v1/webhooks/test',
        '/v2/batch/scrape',
        '/v2/batch/scrape/{id}',
        '/v2/crawl',
        '/v2/crawl/{id}',
        '/v2/map',
        '/v2/parse',
        '/v2/scrape',
        '/v2/search',
        '/webhooks/stripe',
      ]);
      for (const [path, methods] of Object.entries(document.paths)) {
        for (const operation of Object.values(methods)) {
          if (!path.startsWith('/v1')) continue;
          const unkeyed = operation.responses['401']?.description;
          if (path === '/v1/keys/provision') expect(unkeyed).toBeUndefined();
          else expect(unkeyed).toContain(API_ERRORS.api_key_required.text);
          expect(operation.responses['503']?.description).toContain(
            API_ERRORS.auth_unavailable.text,
          );
        }
      }
    });
  });

  it('refuses a revoked key from the next request on', async () => {
    const { id, client } = await service.tenant();
    expect((await client.call('GET', '/v1/jobs')).status).toBe(200);
    const revoke = 'UPDATE api_keys SET revoked_at = now() WHERE tenant_id = $1';
    await service.database.query(adHocStatement(revoke), [id]);
    expect((await client.call('GET', '/v1/jobs')).body).toEqual({
      error: 'Invalid or revoked API key.',
      hint: expect.any(String),
    });
  });
});
