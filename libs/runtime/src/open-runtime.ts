import { createHmac, randomBytes } from 'node:crypto';
import { openBlobStore, type BlobStore, type BlobStoreEvents } from '@app/blobs';
import {
  openTaskQueue,
  SealedTaskQueue,
  type SealingKeys,
  type TaskQueue,
  type TaskQueueEvents,
} from '@app/broker';
import { requireSettings, type Settings } from '@app/config';
import { SEALED_QUEUES } from '@app/contracts';
import { waitAtMost } from './wait-at-most.js';
import { Database } from '@app/database';
import { slotsByTenant } from '@app/turns';
import {
  createLogger,
  Health,
  Metrics,
  OpsServer,
  recordSpan,
  type DependencyCheck,
  type Logger,
} from '@app/telemetry';
import { TaskKeys } from './task-keys.js';
import { TracedTaskQueue } from './traced-task-queue.js';
import { REVISION, VERSION } from './version.js';

/**
 * The common parts of every process: settings, log, metrics, health, broker and storage, the last two chosen by
 * address.
 */
export interface PortsRuntime {
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly ops: OpsServer;
  readonly queue: TaskQueue;
  readonly blobs: BlobStore;
  /** Signs and verifies download links. */
  readonly downloadSecret: Uint8Array;
  /** Address under which clients reach the API. */
  readonly publicUrl: string;
  /** Releases the reserved port of the API, which calls it right before it listens. */
  releasePort?(): Promise<void>;
  close(): Promise<void>;
}

/**
 * With the database, which all processes except the scanner have. The apps of a standalone service share one.
 */
export interface Runtime extends PortsRuntime {
  readonly database: Database;
  /** Resolves once the database is connected and its schema is current. */
  readonly databaseReady: Promise<void>;
}

export interface RuntimeOptions {
  readonly settings: Settings;
  readonly component: string;
  /** Migrates the schema; without it the process waits until another one has. */
  readonly migrate: boolean;
}

/** The fix for operators when a dependency does not respond, in one line each. */
export const DEPENDENCY_FIXES = {
  database: 'Check DATABASE_URL and that PostgreSQL accepts connections from here.',
  schema: 'Start one API with MIGRATE_ON_START=true, or wait until it has migrated.',
  broker: 'Check BROKER_URL and that RabbitMQ accepts connections from here.',
  storage: 'Check STORAGE_URL: address, key, secret and the right to use the bucket.',
} as const;

/**
 * Calls of one kind (scrapes, maps …) and one tenant that an API process hands out to fetchers at once; half as many
 * more are for other tenants, and the free plan gets at most half of it. Further calls wait in the API process. A
 * fetcher prefetches as many tasks as one API process hands out.
 */
export const OUTSTANDING_CALLS = 64;
/** Tasks with large bodies that may wait in one queue of the broker; more are refused with 503. */
const MAX_WAITING_TASKS = 1_000;

const RETRY_MS = 1_000;
/** Metrics are returned without a schema version that takes longer; it stays as it was. */
const SCHEMA_WAIT_MS = 1_000;

/** Opens the ports. Nothing needs to be reachable yet: each connects, and reconnects, by itself. */
export function openRuntime({ settings, component, migrate }: RuntimeOptions): Runtime {
  const { databaseUrl } = requireSettings(settings, ['databaseUrl', 'brokerUrl', 'storageUrl']);
  const database = new Database({
    url: databaseUrl,
    poolSize: settings.databasePoolSize,
    applicationName: `trawl-${component}`,
  });
  const ports = openPorts({ settings, component, keys: new TaskKeys(database) });
  const { log, metrics, health, queue, blobs } = ports;
  const stopWatching = watchDatabase(database, metrics);
  metrics.onCollect(async () =>
    metrics.schemaVersion.set(await waitAtMost(SCHEMA_WAIT_MS, database.migrationsRun())),
  );
  let closed = false;
  const databaseReady = connectDatabase({ database, log, migrate, isClosed: () => closed });
  health.watch([...databaseChecks(database), ...portChecks({ queue, blobs })]);
  return {
    ...ports,
    database,
    databaseReady,
    async close() {
      closed = true;
      stopWatching();
      await ports.close();
      await databaseReady.catch(() => undefined);
      await database.close();
    },
  };
}

/**
 * The same for a process without access to the database, and so without the keys that tasks are sealed with: it
 * uses only queues that are not sealed.
 */
export function openPortsRuntime(options: Omit<RuntimeOptions, 'migrate'>): PortsRuntime {
  requireSettings(options.settings, ['brokerUrl', 'storageUrl']);
  const ports = openPorts({ ...options, keys: NO_KEYS });
  ports.health.watch(portChecks(ports));
  return ports;
}

interface PortsOptions {
  readonly settings: Settings;
  readonly component: string;
  readonly keys: SealingKeys;
}

function openPorts({ settings, component, keys }: PortsOptions): PortsRuntime {
  const { brokerUrl, storageUrl } = requireSettings(settings, ['brokerUrl', 'storageUrl']);
  const log = createLogger({ level: settings.logLevel, component });
  const metrics = new Metrics();
  metrics.buildInfo.set({ version: VERSION, revision: REVISION, component }, 1);
  const health = new Health();
  const publicUrl = settings.publicUrl ?? `http://${urlHost(settings.host)}:${settings.port}`;
  const downloadSecret = downloadSecretOf(settings.downloadSecret, storageUrl);
  const sealed = new SealedTaskQueue({
    inner: openTaskQueue({
      url: brokerUrl,
      prefix: settings.brokerPrefix,
      maxLengths: {
        scrape: MAX_WAITING_TASKS,
        screenshot: MAX_WAITING_TASKS,
        convert: MAX_WAITING_TASKS,
      },
      readAhead: slotsByTenant(OUTSTANDING_CALLS).total,
      events: queueEvents(metrics, log),
    }),
    keys,
    queues: SEALED_QUEUES,
    onFailure: (name, err) => log.error({ err, queue: name }, 'a task failed'),
  });
  const queue = settings.otlpEndpoint === undefined ? sealed : new TracedTaskQueue(sealed);
  const blobs = openBlobStore({
    url: storageUrl,
    publicUrl,
    downloadSecret,
    ...(settings.storagePublicUrl ? { publicStorageUrl: settings.storagePublicUrl } : {}),
    events: blobEvents(metrics),
  });
  return {
    settings,
    log,
    metrics,
    health,
    ops: new OpsServer(metrics, health),
    queue,
    blobs,
    downloadSecret,
    publicUrl,
    async close() {
      await queue.close();
      await blobs.close();
    },
  };
}

/** Of a process without a database: it can neither seal nor open tasks. */
const NO_KEYS: SealingKeys = {
  current: () => Promise.reject(new Error('this process has no keys to seal tasks with')),
  find: () => Promise.reject(new Error('this process has no keys to open tasks with')),
};

/**
 * Every API process must verify the links of the others. Those that share an S3 store derive the same secret
 * from it, without a further setting; a single one with a folder generates its own.
 */
function downloadSecretOf(given: string | undefined, storageUrl: string): Uint8Array {
  if (given) return new TextEncoder().encode(given);
  const { protocol, password } = new URL(storageUrl);
  if (!protocol.startsWith('s3+') || password === '') return randomBytes(32);
  return createHmac('sha256', password).update('download links').digest();
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function databaseChecks(database: Database): DependencyCheck[] {
  return [
    { name: 'database', fix: DEPENDENCY_FIXES.database, check: () => database.ping() },
    { name: 'schema', fix: DEPENDENCY_FIXES.schema, check: () => requireCurrentSchema(database) },
  ];
}

function portChecks(ports: Pick<PortsRuntime, 'queue' | 'blobs'>): DependencyCheck[] {
  return [
    { name: 'broker', fix: DEPENDENCY_FIXES.broker, check: () => ports.queue.ping() },
    { name: 'storage', fix: DEPENDENCY_FIXES.storage, check: () => ports.blobs.ping() },
  ];
}

async function requireCurrentSchema(database: Database): Promise<void> {
  if (!(await database.isMigrated())) throw new Error('the schema is older than this build');
}

interface ConnectOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly migrate: boolean;
  readonly isClosed: () => boolean;
}

/** Processes may start before their database: they wait here, live but not ready. */
async function connectDatabase({
  database,
  log,
  migrate,
  isClosed,
}: ConnectOptions): Promise<void> {
  let lastProblem = '';
  while (!isClosed()) {
    try {
      await database.connect();
      if (migrate) {
        const done = await database.migrate();
        if (done.length > 0) log.info({ migrations: done }, 'schema migrated');
        return;
      }
      await requireCurrentSchema(database);
      return;
    } catch (err) {
      const problem = err instanceof Error ? err.message : String(err);
      if (problem !== lastProblem) log.warn({ problem }, 'waiting for the database');
      lastProblem = problem;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  throw new Error('closed before the database was ready');
}

/** Queue events as metrics and log lines. */
function queueEvents(metrics: Metrics, log: Logger): TaskQueueEvents {
  return {
    published: (queue, result) => metrics.published.inc({ queue, result }),
    consumed: (queue, result, redelivered) =>
      metrics.consumed.inc({ queue, result, redelivered: String(redelivered) }),
    deadLettered: (queue, reason) => {
      metrics.deadLettered.inc({ queue, reason });
      log.error({ queue, reason }, 'message dead-lettered');
    },
    age: (queue, seconds) => metrics.messageAge.observe({ queue }, seconds),
    processed: (queue, result, seconds) =>
      metrics.processingSeconds.observe({ queue, result }, seconds),
    inFlight: (queue, count) => metrics.consumerInFlight.set({ queue }, count),
    slots: (queue, count) => metrics.consumerPrefetch.set({ queue }, count),
    reconnected: () => metrics.amqpReconnects.inc(),
    connected: (isConnected) => {
      metrics.amqpConnected.set(isConnected ? 1 : 0);
      log.info({ isConnected }, 'broker connection');
    },
    warned: (message, err) => log.warn({ err }, message),
  };
}

/** Storage events as metrics and spans. */
function blobEvents(metrics: Metrics): BlobStoreEvents {
  return {
    operation: (operation, outcome, seconds) => {
      metrics.blobSeconds.observe({ operation, outcome }, seconds);
      const failed = outcome === 'error' || outcome === 'unavailable';
      recordSpan(`storage ${operation}`, seconds, {
        attributes: { 'trawl.storage.outcome': outcome },
        failed,
      });
    },
    transferred: (operation, bytes) => metrics.blobBytes.inc({ operation }, bytes),
  };
}

const WATCH_INTERVAL_MS = 5_000;

/** Samples the connection pool; returns a function that stops it. */
function watchDatabase(database: Database, metrics: Metrics): () => void {
  const timer = setInterval(() => {
    const { total, idle, waiting } = database.poolCounts();
    metrics.dbConnections.set({ state: 'idle' }, idle);
    metrics.dbConnections.set({ state: 'busy' }, total - idle);
    metrics.dbWaiters.set(waiting);
  }, WATCH_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
