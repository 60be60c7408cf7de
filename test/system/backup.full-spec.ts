import { startFixtureSite, TrawlClient, until, type FixtureSite } from '@app/testing';
import { copyBucket, freshBucket, type Fresh } from '../setup/test-servers.js';
import { deployCluster, type Deployment } from './deployment.js';
import { expectExactCrawl, expectNothingReserved } from './fault-checks.js';
import { PrivatePostgres } from './private-postgres.js';

const PAGES = 60;
const PAGE_MS = 300;
/** While it is copied, pages are so slow that the crawl lasts longer than any backup. */
const SLOW_PAGE_MS = 6_000;

describe('a cluster that was lost', () => {
  let site: FixtureSite;
  const latencyMs = { '/tree/': PAGE_MS };
  const servers: PrivatePostgres[] = [];
  const buckets: Fresh[] = [];
  const services: Deployment[] = [];

  beforeAll(async () => {
    site = await startFixtureSite({ treePages: PAGES, latencyMs });
    servers.push(await PrivatePostgres.start());
    buckets.push(await freshBucket(), await freshBucket());
  });
  afterAll(async () => {
    for (const service of services) await service.stop().catch(() => undefined);
    for (const one of [...servers, ...buckets]) await one.drop().catch(() => undefined);
    await site.close();
  });

  it('goes on in an empty one from the database and the objects, copied in this order', async () => {
    const [lost, from, to] = [servers[0], ...buckets];
    if (!lost || !from || !to) throw new Error('nothing was started');
    const before = await startedOn(lost, from);
    const { client, key } = before;
    const tree = { url: site.url('/tree/0'), allowBackwardLinks: true, sitemap: 'skip' } as const;
    const ended = await client.crawl({ ...tree, limit: 5 });
    await client.waitForEnd(ended.jobId);
    const running = await client.crawl({ ...tree, limit: PAGES });
    const scraped = async () => (await client.job(running.jobId)).pages_scraped;
    await until(async () => (await scraped()) >= 10, { what: 'ten pages', timeoutMs: 60_000 });

    latencyMs['/tree/'] = SLOW_PAGE_MS;
    const backup = await lost.backUp();
    const atBackup = await scraped();
    await until(async () => (await scraped()) > atBackup, {
      what: 'a later page',
      timeoutMs: 60_000,
    });
    await copyBucket(from, to);
    expect((await client.job(running.jobId)).status).toBe('running');
    for (const { process } of before.apps) await process.kill9();
    await lost.lose();
    latencyMs['/tree/'] = PAGE_MS;

    const restored = await PrivatePostgres.start(backup);
    servers.push(restored);
    const after = await startedOn(restored, to);
    const service = { ...after, client: new TrawlClient(after.url, key) };
    const job = await service.client.waitForEnd(running.jobId, { timeoutMs: 120_000 });
    await expectExactCrawl(service, job, PAGES);
    await expectExactCrawl(service, await service.client.job(ended.jobId), 5);
    await expectNothingReserved(service);
    const again = await service.client.crawl({ ...tree, limit: 2 });
    expect(await service.client.waitForEnd(again.jobId)).toMatchObject({ status: 'completed' });
  }, 400_000);

  /** On servers that outlive it. */
  async function startedOn(database: PrivatePostgres, storage: Fresh): Promise<Deployment> {
    const keep = async (): Promise<void> => undefined;
    const service = await deployCluster({
      database: { url: database.url, drop: keep },
      env: { STORAGE_URL: storage.url },
    });
    services.push(service);
    return service;
  }
});
