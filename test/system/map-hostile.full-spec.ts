import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fileOf, NO_ANSWER, sitemapIndexOf, urlsetOf } from '@app/testing';
import { deploy, MODES } from './deployment.js';
import { homepage, MapRun } from './map-run.js';

const MIB = 1024 ** 2;
/** Far below the specification's 25 s, so that a site which hangs is soon over. */
const MAP_TIMEOUT_MS = 10_000;

/** `map.e2e-spec.ts` has the hostile sitemaps that take no time. */
describe.each(MODES)('a map of hostile sitemaps, %s', (mode) => {
  let run: MapRun;

  beforeAll(async () => {
    const env = { BROWSER_MAX: '0', SCRAPE_TIMEOUT_MS: String(MAP_TIMEOUT_MS) };
    run = new MapRun(await deploy(mode, { env }));
  });
  afterAll(() => run?.service.stop());
  afterEach(() => run?.closeSites());

  describe('a site that does not answer', () => {
    it('is 504 where everything hangs, within its time', async () => {
      const all = { '/': NO_ANSWER, '/sitemap.xml': NO_ANSWER, '/sitemap_index.xml': NO_ANSWER };
      const site = await run.open(all);
      const startedAt = performance.now();
      const answer = await run.ask({ url: site.url() });
      expect([answer.status, answer.body]).toEqual([
        504,
        { ok: false, error: 'map_timeout', message: expect.any(String) },
      ]);
      const tookMs = performance.now() - startedAt;
      // All of its time: what remains for reading comes after it.
      expect(tookMs).toBeGreaterThanOrEqual(MAP_TIMEOUT_MS);
      expect(tookMs).toBeLessThan(MAP_TIMEOUT_MS + 1_500);
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
      const tookMs = performance.now() - startedAt;
      // All of its time: what remains for reading comes after it.
      expect(tookMs).toBeGreaterThanOrEqual(MAP_TIMEOUT_MS);
      expect(tookMs).toBeLessThan(MAP_TIMEOUT_MS + 1_500);
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
      'of a gigabyte, packed %s, costs the process less than 96 MB',
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
        expect(Math.round((peakBytes() - before) / MIB)).toBeLessThan(96);
      },
    );
  });
});
