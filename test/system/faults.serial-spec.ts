import { processesWithMarker, spawnApp, until, type FixtureSite } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import {
  crawlUnderFaults,
  expectExactCrawl,
  FAULT_ENV,
  replace,
  startFaultSite,
  type Victim,
} from './fault-run.js';

/** The short form of `npm run test:faults`: a few seeded moments of every kind. */
describe('a crawl while processes are killed', () => {
  let site: FixtureSite;
  let service: Deployment | undefined;

  beforeAll(async () => {
    site = await startFaultSite();
  });
  afterAll(() => site.close());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  }, 60_000);

  it.each<[Victim, number]>([
    ['api', 11],
    ['fetcher', 12],
    ['rabbitmq', 13],
    ['postgres', 14],
    ['rabbitmq-data', 15],
  ])(
    'ends with exact pages when the %s dies (seed %i)',
    async (victim, seed) => {
      service = await deploy('cluster', { fetchers: 2, env: FAULT_ENV });
      const { job, kills } = await crawlUnderFaults(site, {
        service,
        seed,
        victims: [victim],
        moments: 2,
        pages: 60,
      });
      expect(kills.length).toBeGreaterThan(0);
      await expectExactCrawl(service, job, 60);
    },
    240_000,
  );

  it('ends with exact pages when the standalone dies, and leaves no process behind', async () => {
    service = await deploy('embedded', { env: FAULT_ENV });
    const { job, kills } = await crawlUnderFaults(site, {
      service,
      seed: 21,
      victims: ['standalone'],
      moments: 2,
      pages: 60,
    });
    expect(kills.length).toBeGreaterThan(0);
    await expectExactCrawl(service, job, 60);
    const { DATA_DIR: dataDir = '' } = service.env;
    expect(processesWithMarker(dataDir)).not.toEqual([]);
    await service.stop();
    service = undefined;
    await until(() => processesWithMarker(dataDir).length === 0, {
      what: 'no process left',
      timeoutMs: 20_000,
    });
  }, 240_000);

  it('gives the pages of a fetcher that hangs to another and refuses its late write', async () => {
    service = await deploy('cluster', { fetchers: 1, env: FAULT_ENV });
    const { client } = service;
    const { jobId } = await client.crawl({
      url: site.url('/tree/0'),
      limit: 40,
      allowBackwardLinks: true,
    });
    await until(async () => (await client.job(jobId)).pages.leased > 0, {
      what: 'pages in flight',
      timeoutMs: 20_000,
    });
    const [hung] = service.apps.filter(({ app }) => app === 'fetcher');
    if (!hung) throw new Error('no fetcher');
    hung.process.signal('SIGSTOP');
    const second = await deployFetcher(service);
    const job = await client.waitForEnd(jobId, { timeoutMs: 60_000 });
    hung.process.signal('SIGCONT');
    await expectExactCrawl(service, job, 40);
    await replace(service, second);
    expect((await client.job(jobId)).pages).toEqual(job.pages);
  }, 120_000);
});

async function deployFetcher(service: Deployment) {
  const app = await spawnApp({ app: 'fetcher', env: service.env });
  service.apps.push(app);
  return app;
}
