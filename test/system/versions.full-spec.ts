import { spawnApp, startFixtureSite, TrawlClient, type FixtureSite } from '@app/testing';
import type { BatchAcceptedResponse, BatchResponse } from './batch-run.js';
import { consumed } from './credits-run.js';
import { createCaller, deployCluster, type Deployment } from './deployment.js';
import { acmePage, type EnrichBody } from './enrich-run.js';
import { creditsOf, expectAccountsInOrder, expectExactCrawl } from './fault-checks.js';
import { PreviousVersion } from './previous-version.js';
import { expectUndisturbed, RollingRun } from './rolling-run.js';

const PAGES = 30;
/** It lasts longer than it takes to replace a process. */
const LONG_CRAWL_PAGES = 400;
const APPS = ['api', 'fetcher', 'tech-scan'] as const;

/** The database has been migrated by the previous version and then by this one, as an upgrade does first. */
describe('the previous version beside this one', () => {
  let previous: PreviousVersion;
  let site: FixtureSite;
  let stop: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    previous = await PreviousVersion.checkOut();
    site = await startFixtureSite({ treePages: 300 });
    site.serve({ '/': acmePage('home', '<meta name="generator" content="WordPress 6.8">') });
  });
  afterEach(async () => {
    await stop?.();
    stop = undefined;
  });
  afterAll(async () => {
    await site?.close();
    await previous?.remove();
  });

  // A pair of apps meets in both versions: a fetcher talks to each of the others.
  it.each(APPS)('works: its %s with the other apps of this version', async (app) => {
    const roots = { [app]: previous.root };
    const database = await previous.freshDatabase();
    const service = await deployCluster({ database, roots, env: { BROWSER_MAX: '0' } });
    stop = () => service.stop();
    await startScanner(service, roots['tech-scan']);
    await useEverything(service);
  });

  it('is replaced by this one in the middle of a crawl', async () => {
    const { root } = previous;
    const run = await RollingRun.start(LONG_CRAWL_PAGES * 2, {
      database: await previous.freshDatabase(),
      roots: { api: root, fetcher: root },
    });
    stop = () => run.stop();
    await startScanner(run.service, root);
    const crawls = await run.work(1, LONG_CRAWL_PAGES);
    expect(run.restarts.map(({ app }) => app.app).toSorted()).toEqual([
      'api',
      'api',
      'fetcher',
      'fetcher',
      'tech-scan',
    ]);
    await expectUndisturbed(run, crawls, LONG_CRAWL_PAGES);
    await useEverything(run.service);
  }, 600_000);

  it('must be in the clone', async () => {
    const missing = PreviousVersion.checkOut('0'.repeat(40));
    await expect(missing).rejects.toThrow('git fetch --unshallow');
  });

  async function startScanner({ apps, env }: Deployment, root?: string): Promise<void> {
    apps.push(await spawnApp({ app: 'tech-scan', root, env }));
  }

  /** A scrape, a crawl, a batch of each kind and an enrichment with technologies, each charged as it is answered. */
  async function useEverything(service: Deployment): Promise<void> {
    const { id, key } = await createCaller(service.database, 'caller of all', 'custom');
    const client = new TrawlClient(service.url, key);
    const scrape = await client.scrape({ url: site.url('/slow/1/scraped') });
    expect([scrape.status, consumed(scrape)]).toEqual([200, 1]);
    const crawl = { url: site.url('/tree/0'), limit: PAGES, allowBackwardLinks: true };
    const { jobId } = await client.crawl({ ...crawl, sitemap: 'skip' });
    const job = await client.waitForEnd(jobId, { timeoutMs: 120_000 });
    await expectExactCrawl({ ...service, client }, job, PAGES);
    const batched = await runBatches(client);
    const enriched = await client.enrich({ domain: site.url('/') });
    expect(enriched.status).toBe(200);
    const { tech_stack: stack, tech_meta: meta } = enriched.body as EnrichBody;
    expect(meta).toMatchObject({ partial: false });
    expect(stack).toContainEqual(expect.objectContaining({ name: 'WordPress', version: '6.8' }));
    expect(await creditsOf(service, id)).toBe(1 + PAGES + batched + consumed(enriched));
    await expectAccountsInOrder(service);
  }

  /** The number of pages. */
  async function runBatches(client: TrawlClient): Promise<number> {
    const urls = ['a', 'b', 'c', 'd', 'e'].map((name) => site.url(`/slow/1/${name}`));
    const waiting = await client.call('POST', '/v1/batch', { urls: urls.slice(0, 2) });
    const { summary, creditsUsed } = waiting.body as BatchResponse;
    expect([summary, creditsUsed]).toEqual([{ total: 2, ok: 2, failed: 0 }, 2]);
    const accepted = await client.call('POST', '/v1/batch', { urls: urls.slice(2), async: true });
    const { jobId } = accepted.body as BatchAcceptedResponse;
    const job = await client.waitForEnd(jobId, { timeoutMs: 120_000 });
    expect(job).toMatchObject({ status: 'completed', pages_scraped: 3 });
    return urls.length;
  }
});
