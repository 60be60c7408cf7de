import { startFixtureSite, type FixtureSite } from '@app/testing';
import type { Service } from './deployment.js';
import { share } from './shared-cluster.js';
import { watchArrivals } from './watch-arrivals.js';

describe('a site that is crawled', () => {
  let service: Service;
  let site: FixtureSite | undefined;

  beforeAll(async () => {
    service = await share();
  });
  afterAll(() => service?.stop());
  afterEach(() => site?.close());

  it.each([
    { what: 'the hops of a redirect', path: '/redirect-chain/2', requests: 3 },
    { what: 'the tries of a page that needs a browser', path: '/js-shell', requests: 2 },
  ])('keeps its Crawl-delay between $what, too', async ({ path, requests }) => {
    site = await startFixtureSite({ robots: { crawlDelaySeconds: 1 } });
    // What a browser loads for its page belongs to the page.
    const arrivals = watchArrivals(site, (one) => !/^\/(?:robots\.txt|js-shell\.js)$/.test(one));
    const { jobId } = await service.client.crawl({ url: site.url(path), limit: 1 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ pages_scraped: 1 });
    const { gapsMs, lateMs } = arrivals();
    expect(gapsMs.length).toBeGreaterThanOrEqual(requests - 1);
    expect(Math.min(...gapsMs)).toBeGreaterThan(980 - lateMs);
  });
});
