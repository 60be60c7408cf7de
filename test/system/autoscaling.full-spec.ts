import {
  pause,
  spawnApp,
  startFixtureSite,
  until,
  type FixtureSite,
  type SpawnedApp,
} from '@app/testing';
import { objectsOf, render } from '../chart/chart-tools.js';
import { ScaledWorkload, type ScaledQueue } from '../chart/scaled-queues.js';
import { deployCluster, type Deployment } from './deployment.js';
import { expectExactCrawl } from './fault-checks.js';
import { startManagedBroker, type ManagedBroker, type QueueFigures } from './managed-broker.js';

const CONCURRENCY = 4;
const MAX_FETCHERS = 4;
const SITES = 4;
const PAGES = 50;
const PAGE_MS = 500;
/** KEDA asks every 15 s; here a second stands for as many, so that the window of 300 s passes in 20. */
const SECONDS_A_LOOK = 15;
const LOOK_MS = 1_000;

describe('fetchers scaled by the length of their queues', () => {
  let broker: ManagedBroker;
  let service: Deployment;
  let workload: ScaledWorkload;
  let sites: readonly FixtureSite[];

  beforeAll(async () => {
    broker = await startManagedBroker();
    sites = await Promise.all(
      Array.from({ length: SITES }, () =>
        startFixtureSite({ treePages: PAGES, latencyMs: { '/tree/': PAGE_MS } }),
      ),
    );
    const env = { CRAWL_CONCURRENCY: String(CONCURRENCY), HOST_WINDOW_START: '8' };
    service = await deployCluster({ brokerUrl: broker.url, env });
    workload = scaledFetchers(service.env['BROKER_PREFIX'] ?? '');
  });
  afterAll(async () => {
    await service?.stop();
    await broker?.stop();
    await Promise.all((sites ?? []).map((site) => site.close()));
  });

  it('have queues of these names at the broker, and count what waits and what is in work', async () => {
    for (const { queue, excludesUnacknowledged } of workload.queues) {
      expect([queue, await broker.queue(queue)]).toEqual([queue, expect.anything()]);
      expect(excludesUnacknowledged).toBe(false);
    }
    const { client } = service;
    const [site] = sites;
    const tree = { url: site?.url('/tree/0') ?? '', allowBackwardLinks: true, sitemap: 'skip' };
    const { jobId } = await client.crawl({ ...tree, limit: PAGES });
    const crawl = workload.queues.find(({ queue }) => queue.endsWith('.crawl'));
    const busy = await until(
      async () => {
        const figures = await broker.queue(crawl?.queue ?? '');
        const { messages_ready: ready = 0, messages_unacknowledged: unacked = 0 } = figures ?? {};
        return ready > 0 && unacked >= CONCURRENCY && figures;
      },
      { what: 'messages that wait and messages in work', timeoutMs: 30_000, intervalMs: 200 },
    );
    const { messages, messages_ready = 0, messages_unacknowledged = 0 } = busy;
    expect(messages).toBe(messages_ready + messages_unacknowledged);
    // Without those in work a full fetcher would look idle.
    expect(messages_ready).toBeLessThan(messages ?? 0);
    await client.cancel(jobId);
    await until(async () => (await lengths()).every((length) => length === 0), {
      what: 'empty queues',
      timeoutMs: 30_000,
    });
  });

  it('grow with a crawl and shrink after it, one at a time, and lose or repeat nothing', async () => {
    const { client } = service;
    const crawls = await Promise.all(
      sites.map((site) =>
        client.crawl({
          ...{ url: site.url('/tree/0'), limit: PAGES, sitemap: 'skip' },
          allowBackwardLinks: true,
        }),
      ),
    );
    const isOver = async (): Promise<boolean> => {
      const jobs = await Promise.all(crawls.map(({ jobId }) => client.job(jobId)));
      return jobs.every(({ status }) => status === 'completed');
    };
    const counts = await scaleUntil(async (fetchers) => fetchers === 1 && (await isOver()));
    process.stderr.write(`fetchers at each look: ${counts.join(' ')}\n`);
    // How far it grows depends on the speed of the machine.
    expect(Math.max(...counts)).toBeGreaterThan(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_FETCHERS);
    for (const [at, count] of counts.entries())
      expect(count).toBeGreaterThanOrEqual((counts[at - 1] ?? 0) - 1);
    for (const { jobId } of crawls) await expectExactCrawl(service, await client.job(jobId), PAGES);
  });

  /** What the scaler sees. */
  function lengths(): Promise<readonly number[]> {
    return Promise.all(
      workload.queues.map(async (scaled) => lengthOf(scaled, await broker.queue(scaled.queue))),
    );
  }

  /** Looks, and starts or stops fetchers as the autoscaler says. Returns how many there were after each look. */
  async function scaleUntil(
    isDone: (fetchers: number) => Promise<boolean>,
  ): Promise<readonly number[]> {
    const fetchers = service.apps.filter(({ app }) => app === 'fetcher');
    const counts: number[] = [];
    for (let seconds = 0; counts.length < 2 || !(await isDone(fetchers.length));) {
      await pause(LOOK_MS);
      seconds += SECONDS_A_LOOK;
      const wanted = workload.replicas(fetchers.length, await lengths(), seconds);
      while (fetchers.length < wanted) fetchers.push(await started());
      while (fetchers.length > wanted) await drained(fetchers.pop());
      counts.push(wanted);
    }
    return counts;
  }

  async function started(): Promise<SpawnedApp> {
    const app = await spawnApp({ app: 'fetcher', env: service.env });
    service.apps.push(app);
    return app;
  }
});

async function drained(fetcher: SpawnedApp | undefined): Promise<void> {
  expect(await fetcher?.process.stop('SIGTERM')).toEqual({ code: 0, signal: null });
}

/** As KEDA reads it: a queue without figures has 0. */
function lengthOf({ excludesUnacknowledged }: ScaledQueue, figures: QueueFigures | null): number {
  return (excludesUnacknowledged ? figures?.messages_ready : figures?.messages) ?? 0;
}

function scaledFetchers(prefix: string): ScaledWorkload {
  const rendered = render('minimal', [
    `broker.prefix="${prefix}"`,
    'broker.managementUrl="http://guest:guest@rabbitmq:15672/"',
    `settings.CRAWL_CONCURRENCY=${CONCURRENCY}`,
    'fetcher.autoscaling.enabled=true',
    `fetcher.autoscaling.max=${MAX_FETCHERS}`,
  ]);
  const [found, ...others] = objectsOf(rendered).filter(({ kind }) => kind === 'ScaledObject');
  if (!found || others.length > 0) throw new Error('there must be one ScaledObject');
  return new ScaledWorkload(found);
}
