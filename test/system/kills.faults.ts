import { processesWithMarker, spawnApp, until } from '@app/testing';
import { deploy, type Deployment } from './deployment.js';
import { expectErased, expectExactCrawl, expectWhole } from './fault-checks.js';
import { FaultGround } from './fault-jobs.js';
import type { Victim, VictimWeights } from './fault-plan.js';
import { FAULT_ENV, workUnderFaults, type FaultRun } from './fault-run.js';
import { isFullRun } from '../setup/full-run.js';

/** `npm run test:full` plays half of `npm run test:faults`. */
const SHARE = isFullRun ? 0.5 : 1;
const PAGES = 5_000 * SHARE;
const TREE_PAGES = 6_000 * SHARE;
const CLUSTER_KILLS = 140 * SHARE;
const EMBEDDED_KILLS = 60 * SHARE;
const BATCH_SIZE = 100;
/** The one page that many kills meet must not pass for one that kills its workers. */
const LONG_ENV = { ...FAULT_ENV, PAGE_ATTEMPTS: '20', CRAWL_MAX_PAGES: String(PAGES) };
/** A quiet machine takes about ten minutes for a run. */
const RUN_MS = 60 * 60_000;
/** Servers take seconds to start again, processes of Trawl fewer. */
const EVERYTHING: VictimWeights = {
  api: 9,
  fetcher: 10,
  postgres: 4,
  rabbitmq: 2,
  'rabbitmq-data': 1,
};
const HANG_PAGES = 200;
const HANG_MS = 90_000;

/** Kills at seeded random moments, over every kind of process. */
describe(`${PAGES} pages, batches and webhooks while processes are killed at random`, () => {
  let ground: FaultGround;
  let service: Deployment | undefined;
  const struck = new Map<Victim, number>();

  beforeAll(async () => {
    ground = await FaultGround.start(TREE_PAGES);
  });
  afterAll(async () => {
    await ground.close();
    const counts = [...struck].map(([victim, times]) => `${victim} ${times}`);
    process.stderr.write(`killed: ${counts.join(', ')}\n`);
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const work = async (
    deployment: Deployment,
    kind: { seed: number; victims: VictimWeights; kills: number; batches: number },
  ): Promise<FaultRun> => {
    const size = { pages: PAGES, batchSize: BATCH_SIZE };
    const run = await workUnderFaults(ground, { service: deployment, ...kind, ...size });
    for (const victim of run.kills) struck.set(victim, (struck.get(victim) ?? 0) + 1);
    await expectWhole(deployment, run, PAGES);
    await expectErased(deployment, run);
    return run;
  };

  it(
    'cluster: nothing is lost and nothing comes twice',
    async () => {
      service = await deploy('cluster', { fetchers: 2, env: LONG_ENV });
      await work(service, { seed: 105, victims: EVERYTHING, kills: CLUSTER_KILLS, batches: 12 });
    },
    RUN_MS,
  );

  it(
    'embedded: the same, and no process stays behind',
    async () => {
      service = await deploy('embedded', { env: LONG_ENV });
      const { DATA_DIR: dataDir = '' } = service.env;
      await work(service, {
        seed: 201,
        victims: { standalone: 1 },
        kills: EMBEDDED_KILLS,
        batches: 8,
      });
      await service.stop();
      service = undefined;
      await until(() => processesWithMarker(dataDir).length === 0, {
        what: 'no process left',
        timeoutMs: 20_000,
      });
    },
    RUN_MS,
  );

  it(`struck every kind, ${CLUSTER_KILLS + EMBEDDED_KILLS} times in all`, () => {
    expect([...struck.keys()].toSorted()).toEqual(
      [...Object.keys(EVERYTHING), 'standalone'].toSorted(),
    );
    const times = [...struck.values()].reduce((sum, one) => sum + one, 0);
    expect(times).toBe(CLUSTER_KILLS + EMBEDDED_KILLS);
  });

  it('a fetcher that hangs for 90 s loses its pages to another; its late write is refused', async () => {
    service = await deploy('cluster', {
      fetchers: 1,
      env: { HOST_WINDOW_START: '4', HOST_WINDOW_MAX: '4' },
    });
    const { client } = service;
    const { jobId } = await client.crawl({
      url: ground.tree.url('/tree/0'),
      limit: HANG_PAGES,
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
    await expectExactCrawl(service, job, HANG_PAGES);
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
    await expectExactCrawl(service, job, HANG_PAGES);
  });
});
