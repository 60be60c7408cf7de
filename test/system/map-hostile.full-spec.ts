import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  fileOf,
  NO_ANSWER,
  SiteServer,
  sitemapIndexOf,
  urlsetOf,
  type FixtureSite,
  type OwnPage,
} from '@app/testing';
import { MODES } from './deployment.js';
import { bareSite, homepage, MAP_TIMEOUT_MS, MapRun } from './map-run.js';

const MIB = 1024 ** 2;

describe.each(MODES)('a map of hostile sitemaps, %s', (mode) => {
  let run: MapRun;

  beforeAll(async () => {
    run = await MapRun.start(mode);
  }, 120_000);
  afterAll(() => run?.service.stop(), 60_000);
  afterEach(() => run.closeSites());

  describe('a site that does not answer', () => {
    it.each([
      ['errors', { '/': (({ response }) => void response.writeHead(500).end('no')) as OwnPage }],
      ['a missing homepage', {}],
    ])('of which there are only %s ends in 502, for nothing', async (_name, pages) => {
      const site = await run.open(pages);
      const { id, client } = await run.tenantOn('pro');
      const answer = await run.ask({ url: site.url() }, client);
      expect([answer.status, answer.body]).toEqual([
        502,
        { ok: false, error: 'map_fetch_failed', message: expect.stringContaining('Fetch failed') },
      ]);
      expect(answer.headers.get('x-credits-consumed')).toBeNull();
      expect(await run.chargesOf(id)).toEqual([]);
    });

    it('is 502 without a listener', async () => {
      const site = await bareSite();
      const url = site.url();
      await site.close();
      expect((await run.ask({ url })).status).toBe(502);
    });

    it('is 504 where everything hangs, within its time', async () => {
      const all = { '/': NO_ANSWER, '/sitemap.xml': NO_ANSWER, '/sitemap_index.xml': NO_ANSWER };
      const site = await run.open(all);
      const startedAt = performance.now();
      const answer = await run.ask({ url: site.url() });
      expect([answer.status, answer.body]).toEqual([
        504,
        { ok: false, error: 'map_timeout', message: expect.any(String) },
      ]);
      expect(performance.now() - startedAt).toBeLessThan(MAP_TIMEOUT_MS + 1_000);
    });

    it('answers with the homepage while the sitemaps hang', async () => {
      const site = await run.open({
        '/sitemap.xml': NO_ANSWER,
        '/sitemap_index.xml': NO_ANSWER,
        '/': homepage('<a href="/in">in</a>'),
      });
      const body = await run.map({ url: site.url() });
      expect(body).toMatchObject({ links: [site.url('/in')], source: 'crawl', cuts: ['unread'] });
    });

    it('answers with the given page while the homepage hangs', async () => {
      const site = await run.open({ '/': NO_ANSWER, '/docs/': homepage('<a href="in">in</a>') });
      const body = await run.map({ url: site.url('/docs/') });
      expect(body).toMatchObject({
        links: [site.url('/docs/in')],
        source: 'crawl',
        timedOut: true,
      });
    });

    it('returns the links found by then, and reports the cut', async () => {
      const site = await run.open();
      const half = urlsetOf([site.url('/half-1'), site.url('/half-2')]).replace('</urlset>', '');
      site.serve({
        '/sitemap.xml': fileOf(
          sitemapIndexOf(['/good.xml', '/hangs.xml', '/half.xml'].map((name) => site.url(name))),
        ),
        '/good.xml': fileOf(urlsetOf([site.url('/good')])),
        '/hangs.xml': NO_ANSWER,
        '/half.xml': ({ response }) => void response.writeHead(200).write(half),
      });
      const startedAt = performance.now();
      const body = await run.map({ url: site.url() });
      expect(body).toMatchObject({
        links: ['/good', '/half-1', '/half-2'].map((path) => site.url(path)),
        source: 'sitemap',
        timedOut: true,
        cuts: ['incomplete', 'unread'],
      });
      expect(performance.now() - startedAt).toBeLessThan(MAP_TIMEOUT_MS + 1_000);
    });
  });

  describe('addresses that may not be fetched', () => {
    let canary: SiteServer;
    beforeAll(async () => {
      canary = await SiteServer.start(
        ({ response }) => void response.writeHead(200).end('<urlset/>'),
        { host: '127.0.0.2' },
      );
    });
    afterAll(() => canary?.close());
    beforeEach(() => canary.reset());

    const privates = (): string[] => [
      canary.url('/sitemap.xml'),
      'http://169.254.169.254/latest/meta-data/',
      `http://[::ffff:127.0.0.2]:${canary.port}/`,
      'file:///etc/passwd',
    ];

    it.each([
      [
        'a line of robots.txt',
        (_site: FixtureSite, text: string) => ({ '/robots.txt': fileOf(`Sitemap: ${text}\n`, {}) }),
      ],
      [
        'a child of an index',
        (site: FixtureSite, text: string) => ({
          '/sitemap_index.xml': fileOf(sitemapIndexOf([text, site.url('/ok.xml')])),
        }),
      ],
      [
        'a redirect of a sitemap',
        (site: FixtureSite, text: string) => ({
          '/sitemap_index.xml': fileOf(sitemapIndexOf([site.url('/moved.xml')])),
          '/moved.xml': (({ response }) =>
            void response.writeHead(302, { location: text }).end()) as OwnPage,
        }),
      ],
    ])('are never asked, though %s names them', async (_name, pagesFor) => {
      for (const text of privates()) {
        const site = await run.open();
        site.serve({ '/sitemap.xml': fileOf(urlsetOf([site.url('/a')])), ...pagesFor(site, text) });
        expect((await run.map({ url: site.url() })).links).toEqual([site.url('/a')]);
      }
      expect([canary.totalRequests, canary.openSockets]).toEqual([0, 0]);
    });

    it('are never asked, though the homepage redirects to them', async () => {
      const site = await run.open({ '/docs/': homepage('<a href="in">in</a>') });
      const location = canary.url('/');
      site.serve({ '/': ({ response }) => void response.writeHead(302, { location }).end() });
      const { links } = await run.map({ url: site.url('/docs/') });
      expect([links, canary.openSockets]).toEqual([[site.url('/docs/in')], 0]);
    });

    it('are refused when they are the site', async () => {
      for (const url of [canary.url(), 'http://169.254.169.254/']) {
        const answer = await run.ask({ url });
        expect([answer.status, answer.body]).toEqual([
          400,
          { ok: false, error: `Blocked URL: ${url}`, hint: expect.any(String) },
        ]);
      }
      expect(canary.openSockets).toBe(0);
    });
  });

  describe('a bomb', () => {
    const fetcherPid = (): number => run.service.apps.at(-1)?.process.pid ?? 0;
    /** Highest resident memory of the process that fetches, bytes, since it was forgotten. */
    const peakBytes = (): number => {
      const status = readFileSync(`/proc/${fetcherPid()}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
    };
    /** proc(5): the peak begins anew at what is resident now. */
    const forgetPeak = (): void => writeFileSync(`/proc/${fetcherPid()}/clear_refs`, '5');
    const bomb = gzipSync(Buffer.concat([Buffer.from('<urlset>'), Buffer.alloc(1_024 * MIB, ' ')]));

    it.each([
      ['as it is', { 'content-type': 'application/gzip' }, bomb],
      ['as Content-Encoding', { 'content-encoding': 'gzip' }, bomb],
      ['twice', { 'content-encoding': 'gzip' }, gzipSync(bomb)],
    ])(
      'of a gigabyte, packed %s, costs the process less than 64 MB',
      async (_name, headers, file) => {
        const small = await run.open({
          '/sitemap.xml': fileOf(gzipSync('<urlset/>')),
          '/': homepage(''),
        });
        await run.map({ url: small.url() });
        forgetPeak();
        const before = peakBytes();
        const site = await run.open({ '/': homepage('') });
        site.serve({
          '/robots.txt': fileOf(`Sitemap: /1.gz\nSitemap: /2.gz\nSitemap: /3.gz\n`, {}),
        });
        for (const name of ['/1.gz', '/2.gz', '/3.gz'])
          site.serve({ [name]: fileOf(file, headers) });
        const body = await run.map({ url: site.url() });
        expect(body).toMatchObject({ links: [], source: 'none', cuts: ['bytes'] });
        expect(Math.round((peakBytes() - before) / MIB)).toBeLessThan(64);
      },
      60_000,
    );
  });
});
