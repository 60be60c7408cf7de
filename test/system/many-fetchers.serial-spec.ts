import { startFixtureSite, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { watchArrivals } from './watch-arrivals.js';

const FETCHERS = 50;
/** So that fifty fit on one machine. */
const SMALL = { BROWSER_MAX: '0', CONTENT_THREADS: '1', DATABASE_POOL_SIZE: '3' };
const WINDOW_MAX = 6;

describe('a site that fifty fetchers crawl', () => {
  let service: Deployment;
  let site: FixtureSite | undefined;

  beforeAll(async () => {
    const env = { ...SMALL, HOST_WINDOW_MAX: String(WINDOW_MAX) };
    service = await deploy('cluster', { fetchers: FETCHERS, env });
  }, 600_000);
  afterAll(async () => {
    await service.stop();
  });
  afterEach(async () => {
    await site?.close();
    site = undefined;
  });

  it('is asked once per Crawl-delay, never twice at once', async () => {
    const delayMs = 1_000;
    site = await startFixtureSite({ robots: { crawlDelaySeconds: delayMs / 1_000 } });
    const arrivals = watchArrivals(site);
    await crawled(
      site,
      Array.from({ length: 11 }, (_, n) => `/slow-turn/${n}`),
    );
    const { gapsMs, lateMs } = arrivals();
    expect(gapsMs).toHaveLength(11);
    expect(Math.min(...gapsMs)).toBeGreaterThan(0.98 * delayMs - lateMs);
    expect(site.peakInFlight).toBe(1);
  });

  it('has as many requests at a time as its window allows, however many could send one', async () => {
    site = await startFixtureSite({ latencyMs: { '/wide/': 500 } });
    const paths = Array.from({ length: 199 }, (_, n) => `/wide/${n}`);
    await crawled(site, paths);
    expect(site.peakInFlight).toBe(WINDOW_MAX);
    for (const path of paths) expect(site.count(path)).toBe(1);
  });

  /** A crawl of the site's first page and of the paths it links to, by their end each scraped. */
  async function crawled(own: FixtureSite, paths: readonly string[]): Promise<void> {
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
    own.serve({ '/': `<title>All</title><p>${'Links to all pages. '.repeat(20)}</p>${links}` });
    for (const path of paths)
      own.serve({ [path]: `<title>${path}</title><p>${`Words of ${path}. `.repeat(30)}</p>` });
    const { jobId } = await service.client.crawl({
      ...{ url: own.url('/'), limit: paths.length + 1, sitemap: 'skip' },
    });
    expect(await service.client.waitForEnd(jobId, { timeoutMs: 240_000 })).toMatchObject({
      status: 'completed',
      pages_scraped: paths.length + 1,
    });
  }
});
