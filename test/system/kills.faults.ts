import { processesWithMarker, spawnApp, until, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import {
  crawlUnderFaults,
  expectExactCrawl,
  FAULT_ENV,
  startFaultSite,
  type Victim,
} from './fault-run.js';

/** `npm run test:faults`: at least 40 seeded random moments over every kind of process. */
const CLUSTER_SEEDS = [101, 102, 103, 104, 105, 106, 107];
const EMBEDDED_SEEDS = [201, 202, 203];
const MOMENTS = 6;
const PAGES = 200;
const EVERYTHING: readonly Victim[] = ['api', 'fetcher', 'rabbitmq', 'postgres', 'rabbitmq-data'];
const HANG_MS = 90_000;

describe('crawls while processes are killed at random', () => {
  let site: FixtureSite;
  let service: Deployment | undefined;
  let struck = 0;

  beforeAll(async () => {
    site = await startFaultSite();
  });
  afterAll(async () => {
    await site.close();
    process.stderr.write(`${struck} processes were killed\n`);
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  }, 60_000);

  it.each(CLUSTER_SEEDS)(
    'cluster, seed %i: every job ends with exact pages, none twice',
    async (seed) => {
      service = await deploy('cluster', { fetchers: 2, env: FAULT_ENV });
      const { job, kills } = await crawlUnderFaults(site, {
        service,
        seed,
        victims: EVERYTHING,
        moments: MOMENTS,
        pages: PAGES,
      });
      struck += kills.length;
      await expectExactCrawl(service, job, PAGES);
    },
    400_000,
  );

  it.each(EMBEDDED_SEEDS)(
    'embedded, seed %i: the same, and no process stays behind',
    async (seed) => {
      service = await deploy('embedded', { env: FAULT_ENV });
      const { DATA_DIR: dataDir = '' } = service.env;
      const { job, kills } = await crawlUnderFaults(site, {
        service,
        seed,
        victims: ['standalone'],
        moments: MOMENTS,
        pages: PAGES,
      });
      struck += kills.length;
      await expectExactCrawl(service, job, PAGES);
      await service.stop();
      service = undefined;
      await until(() => processesWithMarker(dataDir).length === 0, {
        what: 'no process left',
        timeoutMs: 20_000,
      });
    },
    400_000,
  );

  it('was done at no fewer than 40 moments', () => {
    expect(struck).toBeGreaterThanOrEqual(40);
  });

  it('a fetcher that hangs for 90 s loses its pages to another; its late write is refused', async () => {
    service = await deploy('cluster', {
      fetchers: 1,
      env: { HOST_WINDOW_START: '4', HOST_WINDOW_MAX: '4' },
    });
    const { client } = service;
    const { jobId } = await client.crawl({
      url: site.url('/tree/0'),
      limit: PAGES,
      allowBackwardLinks: true,
    });
    await until(async () => (await client.job(jobId)).pages.leased > 0, {
      what: 'pages in flight',
      timeoutMs: 20_000,
    });
    const [hung] = service.apps.filter(({ app }) => app === 'fetcher');
    hung?.process.signal('SIGSTOP');
    const hungAt = performance.now();
    service.apps.push(await spawnApp({ app: 'fetcher', env: service.env }));
    const job = await client.waitForEnd(jobId, { timeoutMs: 80_000 });
    await expectExactCrawl(service, job, PAGES);
    await until(() => performance.now() - hungAt > HANG_MS, {
      what: '90 s',
      timeoutMs: HANG_MS + 5_000,
      intervalMs: 500,
    });
    hung?.process.signal('SIGCONT');
    await until(
      () =>
        hung?.process.output.some((line) => /lease|results could not|connection/i.test(line)) ??
        false,
      {
        what: 'the fetcher to notice',
        timeoutMs: 30_000,
      },
    );
    expect((await client.job(jobId)).pages).toEqual(job.pages);
    await expectExactCrawl(service, job, PAGES);
  }, 300_000);
});
