import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type AppName,
  processesWithMarker,
  spawnApp,
  type SpawnedApp,
  TrawlClient,
} from '@app/testing';
import type { BenchOptions } from '../options.js';
import { profileFlags } from '../profile-flags.js';
import { browserPartOf } from './browsers-of.js';
import { type ClusterServices, openClusterServices } from './cluster-services.js';

const KEY = /trawl_live_[\w-]+/;

/** How Trawl is started. */
export interface ServiceTerms {
  readonly options: Pick<BenchOptions, 'pages' | 'concurrency' | 'fetchers' | 'profile'>;
  /** Hosts it may crawl although they are on loopback. */
  readonly siteUrls: readonly string[];
  /** Settings of the fetchers alone. */
  readonly fetcherEnv?: Readonly<Record<string, string>>;
  /** Folder of profiles and data. */
  readonly workDir: string;
}

/** Trawl while the rounds run. */
export interface TrawlService {
  readonly client: TrawlClient;
  /** Root processes by part as they are now: the service's and its servers'. */
  readonly roots: () => Readonly<Record<string, readonly number[]>>;
  readonly stop: () => Promise<void>;
}

/** The same with servers of its own. */
export interface TrawlCluster extends TrawlService {
  /** Where its processes tell their metrics. */
  readonly metricsUrls: readonly string[];
  /** Where its queues are. */
  readonly broker: { readonly url: string; readonly prefix: string };
}

/** api, fetchers, and real PostgreSQL, RabbitMQ and MinIO. */
export async function startCluster(terms: ServiceTerms): Promise<TrawlCluster> {
  const services = await openClusterServices();
  const apps: SpawnedApp[] = [];
  const stop = (): Promise<void> => stopAll(apps, services);
  try {
    const api = await start(terms, 'api', { ...services.env, BOOTSTRAP_TENANT: 'true' });
    apps.push(api);
    for (let index = 0; index < terms.options.fetchers; index++) {
      apps.push(await start(terms, 'fetcher', { ...services.env, ...terms.fetcherEnv }));
    }
    const pidsOf = (name: AppName) =>
      apps.filter(({ app }) => app === name).map((app) => app.process.pid);
    const roots = { api: pidsOf('api'), fetcher: pidsOf('fetcher'), ...services.roots };
    const client = new TrawlClient(api.url, await printedKey(api));
    const { BROKER_URL, BROKER_PREFIX } = services.env;
    const broker = { url: BROKER_URL, prefix: BROKER_PREFIX };
    const metricsUrls = apps.map(({ metricsUrl }) => metricsUrl);
    return { client, roots: () => roots, stop, broker, metricsUrls };
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

/** One process, with a PostgreSQL of its own, as `npm start` runs it. */
export async function startEmbedded(
  terms: ServiceTerms,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TrawlService> {
  const dataDir = path.join(terms.workDir, `${name}-data`);
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  const app = await start(terms, 'standalone', { ...env, DATA_DIR: dataDir });
  const stop = async (): Promise<void> => {
    await app.process.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const client = new TrawlClient(app.url, await printedKey(app));
    const { pid } = app.process;
    const postgres = databasePids(dataDir);
    // The service last: a process belongs to the first part that claims it.
    return { client, roots: () => ({ postgres, ...browserPartOf(pid), standalone: [pid] }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function start(
  { options, siteUrls, workDir }: ServiceTerms,
  app: AppName,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SpawnedApp> {
  const shared = {
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    FETCH_ALLOW_PRIVATE: siteUrls.map((url) => `127.0.0.1/32:${new URL(url).port}`).join(','),
    CRAWL_MAX_PAGES: String(Math.max(options.pages + 1, 1_000)),
    CRAWL_CONCURRENCY: String(options.concurrency),
    HOST_WINDOW_START: String(options.concurrency),
    HOST_WINDOW_MAX: String(hostWindowMax(options)),
  };
  return spawnApp({
    app,
    env: { ...shared, ...env },
    nodeFlags: profileFlags(options, workDir, app),
  });
}

/** Pages of one host that may be in work at once: at least as many as one fetcher takes. */
export function hostWindowMax({ concurrency }: Pick<BenchOptions, 'concurrency'>): number {
  return Math.max(concurrency, 16);
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
