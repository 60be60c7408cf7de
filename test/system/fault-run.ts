import {
  seededRandom,
  spawnApp,
  startFixtureSite,
  treeMarker,
  until,
  type FixtureSite,
  type JobView,
  type SpawnedApp,
} from '@app/testing';
import { killService, startService, wipeService } from '../setup/fault-services.js';
import type { Deployment } from './deployment.js';

/** What is killed at a moment. */
export type Victim = 'api' | 'fetcher' | 'standalone' | 'rabbitmq' | 'postgres' | 'rabbitmq-data';

export interface FaultRunOptions {
  readonly service: Deployment;
  readonly seed: number;
  readonly victims: readonly Victim[];
  /** Kills, each at a random moment of the crawl. */
  readonly moments: number;
  readonly pages: number;
}

export interface FaultRun {
  readonly job: JobView;
  readonly kills: readonly Victim[];
}

/** Leases this short bring a killed worker's pages back in seconds; everything else is as in production. */
export const FAULT_ENV = {
  LEASE_MS: '3000',
  HOST_WINDOW_START: '4',
  HOST_WINDOW_MAX: '4',
  DRAIN_SECONDS: '5',
};

/** Milliseconds a fixture page takes: long enough that kills hit pages in flight. */
const PAGE_MS = 60;
const MAX_GAP_MS = 1_200;
const END_MS = 60_000;

export function startFaultSite(): Promise<FixtureSite> {
  return startFixtureSite({ treePages: 2_000, latencyMs: PAGE_MS });
}

/**
 * Crawls while killing processes at seeded random moments; each is started again at once, as an
 * operator's supervisor would. Resolves when the job has ended.
 */
export async function crawlUnderFaults(
  site: FixtureSite,
  options: FaultRunOptions,
): Promise<FaultRun> {
  const { service, seed, victims, moments, pages } = options;
  const random = seededRandom(seed);
  const { jobId } = await service.client.crawl({
    url: site.url('/tree/0'),
    limit: pages,
    allowBackwardLinks: true,
  });
  const kills: Victim[] = [];
  for (let moment = 0; moment < moments; moment++) {
    await passTime(random.int(0, MAX_GAP_MS));
    if (await hasEnded(service, jobId)) break;
    const victim = random.pick(victims);
    kills.push(victim);
    await strike(service, victim, random.int(0, 10));
  }
  try {
    const what = `job ${jobId} to end after ${kills.join(', ')}`;
    const job = await until(() => endedJob(service, jobId), {
      what,
      timeoutMs: END_MS,
      intervalMs: 100,
    });
    return { job, kills };
  } catch (cause) {
    throw new Error(await stateOf(service, jobId), { cause });
  }
}

const TAIL_LINES = 15;

/** What a person would look at first when a crawl hangs. */
async function stateOf(service: Deployment, id: string): Promise<string> {
  const answer = await service.client.call('GET', `/v1/jobs/${id}`).catch(String);
  const logs = service.apps.map(
    ({ app, process }) =>
      `-- ${app} ${process.pid}\n${process.output.slice(-TAIL_LINES).join('\n')}`,
  );
  return `the crawl did not end: ${JSON.stringify(answer)}\n${logs.join('\n')}`;
}

/** Kills of a crawl come at moments, not at events: time itself is what is waited for. */
async function passTime(ms: number): Promise<void> {
  const from = performance.now();
  await until(() => performance.now() - from >= ms, {
    what: 'the next moment',
    timeoutMs: ms + 5_000,
    intervalMs: 5,
  });
}

async function hasEnded(service: Deployment, id: string): Promise<boolean> {
  return (await endedJob(service, id)) !== null;
}

/** Null also while the API is away. */
async function endedJob(service: Deployment, id: string): Promise<JobView | null> {
  try {
    const job = await service.client.job(id);
    return ['completed', 'failed', 'cancelled'].includes(job.status) ? job : null;
  } catch {
    // Killed or not ready yet: ask again.
    return null;
  }
}

async function strike(service: Deployment, victim: Victim, choice: number): Promise<void> {
  switch (victim) {
    case 'rabbitmq':
    case 'postgres':
      await killService(victim);
      await startService(victim);
      return;
    case 'rabbitmq-data':
      await wipeService('rabbitmq');
      return;
    case 'api':
    case 'fetcher':
    case 'standalone': {
      const own = service.apps.filter(({ app }) => app === victim);
      const target = own[choice % own.length];
      if (target) await replace(service, target);
    }
  }
}

/** kill -9, then a new process on the same port. */
export async function replace(service: Deployment, old: SpawnedApp): Promise<SpawnedApp> {
  await old.process.kill9();
  const port = old.url === '' ? '0' : new URL(old.url).port;
  const app = await spawnApp({ app: old.app, env: { ...service.env, PORT: port } });
  service.apps[service.apps.indexOf(old)] = app;
  return app;
}

/** What must hold after any crawl that was asked for `pages`, whatever was killed on the way. */
export async function expectExactCrawl(
  service: Deployment,
  job: JobView,
  pages: number,
): Promise<void> {
  expect(job).toMatchObject({ status: 'completed', pages_scraped: pages });
  const { discovered, ...states } = job.pages;
  expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(discovered);
  const urls: string[] = [];
  for await (const page of service.client.ndjson(job.id)) {
    urls.push(page.url);
    expect(page.markdown).toContain(treeMarker(Number(page.url.split('/').at(-1))));
  }
  expect(urls).toHaveLength(pages);
  expect(new Set(urls).size).toBe(pages);
  const ledger = await service.store.query<{ rows: number; items: number }>(
    {
      name: 'ledger_of_job',
      text: 'SELECT count(*)::int AS rows, count(DISTINCT item)::int AS items FROM credit_ledger WHERE reference = $1',
    },
    [job.id],
  );
  expect(ledger).toEqual([{ rows: pages, items: pages }]);
  const file = (await (await fetch(job.result_url ?? '')).json()) as unknown[];
  expect(file).toHaveLength(pages);
}
