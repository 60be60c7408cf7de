import { startFixtureSite, until, type FixtureSite } from '@app/testing';
import { browserCensus, browsersOf, scratchFoldersOf, sumOfGauge } from './browser-census.js';
import { deploy, type Deployment } from './deployment.js';
import { replace } from './fault-run.js';
import type { ScrapeBody } from './trap-run.js';

const PAGES = 8;
const ENV = {
  // Of twelve page slots one tenant may hold eight (`TenantTurns`).
  BROWSER_MAX: '3',
  BROWSER_PAGES: '4',
  SCRAPE_CONCURRENCY: '8',
  SCRAPE_TIMEOUT_MS: '60000',
};
/** Long enough for all of them to be open at once, also on a slow machine. */
const OPEN_MS = 15_000;

describe('regression 2: browsers that outlive the fetcher that started them', () => {
  let site: FixtureSite;
  let service: Deployment | undefined;

  beforeAll(async () => {
    site = await startFixtureSite();
  });
  afterAll(() => site.close());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const openPages = async (deployment: Deployment) => {
    const scrape = (_: unknown, n: number) =>
      deployment.client.scrape({ url: site.url(`/tree/${n}`), waitFor: OPEN_MS });
    const answers = Array.from({ length: PAGES }, scrape);
    await until(
      async () => (await sumOfGauge(deployment.apps, 'trawl_browser_pages_open')) === PAGES,
      { what: `${PAGES} open pages`, timeoutMs: 40_000, intervalMs: 200 },
    );
    return answers;
  };

  /** A stopped Chromium cannot notice that its pipe was closed: only its marker names its owner. */
  it.each([
    ['as they are', false],
    ['stopped, so that they cannot end by themselves', true],
  ])(
    `kill -9 of a fetcher with ${PAGES} pages open leaves none once its successor runs: %s`,
    async (_name, areStopped) => {
      service = await deploy('cluster', { fetchers: 1, env: ENV });
      const answers = await openPages(service);
      const fetcher = service.apps.find(({ app }) => app === 'fetcher');
      if (fetcher === undefined) throw new Error('no fetcher');
      const { pid } = fetcher.process;
      const browsers = browsersOf(pid);
      expect(browsers.length).toBeGreaterThanOrEqual(1);
      expect(scratchFoldersOf(pid)).not.toEqual([]);
      if (areStopped) for (const browser of browsers) process.kill(browser, 'SIGSTOP');

      await replace(service, fetcher);

      await until(() => browsersOf(pid).length === 0 && scratchFoldersOf(pid).length === 0, {
        what: 'no browser and no folder of the dead fetcher',
        timeoutMs: 10_000,
      });
      // Its pages are rendered again, by the successor, within their deadline.
      const rendered = (await Promise.all(answers)).map(({ status, body }) => ({
        status,
        attempt: (body as ScrapeBody).cascade.attempts.at(-1),
      }));
      const isRendered = { status: 200, attempt: { rung: 'headless', ok: true } };
      expect(rendered).toMatchObject(Array.from({ length: PAGES }, () => isRendered));
      await until(async () => (await browserCensus(service?.apps ?? [])).openPages === 0);
    },
  );

  it('an orderly stop leaves none either', async () => {
    service = await deploy('embedded', { env: ENV });
    const url = site.url('/shell/react');
    expect((await service.client.scrape({ url, forceHeadless: true })).status).toBe(200);
    const { pid } = service.apps[0]?.process ?? { pid: 0 };
    expect(browsersOf(pid).length).toBeGreaterThanOrEqual(1);
    await service.apps[0]?.process.stop('SIGTERM');
    expect([browsersOf(pid), scratchFoldersOf(pid)]).toEqual([[], []]);
  });
});
