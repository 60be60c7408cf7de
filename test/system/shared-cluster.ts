import type { Database } from '@app/database';
import { adHocStatement, until, type SpawnedApp } from '@app/testing';
import { sharedDatabase } from '../setup/shared-database.js';
import { sumOfGauge } from './browser-census.js';
import { fakeProviders, type FakeProviders } from './fake-providers.js';
import {
  createCaller,
  deployCluster,
  deployEmbedded,
  openTestDatabase,
  PATIENT_ENV,
  refusedStatements,
  serviceOf,
  spawnApi,
  stopAll,
  type Deployment,
  type Mode,
  type Service,
} from './deployment.js';

/** What suits most specs. One that needs other settings, or acts on processes, has a deployment of its own. */
const SHARED_ENV = {
  ...PATIENT_ENV,
  BROWSER_MAX: '1',
  DRAIN_SECONDS: '1',
  HOST_WINDOW_START: '8',
  PROFILE_KEYS: Buffer.alloc(32, 7).toString('base64'),
  TRUST_PROXY: '127.0.0.1',
};
/** For work that has just ended, and for the fetcher to notice that a client is gone. */
const REST_MS = 60_000;

/** Of no job, key, webhook or other resource. */
export const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000';

export interface SharedService extends Service {
  /** What it was set up with; as new. */
  readonly providers: FakeProviders;
}

interface SharedCluster {
  readonly deployment: Deployment;
  /** A spec file has it, or ended without giving it back. */
  isLent: boolean;
}

/** The cluster of this worker: sources are loaded anew for each spec file, the process stays. */
const PLACE = Symbol.for('shared cluster');
const worker: { [PLACE]?: SharedCluster } = process as object;

/**
 * The service for a spec that is content to be one of its callers: a cluster that serves the spec files of a worker
 * one after the other, with a tenant of this file's own. In the embedded mode it is this file's alone.
 *
 * `stop` gives the cluster back. It rejects, naming what is left, when work of this file still goes on there; the next
 * file then gets a new cluster.
 */
export async function share(mode: Mode = 'cluster'): Promise<SharedService> {
  const providers = await fakeProviders();
  const settings = { ...SHARED_ENV, ...providers.env };
  if (mode === 'embedded') return { ...(await deployEmbedded({ env: settings })), providers };
  const cluster = await clusterAtRest(settings);
  cluster.isLent = true;
  const { apps, env, database: former } = cluster.deployment;
  const database = await openTestDatabase(former.url);
  // What the service learnt of the providers in former files.
  await database.query(adHocStatement('DELETE FROM search_backends'));
  const { key } = await createCaller(database, 'system test', 'custom');
  return {
    ...serviceOf({ mode, apps, database, key, env }),
    providers,
    async stop() {
      const left = await leftIn(apps, database).finally(() => database.close());
      if (left.length > 0) {
        await abandon(cluster);
        throw new Error(`this spec file leaves in the shared cluster: ${left.join(', ')}`);
      }
      cluster.isLent = false;
    },
  };
}

/** A service whose API has settings that no other spec has. */
export interface OwnApiService extends Service {
  /** The processes; the API of this file is the first. */
  readonly apps: readonly SpawnedApp[];
  /** Addresses of the replicas of the API; an embedded service is one process. */
  readonly urls: readonly string[];
}

/**
 * The shared service by an API process of this file alone, a second replica of the cluster with further settings.
 * It costs six seconds of processor time, a deployment three times as much.
 */
export async function shareWithOwnApi(
  mode: Mode = 'cluster',
  settings: Service['env'] = {},
): Promise<OwnApiService> {
  if (mode === 'embedded') {
    const service = await deployEmbedded({ env: { ...SHARED_ENV, ...settings } });
    return { ...service, urls: [service.url] };
  }
  const shared = await share();
  const env = { ...shared.env, ...settings };
  const api = await spawnApi(env);
  const apps = [api, ...(worker[PLACE]?.deployment.apps ?? [])];
  return {
    ...serviceOf({ mode, apps, database: shared.database, key: shared.key, env }),
    apps,
    urls: [api.url, shared.url],
    async stop() {
      await stopAll([api]);
      await shared.stop();
    },
  };
}

type Env = Readonly<Record<string, string>>;

async function clusterAtRest(env: Env): Promise<SharedCluster> {
  const current = worker[PLACE];
  if (current?.isLent === false) return current;
  if (current) await abandon(current);
  return (worker[PLACE] = await startCluster(env));
}

async function startCluster(env: Env): Promise<SharedCluster> {
  const database = await sharedDatabase();
  const deployment = await deployCluster({ env, scanners: 1, database, name: database.name });
  // Nothing of it keeps the worker from ending, and its apps end with the worker.
  await deployment.database.close();
  for (const { process } of deployment.apps) process.unref();
  return { deployment, isLent: false };
}

async function abandon({ deployment }: SharedCluster): Promise<void> {
  delete worker[PLACE];
  await deployment.stop();
}

const LEFT = adHocStatement(`
  SELECT 'a job that is ' || status AS what FROM jobs WHERE status NOT IN ('completed', 'failed', 'cancelled')
  UNION ALL SELECT 'a concurrent request' FROM call_slots WHERE until > clock_timestamp()
  UNION ALL SELECT 'reserved credits of ' || operation FROM credit_holds
  UNION ALL SELECT 'the lease of Idempotency-Key ' || key FROM idempotency_keys WHERE lease_until > clock_timestamp()`);

/** Of apps at rest each is 0. */
const GAUGES = [
  'trawl_http_requests_in_flight',
  'trawl_consumer_in_flight',
  'trawl_browser_pages_open',
];

/** Waits until there is nothing, and returns what there is after {@link REST_MS}. */
async function leftIn(apps: readonly SpawnedApp[], database: Database): Promise<readonly string[]> {
  const ended = apps.filter(({ process }) => process.hasExited);
  if (ended.length > 0) return ended.map(({ app }) => `no ${app}: it has ended`);
  const refused = refusedStatements(apps);
  if (refused.length > 0) return [`what it had no right to: ${JSON.stringify(refused[0])}`];
  let left: readonly string[] = [];
  const look = async (): Promise<boolean> => {
    const rows = await database.query<{ what: string }>(LEFT);
    const sums = GAUGES.map(async (name) => ({ name, sum: await sumOfGauge(apps, name) }));
    const busy = (await Promise.all(sums)).filter(({ sum }) => sum !== 0);
    left = [...rows.map(({ what }) => what), ...busy.map(({ name, sum }) => `${name} ${sum}`)];
    return left.length === 0;
  };
  await until(look, { timeoutMs: REST_MS, what: 'the cluster to be at rest' }).catch(
    (error: unknown) => {
      if (left.length === 0) throw error;
    },
  );
  return left;
}
