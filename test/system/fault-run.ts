import { spawnApp, until, type SpawnedApp } from '@app/testing';
import { killService, startService, wipeService } from '../setup/fault-services.js';
import { startStandalone, type Deployment } from './deployment.js';
import { endedJob, FaultJobs, type FaultGround, type FaultJob } from './fault-jobs.js';
import { planMoments, type KillMoment, type Victim, type VictimWeights } from './fault-plan.js';
import { FaultWebhooks } from './fault-webhooks.js';

export interface FaultRunOptions {
  readonly service: Deployment;
  readonly seed: number;
  readonly victims: VictimWeights;
  /** Processes killed, at random moments of the crawl. */
  readonly kills: number;
  /** Limit of the crawl. */
  readonly pages: number;
  /** Asked for on the way, just before what takes them is killed; one is there from the start. */
  readonly batches: number;
  readonly batchSize: number;
}

/** What ran, all of it ended. */
export interface FaultRun {
  readonly crawl: FaultJob;
  readonly batches: readonly FaultJob[];
  readonly kills: readonly Victim[];
}

/**
 * Leases this short bring a killed worker's pages back in seconds; everything else is as in production.
 * A webhook that was on its way is sent again this much and 15 s later.
 */
export const FAULT_ENV = {
  LEASE_MS: '3000',
  HOST_WINDOW_START: '4',
  HOST_WINDOW_MAX: '4',
  DRAIN_SECONDS: '5',
  WEBHOOK_TIMEOUT_MS: '3000',
};

/** Longest time without the next page: servers start again, leases run out. */
const STALLED_MS = 120_000;
/** The leases of a killed finisher or deliverer last a minute at most. */
const END_MS = 180_000;

/**
 * Crawls, and requests batches, while processes are killed at seeded random moments; each is started
 * again at once, as an operator's supervisor would. Resolves when every job has ended and every
 * webhook was delivered.
 */
export async function workUnderFaults(
  ground: FaultGround,
  options: FaultRunOptions,
): Promise<FaultRun> {
  const { service, seed, pages, batchSize } = options;
  const webhooks = await FaultWebhooks.open(service, ground.hook);
  const jobs = new FaultJobs(ground, service, seed);
  const crawl = await jobs.crawl(pages);
  jobs.beginBatch(batchSize);
  await jobs.started();
  const kills: Victim[] = [];
  try {
    for (const moment of planMoments(options)) {
      await arrive(service, crawl.id, moment);
      webhooks.read();
      if (moment.batchLeadMs !== null) {
        jobs.beginBatch(batchSize);
        await passTime(moment.batchLeadMs);
      }
      kills.push(...moment.victims);
      await Promise.all(moment.victims.map((victim) => strike(service, victim, moment.choice)));
    }
    const batches = await jobs.started();
    const ids = [crawl, ...batches].map(({ id }) => id);
    // What is left of the crawl is worked on in peace: ten pages a second are slow.
    const timeoutMs = END_MS + pages * 100;
    for (const id of ids) await ended(service, id, { webhooks, timeoutMs });
    await webhooks.expectEachNotified(ids, { repeats: kills.length, timeoutMs: END_MS });
    return { crawl, batches, kills };
  } catch (cause) {
    const state = await stateOf(service, crawl.id);
    throw new Error(`${state}\nafter ${kills.join(', ')}`, { cause });
  }
}

async function arrive(service: Deployment, jobId: string, moment: KillMoment): Promise<void> {
  await until(async () => (await pagesKept(service, jobId)) >= moment.atPages, {
    what: `${moment.atPages} pages`,
    timeoutMs: STALLED_MS,
    intervalMs: 25,
  });
  await passTime(moment.afterMs);
}

/** By SQL: the API may be the one that is away. */
async function pagesKept({ database }: Deployment, jobId: string): Promise<number> {
  const text = 'SELECT scraped FROM jobs WHERE id = $1';
  const [job] = await database.query<{ scraped: number }>({ name: 'pages_kept', text }, [jobId]);
  return job?.scraped ?? 0;
}

interface EndTerms {
  readonly webhooks: FaultWebhooks;
  readonly timeoutMs: number;
}

async function ended(service: Deployment, id: string, terms: EndTerms): Promise<void> {
  const { webhooks, timeoutMs } = terms;
  const look = async () => {
    webhooks.read();
    return (await endedJob(service, id)) !== null;
  };
  await until(look, { what: `job ${id} to end`, timeoutMs, intervalMs: 100 });
}

const TAIL_LINES = 15;

/** State to read first when a crawl hangs. */
async function stateOf(service: Deployment, id: string): Promise<string> {
  const answer = await service.client.call('GET', `/v1/jobs/${id}`).catch(String);
  const logs = service.apps.map(
    ({ app, process }) =>
      `-- ${app} ${process.pid}\n${process.output.slice(-TAIL_LINES).join('\n')}`,
  );
  return `the work did not end: ${JSON.stringify(answer)}\n${logs.join('\n')}`;
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
      if (!target || target.process.hasExited) throw new Error(`there is no ${victim} to kill`);
      await replace(service, target);
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

/** A new process in the place of the one that serves the API, which ends as a crash ends it; ready. */
export async function crash(service: Deployment): Promise<void> {
  const [old] = service.apps;
  if (!old) throw new Error('no API');
  if (service.mode === 'cluster') {
    await replace(service, old);
  } else {
    await old.process.kill9();
    const env = { ...service.env, PORT: new URL(old.url).port };
    service.apps[0] = await startStandalone(env);
  }
  await until(async () => (await fetch(`${service.url}/health/ready`)).ok, {
    what: 'a ready API',
    timeoutMs: 30_000,
  });
}
