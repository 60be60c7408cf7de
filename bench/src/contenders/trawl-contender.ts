import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type AppName,
  processesWithMarker,
  spawnApp,
  type SpawnedApp,
  TrawlClient,
} from '@app/testing';
import type { Contender, Contest, RoundOutcome } from '../contender.js';
import type { ContenderName } from '../options.js';
import { tallyDocuments } from '../page-tally.js';
import { profileFlags } from '../profile-flags.js';
import { type ClusterServices, openClusterServices } from './cluster-services.js';

const POLL_MS = 50;
const KEY = /trawl_live_[\w-]+/;

/** What runs while the rounds do. */
interface Running {
  readonly client: TrawlClient;
  /** Root processes by part: all of ours, the servers behind us included. */
  readonly roots: Readonly<Record<string, readonly number[]>>;
  readonly stop: () => Promise<void>;
}

/** Trawl as a cluster: api, fetchers, and real PostgreSQL, RabbitMQ and MinIO. */
export function trawlContender(contest: Contest): Contender {
  return serviceContender('trawl', contest, () => startCluster(contest));
}

/** Trawl as `npm start` runs it: one process, with a PostgreSQL of its own. */
export function embeddedContender(contest: Contest): Contender {
  return serviceContender('trawl-embedded', contest, () => startEmbedded(contest));
}

function serviceContender(
  name: ContenderName,
  contest: Contest,
  startService: () => Promise<Running>,
): Contender {
  let running: Running | null = null;
  return {
    name,
    async start() {
      running = await startService();
    },
    async stop() {
      await running?.stop();
      running = null;
    },
    async round() {
      if (running === null) throw new Error(`${name} was not started`);
      return crawlOnce(running, contest);
    },
  };
}

async function crawlOnce(running: Running, contest: Contest): Promise<RoundOutcome> {
  const { client, roots } = running;
  const { options, siteUrl } = contest;
  const meter = contest.measure(roots);
  try {
    const startedAtMs = performance.now();
    const { jobId } = await client.crawl({ url: `${siteUrl}/`, limit: options.pages });
    const job = await client.waitForEnd(jobId, {
      timeoutMs: options.roundTimeoutMs,
      pollMs: POLL_MS,
    });
    const crawlMs = performance.now() - startedAtMs;
    const { cpuMs, peakRssBytes, peakPssBytes } = meter.stop();
    if (job.status !== 'completed') throw new Error(`the job ended as ${JSON.stringify(job)}`);
    const tally = await tallyDocuments(markdownOf(client, jobId));
    return {
      crawlMs,
      crawlCpuMs: cpuMs,
      wholeMs: null,
      wholeCpuMs: null,
      peakRssBytes,
      peakPssBytes,
      tally,
    };
  } finally {
    meter.stop();
  }
}

async function* markdownOf(client: TrawlClient, jobId: string): AsyncGenerator<string> {
  for await (const page of client.ndjson(jobId)) yield page.markdown ?? '';
}

async function startCluster(contest: Contest): Promise<Running> {
  const services = await openClusterServices();
  const apps: SpawnedApp[] = [];
  const stop = (): Promise<void> => stopAll(apps, services);
  try {
    const api = await start(contest, 'api', { ...services.env, BOOTSTRAP_TENANT: 'true' });
    apps.push(api);
    for (let index = 0; index < contest.options.fetchers; index++) {
      apps.push(await start(contest, 'fetcher', services.env));
    }
    const pidsOf = (name: AppName) =>
      apps.filter(({ app }) => app === name).map((app) => app.process.pid);
    const roots = { api: pidsOf('api'), fetcher: pidsOf('fetcher'), ...services.roots };
    return { client: new TrawlClient(api.url, await printedKey(api)), roots, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function stopAll(apps: readonly SpawnedApp[], services: ClusterServices): Promise<void> {
  // Fetchers first: the api would only hand their work out again.
  for (const app of [...apps].reverse()) await app.process.stop();
  await services.close();
}

async function startEmbedded(contest: Contest): Promise<Running> {
  const dataDir = path.join(contest.workDir, 'embedded-data');
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const app = await start(contest, 'standalone', { DATA_DIR: dataDir });
  const stop = async (): Promise<void> => {
    await app.process.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const client = new TrawlClient(app.url, await printedKey(app));
    // The database first: a process belongs to the first part that claims it.
    const roots = { postgres: databasePids(dataDir), standalone: [app.process.pid] };
    return { client, roots, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function start(
  contest: Contest,
  app: AppName,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SpawnedApp> {
  const { options, siteUrl, workDir } = contest;
  const shared = {
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    FETCH_ALLOW_PRIVATE: `127.0.0.1/32:${new URL(siteUrl).port}`,
    CRAWL_MAX_PAGES: String(Math.max(options.pages, 1_000)),
    CRAWL_CONCURRENCY: String(options.concurrency),
    HOST_WINDOW_START: String(options.concurrency),
    HOST_WINDOW_MAX: String(Math.max(options.concurrency, 16)),
  };
  return spawnApp({
    app,
    env: { ...shared, ...env },
    nodeFlags: profileFlags(options, workDir, app),
  });
}

/** The first start on an empty database prints the key once, some time after it listens. */
async function printedKey(app: SpawnedApp): Promise<string> {
  const line = await app.process.waitForLine(KEY);
  return KEY.exec(line)?.[0] ?? '';
}

/** Its PostgreSQL carries the data folder in its arguments or environment. */
function databasePids(dataDir: string): readonly number[] {
  const marked = processesWithMarker(dataDir).filter(({ name }) => name === 'postgres');
  return marked.map(({ pid }) => pid);
}
