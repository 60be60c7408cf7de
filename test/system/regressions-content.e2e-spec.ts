import { startFixtureSite, type Answer, type FixtureSite } from '@app/testing';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';
import type { ScrapeBody } from './trap-run.js';

/**
 * What users of other services complain about, by theme; the numbers are those of the list of regressions. 23, deadlines, is in
 * `traps.serial-spec.ts`.
 */
describe('known complaints about other services: content', () => {
  let service: Service;
  let site: FixtureSite;
  let hosts = 0;

  beforeAll(async () => {
    service = await share();
  });
  afterAll(() => service?.stop());
  // A host of its own for each case: nothing that is remembered of one changes the next.
  beforeEach(async () => {
    site = await startFixtureSite({ host: `127.9.0.${++hosts}` });
  });
  afterEach(() => site.close());

  const scrape = async (path: string, options: object = {}) => {
    const answer = await service.client.scrape({ ...options, url: site.url(path) });
    return { ...answer, body: answer.body as ScrapeBody };
  };

  describe('one page that needs a browser', () => {
    const WORDS = 'Enough words to be the content of a page of its own. '.repeat(8);
    const SHELL = `<!doctype html><title>App</title><div id="root"></div>
      <script>document.getElementById('root').innerHTML = '<h1>App</h1><p>${WORDS}</p>';</script>`;
    const article = (n: number) => `<!doctype html><title>${n}</title><h1>${n}</h1><p>${WORDS}</p>`;
    const attemptsOf = async (path: string): Promise<string[]> =>
      (await scrape(path)).body.cascade.attempts.map(({ rung }) => rung);

    it('makes no other page of its host render, and the next of its shape begin in the browser', async () => {
      const names = Array.from({ length: 12 }, (_, n) => `/section-${'abcdefghijkl'[n]}/page`);
      site.serve({
        '/app/1': SHELL,
        '/app/2': SHELL,
        ...Object.fromEntries(names.map((name, n) => [name, article(n)])),
      });
      expect(await attemptsOf('/app/1')).toEqual(['plain', 'headless']);
      for (const name of names) expect([name, await attemptsOf(name)]).toEqual([name, ['plain']]);
      expect(await attemptsOf('/app/2')).toEqual(['headless']);
      expect(await attemptsOf('/app/1')).toEqual(['headless']);
    });
  });

  describe('14: empty Markdown passed off as success', () => {
    it.each([
      ['a body of no bytes', '/blank', ['empty']],
      ['an empty body element', '/empty', ['empty']],
      ['204', '/status/204', ['empty']],
      ['a shell whose bundle is gone', '/shell/broken', ['js_shell', 'empty']],
      ['a shell that throws', '/shell/throws', ['js_shell', 'empty']],
    ])('%s is named', async (_name, path, reasons) => {
      const { status, body, headers } = await scrape(path);
      expect([status, body.ok, body.partial]).toEqual([200, true, true]);
      expect(reasons).toContain(body.partial_reason);
      expect(body).not.toHaveProperty('fallback');
      // Where a script might fill the page, the browser was tried before the cascade ended.
      if (path.startsWith('/shell')) {
        expect(body.cascade.attempts.map(({ rung }) => rung)).toContain('headless');
      }
      expect(body.cascade.attempts.every(({ ok }) => !ok)).toBe(true);
      if (body.partial_reason === 'empty') {
        expect(headers.get('x-credits-consumed')).toBe('0');
      }
    });

    it('a shell that can be filled is filled, and earlier failures are reported', async () => {
      const { body } = await scrape('/shell/react');
      expect(body.markdown).toContain('article-of-shell-react-end');
      expect(body.fallback).toEqual({ used: true, from: 'plain', to: 'headless' });
      expect(body.cascade).toMatchObject({
        level: 2,
        attempts: [
          { rung: 'plain', ok: false, error_class: 'js_shell' },
          { rung: 'headless', ok: true, error_class: null },
        ],
      });
    });

    it('a crawl names its blank pages too', async () => {
      site.serve({ '/start': '<p>Two pages are linked here.</p><a href="/blank">a</a>' });
      const { jobId } = await service.client.crawl({
        url: site.url('/start'),
        limit: 5,
        allowBackwardLinks: true,
      });
      await service.client.waitForEnd(jobId);
      const pages = await service.client.results(jobId);
      const blank = pages.find(({ url }) => url.endsWith('/blank'));
      expect(blank).toMatchObject({ partial: true, partial_reason: 'empty' });
    });
  });

  describe('15: a blank page answered as an error', () => {
    it.each([
      ['by plain', {}],
      ['in the browser', { forceHeadless: true }],
      ['with its source wanted', { formats: ['markdown', 'rawHtml', 'links'] }],
    ])('is 200 with its reason %s', async (_name, options) => {
      expect(await scrape('/blank', options)).toMatchObject({
        status: 200,
        body: { ok: true, partial: true, partial_reason: 'empty', statusCode: 200 },
      });
    });
  });

  describe('21: text in frames and shadow roots is lost', () => {
    it('finds all thirteen', async () => {
      const { body } = await scrape('/frames/thirteen', { forceHeadless: true });
      const found = Array.from({ length: 13 }, (_, n) => n + 1).filter((n) =>
        body.markdown?.includes(`target-${n}-end`),
      );
      expect(found).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    });

    it('and each of them once', async () => {
      const { body } = await scrape('/frames/thirteen', { forceHeadless: true });
      for (let n = 1; n <= 13; n++) {
        expect([n, body.markdown?.split(`target-${n}-end`).length]).toEqual([n, 2]);
      }
    });
  });

  it('23: milliseconds are milliseconds: waitFor of 2000 waits that long, and not a thousand times it', async () => {
    const startedAt = performance.now();
    const { body } = await scrape('/shell/timer', { waitFor: 2_000 });
    expect(body.markdown).toContain('article-of-shell-timer-end');
    expect(performance.now() - startedAt).toBeGreaterThan(2_000);
  });

  describe('24: redirects', () => {
    it.each([301, 302, 303, 307, 308])('%i is followed and reported', async (status) => {
      const { body } = await scrape(`/redirect/${status}?to=/loop/end/here`);
      expect(body.url).toBe(site.url('/loop/end/here'));
      expect(body.statusCode).toBe(200);
      expect(body.metadata?.redirects).toEqual([
        { url: site.url(`/redirect/${status}?to=/loop/end/here`), statusCode: status },
      ]);
    });

    it('every hop of a chain is reported, and none where there is none', async () => {
      const { body } = await scrape('/redirect-chain/3');
      expect(body.metadata?.redirects?.map(({ url }) => new URL(url).pathname)).toEqual([
        '/redirect-chain/3',
        '/redirect-chain/2',
        '/redirect-chain/1',
      ]);
      expect((await scrape('/about')).body.metadata).not.toHaveProperty('redirects');
    });

    it.each(['/loop/self', '/loop/growing', '/loop/cookie-endless', '/redirect-loop/a'])(
      '%s ends as an error of the page, long before the deadline and after few requests',
      async (path) => {
        const { status, body } = await scrape(path);
        expect([status, body.cascade.attempts.at(-1)?.error_class]).toEqual([422, 'http_error']);
        expect(site.totalRequests).toBeLessThan(25);
      },
    );

    it.each(['/cookie-bounce', '/loop/cookie-counter'])(
      '%s is no loop: the cookies differ, and it ends',
      async (path) => {
        expect((await scrape(path)).status).toBe(200);
      },
    );

    it('is 10 hops at most, of which the tenth still arrives', async () => {
      expect((await scrape('/redirect-chain/10')).status).toBe(200);
      expect((await scrape('/redirect-chain/11')).status).toBe(422);
    });
  });

  describe('26: robots.txt', () => {
    let strict: FixtureSite | undefined;
    afterEach(async () => {
      await strict?.close();
      strict = undefined;
    });
    const withRobots = async (robots: string) => (strict = await startFixtureSite({ robots }));
    const ask = (one: FixtureSite, path: string, options: object = {}): Promise<Answer> =>
      service.client.scrape({ ...options, url: one.url(path) });

    it.each([{}, { forceHeadless: true }])(
      'a refusal is reported and costs nothing (%j)',
      async (way) => {
        const answer = await scrape('/private/x', way);
        expect(answer.body).toMatchObject({
          ok: false,
          error: 'Fetch failed: robots.txt forbids this page',
        });
        expect(answer.headers.get('x-credits-consumed') ?? '0').toBe('0');
        expect(site.count('/private/x')).toBe(0);
        expect((await scrape('/private/x', { ...way, ignoreRobotsTxt: true })).status).toBe(200);
      },
    );

    it('rules for our name count before those for everybody', async () => {
      const one = await withRobots(
        'User-agent: *\nDisallow: /\n\nUser-agent: TrawlBot\nAllow: /\n',
      );
      expect((await ask(one, '/about')).status).toBe(200);
      const two = await startFixtureSite({ robots: 'User-agent: trawlbot\nDisallow: /about\n' });
      expect((await ask(two, '/about')).status).toBe(422);
      expect((await ask(two, '/contact')).status).toBe(200);
      await two.close();
    });

    it('Trawl identifies itself, with an address, for robots.txt and for the page', async () => {
      await scrape('/about');
      const agents = site.requests().map(({ headers }) => headers['user-agent']);
      expect(agents.length).toBeGreaterThanOrEqual(1);
      for (const agent of agents) expect(agent).toMatch(/^TrawlBot\/[\d.]+ \(\+https:\/\/\S+\)/);
    });

    it('is read once for many pages', async () => {
      const one = await withRobots('User-agent: *\nDisallow: /private/\n');
      for (const path of ['/about', '/contact', '/docs', '/private/x']) await ask(one, path);
      expect(one.count('/robots.txt')).toBe(1);
    });

    it('holds for where a script or a redirect leads the browser', async () => {
      site.serve({ '/to-private': '<script>location.replace("/private/x")</script>' });
      const answer = await scrape('/to-private', { forceHeadless: true });
      expect(answer.body.markdown ?? '').not.toContain('Private page');
      const hop = await scrape('/redirect/302?to=/private/x', { forceHeadless: true });
      expect(hop.body.markdown ?? '').not.toContain('Private page');
    });

    it('a crawl lists the pages that it skipped for it', async () => {
      const { jobId } = await service.client.crawl({
        url: site.url('/forbidden-links'),
        limit: 20,
        allowBackwardLinks: true,
      });
      expect((await service.client.waitForEnd(jobId)).skipped).toMatchObject({ robots: 2 });
    });
  });
});
