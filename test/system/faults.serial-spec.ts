import { processesWithMarker, spawnApp, until } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { expectExactCrawl, expectWhole } from './fault-checks.js';
import { FaultGround } from './fault-jobs.js';
import type { Victim, VictimWeights } from './fault-plan.js';
import { FAULT_ENV, replace, workUnderFaults } from './fault-run.js';

const PAGES = 60;

/** The short form of `npm run test:faults`: a few seeded moments of every kind. */
describe('a crawl and a batch while processes are killed', () => {
  let ground: FaultGround;
  let service: Deployment | undefined;

  beforeAll(async () => {
    ground = await FaultGround.start();
  });
  afterAll(() => ground.close());
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  }, 60_000);

  const work = async (
    deployment: Deployment,
    seed: number,
    victims: VictimWeights,
  ): Promise<void> => {
    const size = { kills: 2, pages: PAGES, batches: 0, batchSize: 36 };
    const run = await workUnderFaults(ground, { service: deployment, seed, victims, ...size });
    expect(run.kills).toHaveLength(size.kills);
    expect(run.batches).toHaveLength(1);
    await expectWhole(deployment, run, PAGES);
  };

  it.each<[Victim, number]>([
    ['api', 11],
    ['fetcher', 12],
    ['rabbitmq', 13],
    ['postgres', 14],
    ['rabbitmq-data', 15],
  ])(
    'end exact, notified once, when the %s dies (seed %i)',
    async (victim, seed) => {
      service = await deploy('cluster', { fetchers: 2, env: FAULT_ENV });
      await work(service, seed, { [victim]: 1 });
    },
    300_000,
  );

  it('end exact when the standalone dies, and leave no process behind', async () => {
    service = await deploy('embedded', { env: FAULT_ENV });
    await work(service, 21, { standalone: 1 });
    const { DATA_DIR: dataDir = '' } = service.env;
    expect(processesWithMarker(dataDir)).not.toEqual([]);
    await service.stop();
    service = undefined;
    await until(() => processesWithMarker(dataDir).length === 0, {
      what: 'no process left',
      timeoutMs: 20_000,
    });
  }, 300_000);

  it('leases the pages of a fetcher that hangs to another and refuses its late write', async () => {
    service = await deploy('cluster', { fetchers: 1, env: FAULT_ENV });
    const { client } = service;
    const { jobId } = await client.crawl({
      url: ground.tree.url('/tree/0'),
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
