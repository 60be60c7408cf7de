import type { FixtureSite, TrawlClient } from '@app/testing';
import { deploy, MODES, type Deployment } from './deployment.js';
import {
  medianOf,
  orderOfArrivals,
  report,
  SMALL_PAGES,
  startBigCrawl,
  startManyCrawls,
  startSharedSite,
  STEADY_WINDOW,
} from './fairness-run.js';

const REPEATS = 3;
/** Most pages of others for each of the small crawl. */
const MOST_FOR_ONE = 1.2;

describe.each(MODES)('a crawl of ten pages where slots are scarce (%s)', (mode) => {
  const SLOTS = 4;
  const HOSTS = 20;
  const JOBS = 200;
  let service: Deployment;
  let small: TrawlClient;
  const sites: FixtureSite[] = [];

  beforeAll(async () => {
    service = await deploy(mode, {
      env: { BROWSER_MAX: '0', ...STEADY_WINDOW, CRAWL_CONCURRENCY: String(SLOTS) },
    });
    small = await service.otherTenant();
    for (let n = 0; n < HOSTS; n++) sites.push(await startSharedSite());
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all(sites.map((site) => site.close()));
  });

  /**
   * Page for page with the others, but for what they had on its way when the small crawl came, what
   * they took while it had but its first page to request, and what they get until it is seen again: 12 to 21
   * in all where the machine is free. In the order they came in it was 180.
   */
  const MOST_OTHERS = SMALL_PAGES * MOST_FOR_ONE + 5 * SLOTS;

  it.each([
    ['one crawl of a thousand pages', () => startBigCrawl(service.client, first(), SLOTS)],
    [`${JOBS} crawls of ${HOSTS} hosts`, () => startManyCrawls(service.client, sites, JOBS)],
  ])('is served in turns with %s of another tenant', async (what, start) => {
    const own = await startSharedSite();
    sites.push(own);
    const others = sites.filter((site) => site !== own);
    const running = await start();
    const orders = [];
    for (let n = 0; n < REPEATS; n++) orders.push(await orderOfArrivals(small, own, others));
    await running.end();
    report(service, what, { orders });
    expect(medianOf(orders.map((order) => order.others))).toBeLessThanOrEqual(MOST_OTHERS);
    expect(medianOf(orders.map((order) => order.longestWait))).toBeLessThanOrEqual(3 * SLOTS);
  });

  function first(): FixtureSite {
    const [site] = sites;
    if (!site) throw new Error('no site');
    return site;
  }
});
