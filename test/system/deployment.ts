import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Plan } from '@app/contracts';
import { changeAgreement, createApiKey, createTenant } from '@app/accounts';
import { FIRST_TENANT_REQUESTS_PER_MINUTE } from '../../libs/accounts/src/tenants/tenants.js';
import { Database } from '@app/database';
import {
  spawnApp,
  TrawlClient,
  until,
  type AppName,
  type LogLine,
  type SpawnedApp,
} from '@app/testing';
import { closeFetchConnections } from '../setup/fetch-connections.js';
import { fetcherLogin } from '../setup/fetcher-login.js';
import { isFullRun } from '../setup/full-run.js';
import {
  brokerUrl,
  freshBucket,
  freshMigratedDatabase,
  freshPrefix,
  type Fresh,
} from '../setup/test-servers.js';

/** The service as a user has it, with a real database. */
export interface Service {
  readonly mode: Mode;
  readonly url: string;
  /** Address of the metrics and health port of the API. */
  readonly metricsUrl: string;
  readonly client: TrawlClient;
  readonly key: string;
  readonly database: Database;
  /** The processes, in the order they were started; only those of a {@link Deployment} may be stopped or killed. */
  readonly apps: readonly SpawnedApp[];
  /** Environment of the API; fetchers have a login of their own, with the rights of fetchers. */
  readonly env: Readonly<Record<string, string>>;
  /** Another tenant. @param plan @default 'custom' */
  tenant(plan?: Plan): Promise<Caller>;
  /** A client of another tenant. */
  otherTenant(): Promise<TrawlClient>;
  /** The metrics of all its processes. */
  metrics(): Promise<string>;
  /** Lines that the API has logged since the spec has the service. */
  apiLog(predicate: (line: LogLine) => boolean): readonly LogLine[];
  stop(): Promise<void>;
}

/** A tenant, as whom a spec calls the service. */
export interface Caller {
  readonly id: string;
  readonly key: string;
  readonly client: TrawlClient;
}

/** A service of a spec's own, of real processes that it may stop and kill. */
export interface Deployment extends Service {
  readonly apps: SpawnedApp[];
}

const ALL_MODES = ['embedded', 'cluster'] as const;
export type Mode = (typeof ALL_MODES)[number];
/**
 * The modes of an end-to-end spec: the cluster, whose servers are the real ones; both in the full run.
 * `embedded.e2e-spec.ts` walks through each flow once in the embedded mode.
 */
export const MODES: readonly Mode[] = isFullRun ? ALL_MODES : ['cluster'];

export interface DeployOptions {
  readonly fetchers?: number;
  /** Of a cluster. @default 0 */
  readonly scanners?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Other addresses than the test servers', e.g. a proxy before them. */
  readonly brokerUrl?: string;
  /** Of a cluster: brought to the current schema, and dropped in the end. @default a fresh one */
  readonly database?: Fresh;
  /** Of a cluster: of its bucket, fetchers' login and queues. @default a fresh one */
  readonly name?: string;
  /** Of a cluster: folders of the project from which apps are started. @default this one */
  readonly roots?: Readonly<Partial<Record<AppName, string>>>;
}

/** Fixture sites live on loopback, those that need a host of their own in 127.8/15; everything else private stays refused. */
const TEST_ENV = {
  FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535,127.8.0.0/15:1024-65535',
  PORT: '0',
  METRICS_PORT: '0',
  LOG_LEVEL: 'info',
};

/** Times that no result of most specs is a matter of: a busy machine needs some. */
export const PATIENT_ENV = {
  FETCH_TIMEOUT_MS: '120000',
  SCRAPE_TIMEOUT_MS: '120000',
  TECH_SCAN_BUDGET_MS: '20000',
  WEBHOOK_TIMEOUT_MS: '60000',
};

export function deploy(mode: Mode, options: DeployOptions = {}): Promise<Deployment> {
  return mode === 'embedded' ? deployEmbedded(options) : deployCluster(options);
}

export async function deployEmbedded(options: DeployOptions = {}): Promise<Deployment> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trawl-embedded-'));
  const env = { ...TEST_ENV, DATA_DIR: dataDir, ...options.env };
  const apps: SpawnedApp[] = [];
  try {
    const app = await startStandalone(env);
    apps.push(app);
    const key = (await readFile(path.join(dataDir, 'dev-key'), 'utf8')).trim();
    const database = await openTestDatabase(await embeddedDatabaseUrl(dataDir));
    return assemble({
      mode: 'embedded',
      apps,
      database,
      key,
      env,
      cleanUp: () => removeFolder(dataDir),
    });
  } catch (error) {
    await stopAll(apps);
    await removeFolder(dataDir);
    throw error;
  }
}

/** Starts a standalone and waits until it has printed its welcome. */
export async function startStandalone(env: Readonly<Record<string, string>>): Promise<SpawnedApp> {
  const app = await spawnApp({ app: 'standalone', env });
  await app.process.waitForLog((line) => line.msg === 'ready', 'ready', 60_000);
  return app;
}

async function embeddedDatabaseUrl(dataDir: string): Promise<string> {
  const home = path.join(dataDir, 'postgres');
  const [port, password] = await Promise.all([
    readFile(path.join(home, 'port'), 'utf8'),
    readFile(path.join(home, 'password'), 'utf8'),
  ]);
  return `postgres://postgres:${password.trim()}@127.0.0.1:${port.trim()}/postgres`;
}

export async function deployCluster(options: DeployOptions = {}): Promise<Deployment> {
  const { name = freshPrefix(), roots = {} } = options;
  const [fresh, bucket] = await Promise.all([
    options.database ?? freshMigratedDatabase(name),
    freshBucket(name),
  ]);
  const env = {
    ...TEST_ENV,
    DATABASE_URL: fresh.url,
    BROKER_URL: options.brokerUrl ?? brokerUrl(),
    BROKER_PREFIX: name,
    STORAGE_URL: bucket.url,
    ...options.env,
  };
  const login = await fetcherLogin(env.DATABASE_URL, name);
  const database = await openTestDatabase(fresh.url);
  const apps: SpawnedApp[] = [];
  const cleanUp = async () => {
    await Promise.all([fresh.drop(), bucket.drop()]);
    await login.drop();
  };
  try {
    // Gives the fetchers' login its rights, for which they would wait until the API is up.
    await database.migrate();
    const fetchers = Array.from(
      { length: options.fetchers ?? 1 },
      () => () =>
        spawnApp({ app: 'fetcher', root: roots.fetcher, env: { ...env, DATABASE_URL: login.url } }),
    );
    const scanners = Array.from(
      { length: options.scanners ?? 0 },
      () => () => spawnApp({ app: 'tech-scan', env }),
    );
    apps.push(...(await startTogether([() => spawnApi(env, roots.api), ...fetchers, ...scanners])));
    const { key } = await createCaller(database, 'system test', 'custom');
    return assemble({ mode: 'cluster', apps, database, key, env, cleanUp });
  } catch (error) {
    await database.close();
    await stopAll(apps);
    await cleanUp();
    throw error;
  }
}

/** An API process that serves. */
export async function spawnApi(
  env: Readonly<Record<string, string>>,
  root?: string,
): Promise<SpawnedApp> {
  const api = await spawnApp({ app: 'api', root, env });
  const isReady = async () => (await fetch(`${api.url}/health/ready`)).ok;
  await until(isReady, { what: 'a ready API' });
  return api;
}

/** More would wait for each other's processor time while the time they have to start or to end runs. */
const AT_ONCE = 8;

/** Apps in the order given, some started at the same time; when one does not start, the others are stopped. */
async function startTogether(
  starts: readonly (() => Promise<SpawnedApp>)[],
): Promise<readonly SpawnedApp[]> {
  const apps: SpawnedApp[] = [];
  for (const some of wavesOf(starts)) {
    const settled = await Promise.allSettled(some.map((start) => start()));
    apps.push(...settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
    const failed = settled.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') continue;
    await stopAll(apps);
    throw failed.reason;
  }
  return apps;
}

/** Nobody asks more often than the first tenant of a deployment may, and no spec sends more at a time. */
const ROOM = {
  monthlyCredits: null,
  requestsPerMinute: FIRST_TENANT_REQUESTS_PER_MINUTE,
  concurrentRequests: 1_000,
};

/**
 * A tenant with a key, on a plan, but free to ask as often and as much at a time as a spec likes: those of
 * the limits are by themselves.
 */
export async function createCaller(
  database: Database,
  name: string,
  plan: Plan,
): Promise<{ readonly id: string; readonly key: string }> {
  const { id } = await createTenant(database, name, plan);
  await database.transaction((tx) => changeAgreement(tx, id, ROOM));
  return { id, key: await createApiKey(database, id, name) };
}

export async function openTestDatabase(url: string): Promise<Database> {
  const database = new Database({
    url,
    poolSize: 3,
    applicationName: 'system-test',
    connectTimeoutMs: 60_000,
  });
  await database.connect();
  return database;
}

interface Parts {
  readonly mode: Mode;
  readonly apps: SpawnedApp[];
  readonly database: Database;
  readonly key: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cleanUp: () => Promise<void>;
}

function assemble({ mode, apps, database, key, env, cleanUp }: Parts): Deployment {
  return {
    ...serviceOf({ mode, apps, database, key, env }),
    apps,
    async stop() {
      await database.close();
      await stopAll(apps);
      await cleanUp();
      const [refused] = refusedStatements(apps);
      if (refused) throw new Error(`beyond the rights of its account: ${JSON.stringify(refused)}`);
    },
  };
}

/** The service of running apps, as one caller has it from now on. */
export function serviceOf(parts: Omit<Parts, 'cleanUp'>): Omit<Service, 'stop'> {
  const { mode, apps, database, key, env } = parts;
  const [api] = apps;
  const url = api?.url ?? '';
  const fromMs = Date.now();
  const tenant = async (plan: Plan = 'custom'): Promise<Caller> => {
    const { id, key: other } = await createCaller(database, `test on ${plan}`, plan);
    return { id, key: other, client: new TrawlClient(url, other) };
  };
  return {
    ...{ mode, url, key, database, env, apps },
    metricsUrl: api?.metricsUrl ?? '',
    client: new TrawlClient(url, key),
    tenant,
    otherTenant: async () => (await tenant()).client,
    async metrics() {
      const texts = apps.map(async (app) => (await fetch(`${app.metricsUrl}/metrics`)).text());
      return (await Promise.all(texts)).join('\n');
    },
    apiLog(predicate) {
      const isNew = ({ time }: LogLine): boolean => new Date(String(time)).getTime() >= fromMs;
      return api?.process.log((line) => isNew(line) && predicate(line)) ?? [];
    },
  };
}

/** Log lines of fetchers about them. */
export function refusedStatements(apps: readonly SpawnedApp[]): readonly LogLine[] {
  const fetchers = apps.filter(({ app }) => app === 'fetcher');
  return fetchers.flatMap(({ process }) => process.log(isRefused));
}

/** Caches go on without a statement that was refused: only the log shows it. */
function isRefused(line: LogLine): boolean {
  return JSON.stringify(line).includes('permission denied for');
}

/** For the end of an app, on a busy machine too. */
const STOP_MS = 60_000;

/** Ends apps that no client uses any more: this process's own connections to them would only delay it. */
export async function stopAll(apps: readonly SpawnedApp[]): Promise<void> {
  closeFetchConnections();
  for (const some of wavesOf(apps))
    await Promise.all(some.map((app) => app.process.stop('SIGTERM', STOP_MS)));
}

function wavesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(all.length / AT_ONCE);
  return Array.from({ length: count }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE));
}

async function removeFolder(dir: string): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 5 });
}
