import { startFixtureSite, type FixtureSite, type TrawlClient } from '@app/testing';
import { untilCached } from './cached-copies.js';
import { MODES, type Service } from './deployment.js';
import { share } from './shared-cluster.js';
import type { ScrapeBody } from './trap-run.js';

const bodyOf = async (client: TrawlClient, request: object): Promise<ScrapeBody> =>
  (await client.scrape(request)).body as ScrapeBody;

/** What users of other services complain about: the numbers are those of the list of regressions. */
describe.each(MODES)('known complaints about other services: isolation, %s', (mode) => {
  let service: Service;
  let other: TrawlClient;
  let site: FixtureSite;

  beforeAll(async () => {
    site = await startFixtureSite();
    // It has one browser: everybody shares it.
    service = await share(mode);
    other = await service.otherTenant();
  });
  afterAll(async () => {
    await service?.stop();
    await site?.close();
  });
  beforeEach(() => site.reset());

  describe('4: cookies and storage of one caller reach the next', () => {
    const forced = { forceHeadless: true };
    /** Until every place of `/state/` was tried; those that are shut cost half a second each. */
    const patient = { actions: [{ type: 'wait', ms: 60_000, selector: '#shown' }] };

    it('no state that a page stored is visible to another tenant, nor to the same one', async () => {
      const kept = await bodyOf(service.client, {
        ...patient,
        url: site.url('/state/keep?mark=secret-of-a'),
      });
      expect(kept.markdown).toContain('places-shown');
      for (const client of [other, service.client]) {
        const read = await bodyOf(client, { ...patient, url: site.url('/state/read') });
        expect(read.markdown).toContain('places-shown');
        expect(read.markdown).not.toContain('secret-of-a');
        expect(read.markdown).toContain('sent-cookies: none');
        expect(read.markdown).not.toContain('from-the-worker');
      }
      expect(site.requests('/state/read').every(({ headers }) => !headers.cookie)).toBe(true);
    });

    it('nor while both are at it', async () => {
      const marks = Array.from({ length: 8 }, (_, n) => `mark-${n}x`);
      const pages = await Promise.all(
        marks.flatMap((mark, n) => {
          const client = n % 2 === 0 ? service.client : other;
          const keep = { ...patient, url: site.url(`/state/keep?mark=${mark}`) };
          const read = { ...patient, url: site.url(`/state/read?n=${n}`) };
          return [bodyOf(client, keep), bodyOf(client, read)];
        }),
      );
      const reads = pages.filter((_, n) => n % 2 === 1);
      for (const { markdown } of reads) {
        expect(markdown).toContain('places-shown');
        expect(markdown).not.toMatch(/mark-\d/);
      }
    });

    it('visits share no browser cache: each requests the site again', async () => {
      for (const client of [service.client, other, service.client]) {
        await bodyOf(client, { ...patient, url: site.url('/state/read') });
      }
      expect(site.count('/state/cached')).toBe(3);
    });

    it.each([{}, forced])('HTTP authentication ends with its request (%j)', async (way) => {
      const url = site.url('/state/basic');
      const authorization = `Basic ${Buffer.from('ada:open').toString('base64')}`;
      const own = await bodyOf(service.client, { ...way, url, headers: { authorization } });
      expect(own.markdown).toContain('hello ada');
      for (const client of [other, service.client]) {
        expect(await client.scrape({ ...way, url })).toMatchObject({
          status: 422,
          body: { error: expect.stringContaining('401') },
        });
      }
    });

    it.each([{}, forced])('cookies and headers end with their request (%j)', async (way) => {
      const url = site.url('/state/headers');
      const secrets = { cookies: 'session=secret-of-a', headers: { 'x-secret': 'secret-of-a' } };
      const own = await bodyOf(service.client, { ...way, ...secrets, url });
      expect(own.markdown).toContain('session=secret-of-a');
      expect(own.markdown).toContain('x-secret: secret-of-a');
      for (const client of [other, service.client]) {
        expect((await bodyOf(client, { ...way, url })).markdown).not.toContain('secret-of-a');
      }
    });

    it('cookies that a site sets are kept over redirects and not a moment longer', async () => {
      expect((await service.client.scrape({ url: site.url('/cookie-bounce') })).status).toBe(200);
      for (const client of [service.client, other]) {
        const page = await bodyOf(client, { url: site.url('/state/cookie?mark=kept') });
        expect(page.markdown).toContain('sent-cookies: none');
      }
    });

    it('cookies and headers are sent to no other site, by redirect or from the page', async () => {
      // Another host: cookies know no ports (RFC 6265 8.5).
      const foreign = await startFixtureSite({ host: '127.9.1.1' });
      site.serve({
        '/with-foreign': `<p>words</p><img src="${foreign.url('/pixel')}"><script>fetch("${foreign.url('/state/headers')}").catch(() => 0)</script>`,
      });
      const to = encodeURIComponent(foreign.url('/state/headers'));
      const secrets = { cookies: 's=secret-of-a', headers: { authorization: 'secret-of-a' } };
      for (const path of [`/redirect/302?to=${to}`, '/with-foreign']) {
        for (const way of [{}, forced]) {
          await bodyOf(service.client, { ...way, ...secrets, url: site.url(path) });
        }
      }
      expect(foreign.totalRequests).toBeGreaterThan(2);
      expect(JSON.stringify(foreign.requests())).not.toContain('secret-of-a');
      await foreign.close();
    });

    it('pages of one crawl do not see each other either', async () => {
      const shell = (script: string, link: string) =>
        `<!doctype html><title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>${script}; document.getElementById('root').innerHTML = '<p>Seen here: ' + seen + '. ' + 'These are words of a page. '.repeat(20) + '</p>${link}';</script>`;
      const keep = "const seen = 'first'; document.cookie = 'a=secret'; localStorage.a = 'secret'";
      const read = "const seen = document.cookie + '/' + localStorage.a + '/end'";
      site.serve({
        '/app/1': shell(keep, '<a href="/app/2">next</a>'),
        '/app/2': shell(read, ''),
      });
      const { jobId } = await service.client.crawl({
        url: site.url('/app/1'),
        limit: 2,
        allowBackwardLinks: true,
      });
      await service.client.waitForEnd(jobId);
      const pages = await service.client.results(jobId);
      const second = pages.find(({ url }) => url.endsWith('/app/2'));
      expect(second?.markdown).toContain('/undefined/end');
    });
  });

  describe('32: a cache that no caller requested, or that mixes callers', () => {
    /** A page of its own for each test: copies stay for days. */
    let pages = 0;
    const freshUrl = (): string => {
      const path = `/cached-page-${++pages}`;
      site.serve({
        [path]: ({ request, response }) => {
          response.writeHead(200, { 'content-type': 'text/html', vary: 'accept-language' });
          const who = `${request.headers.cookie ?? ''} ${request.headers['x-own'] ?? ''} ${request.headers['accept-language'] ?? ''}`;
          response.end(
            `<p>Visit ${site.count(path)} of ${who}. ${'Words of a page. '.repeat(20)}</p>`,
          );
        },
      });
      return site.url(path);
    };
    const isCached = async (client: TrawlClient, request: object): Promise<boolean> =>
      (await bodyOf(client, request)).metadata?.cached ?? false;

    it('serves no copy unless the request accepts one', async () => {
      const url = freshUrl();
      for (const visit of [1, 2]) {
        const page = await bodyOf(service.client, { url });
        expect(page.markdown).toContain(`Visit ${visit}`);
        expect(page.metadata).toMatchObject({ cached: false });
        expect(page.metadata).not.toHaveProperty('cacheAgeMs');
      }
    });

    it('serves a copy when the request accepts one, with its age and without a request to the site', async () => {
      const url = freshUrl();
      await bodyOf(service.client, { url });
      await untilCached(service.database, url);
      const copy = await bodyOf(service.client, { url, maxAge: 600_000 });
      expect(copy.markdown).toContain('Visit 1');
      expect(copy.metadata).toMatchObject({ cached: true, cacheAgeMs: expect.any(Number) });
      expect(copy.metadata?.cacheAgeMs).toBeLessThan(60_000);
      expect(copy.cascade).toEqual({ level: null, attempts: [] });
      expect(site.count(new URL(url).pathname)).toBe(1);
    });

    it('a copy that is too old is fetched again', async () => {
      const url = freshUrl();
      await bodyOf(service.client, { url });
      expect(await isCached(service.client, { url, maxAge: 1 })).toBe(false);
    });

    it("never serves another tenant's copy", async () => {
      const url = freshUrl();
      await bodyOf(service.client, { url });
      expect(await isCached(other, { url, maxAge: 600_000 })).toBe(false);
    });

    it.each<[string, object]>([
      ['cookies', { cookies: 'a=secret-of-a' }],
      ['an Authorization header', { headers: { authorization: 'Bearer secret-of-a' } }],
      ['actions', { actions: [{ type: 'wait', ms: 10 }] }],
    ])('keeps no copy of a page fetched with %s, and serves none to it', async (_name, options) => {
      const url = freshUrl();
      await bodyOf(service.client, { ...options, url });
      expect(await isCached(service.client, { url, maxAge: 600_000 })).toBe(false);
      expect(await isCached(service.client, { ...options, url, maxAge: 600_000 })).toBe(false);
    });

    it.each<[string, object]>([
      ['a header', { headers: { 'x-own': 'other' } }],
      ['a country', { location: { country: 'DE' } }],
      ['the browser', { forceHeadless: true }],
      ['tags left out', { excludeTags: ['p'] }],
      ['the main content', { onlyMainContent: true }],
    ])('does not take a copy made without it for one with %s', async (_name, options) => {
      const url = freshUrl();
      await bodyOf(service.client, { url });
      expect(await isCached(service.client, { ...options, url, maxAge: 600_000 })).toBe(false);
    });

    it('limited to the cache answers 404 without a copy, and sends no request', async () => {
      const url = freshUrl();
      expect((await service.client.scrape({ url, minAge: 0 })).status).toBe(404);
      expect(site.count(new URL(url).pathname)).toBe(0);
      await bodyOf(service.client, { url });
      await untilCached(service.database, url);
      expect(await service.client.scrape({ url, minAge: 0 })).toMatchObject({
        status: 200,
        body: { metadata: { cached: true } },
      });
      expect((await service.client.scrape({ url, minAge: 600_000 })).status).toBe(404);
      expect((await other.scrape({ url, minAge: 0 })).status).toBe(404);
    });
  });
});
