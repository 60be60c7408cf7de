import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage, type RequestOptions, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore, type BlobStore } from '@app/blobs';
import { openTaskQueue } from '@app/broker';
import { loadSettings, type Settings } from '@app/config';
import type { Plan, QueueName } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { API_KEY_PREFIX } from '@app/accounts';
import { type Statement, type Database } from '@app/database';
import { createLogger, Health, Metrics, type OpsServer } from '@app/telemetry';
import { TrawlClient } from '@app/testing';
import { createApp } from '../src/create-app.js';
import { FakeCredits } from './fake-credits.js';
import { FakeLimits, type FakeCaller } from './fake-limits.js';

const TENANT_ID = '018f0000-0000-7000-8000-000000000001';
const LOOKUP = 'a'.repeat(12);
const KEY = `${API_KEY_PREFIX}${LOOKUP}_secret`;

/** The API with its real HTTP edge, queue and storage; fetchers and the database are fakes. */
export interface StartedApi {
  readonly url: string;
  readonly key: string;
  readonly tenantId: string;
  readonly client: TrawlClient;
  readonly blobs: BlobStore;
  readonly recorded: FakeCredits['recorded'];
  readonly credits: FakeCredits;
  /** Quota counted for the day. */
  readonly reserved: string[];
  /** Counts in rate windows: tenant, window, limit and amount. */
  readonly counted: (readonly unknown[])[];
  /** Admitted requests, and the calls that use a slot. */
  readonly limits: FakeLimits;
  readonly metrics: Metrics;
  /** Fakes the fetcher of a queue; returns the tasks it receives. */
  fakeFetcher<T>(queue: QueueName, answer: (task: T) => unknown): Promise<T[]>;
  readonly server: Server;
  /** Sends the head of a request, and nothing more. */
  head(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Keys of blobs that exist. */
  blobKeys(): Promise<string[]>;
  /** Stops listening; resolves when the requests in progress have ended. */
  close(): Promise<void>;
  stop(): Promise<void>;
}

export interface StartOptions extends Pick<FakeCaller, 'agreed' | 'window'> {
  readonly settings?: Partial<Settings>;
  readonly plan?: Plan;
  /** The claim id of every Idempotency-Key; no response is stored. @default keys are not known */
  readonly claimId?: string;
  /** Prepaid credits; 'lost' makes reading them fail. @default enough */
  readonly credits?: number | 'lost';
}

/** With a model for every class, unless the settings differ. */
const MODELS: Partial<Settings> = {
  llmBaseUrl: 'http://127.0.0.1:9/v1',
  llmModelFree: 'free-model',
  llmModelLow: 'low-model',
  llmModelHigh: 'high-model',
  llmModelTop: 'top-model',
};

export async function startTestApi(options: StartOptions = {}): Promise<StartedApi> {
  const folder = await mkdtemp(path.join(tmpdir(), 'trawl-api-'));
  const publicUrl = 'http://127.0.0.1:1';
  const downloadSecret = new Uint8Array(32);
  const blobs = openBlobStore({ url: pathToFileURL(folder).href, publicUrl, downloadSecret });
  const queue = openTaskQueue({ url: 'memory:' });
  const credits = new FakeCredits(options.credits);
  const { recorded } = credits;
  const reserved: string[] = [];
  const { plan = 'pro', agreed, window } = options;
  const limits = new FakeLimits({ tenantId: TENANT_ID, key: KEY, plan, agreed, window });
  const metrics = new Metrics();
  const runtime: Runtime = {
    settings: {
      ...loadSettings({ FETCH_ALLOW_PRIVATE: '127.0.0.1/32:1024-65535' }),
      ...MODELS,
      ...options.settings,
    },
    log: createLogger({ level: 'fatal', component: 'spec' }),
    metrics,
    health: new Health(),
    ops: {} as OpsServer,
    database: fakeDatabase({ credits, reserved, limits }, options),
    queue,
    blobs,
    downloadSecret,
    publicUrl,
    databaseReady: Promise.resolve(),
    close: () => Promise.resolve(),
  };
  const app = await createApp(runtime);
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    url,
    key: KEY,
    tenantId: TENANT_ID,
    client: new TrawlClient(url, KEY),
    blobs,
    recorded,
    credits,
    reserved,
    counted: limits.counted,
    limits,
    metrics,
    async fakeFetcher<T>(name: QueueName, answer: (task: T) => unknown): Promise<T[]> {
      const tasks: T[] = [];
      await queue.consume(name, {
        concurrency: 100,
        handler: async ({ task }) => {
          tasks.push(task as T);
          return answer(task as T);
        },
      });
      return tasks;
    },
    server: app.getHttpServer(),
    head: (method, path, headers) =>
      sendHead(new URL(path, url), { method, headers: { 'x-api-key': KEY, ...headers } }),
    async blobKeys() {
      const keys: string[] = [];
      for await (const { key } of blobs.list('')) keys.push(key);
      return keys;
    },
    close: () => app.close(),
    async stop() {
      app.getHttpServer().closeAllConnections();
      await app.close();
      await queue.close();
      await blobs.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function sendHead(
  url: URL,
  options: RequestOptions,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const sent = request(url, options);
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  sent.destroy();
  return { status: response.statusCode ?? 0, body: JSON.parse(text) };
}

/** Knows one key, and records the charges. */
function fakeDatabase(
  { credits, reserved, limits }: Pick<StartedApi, 'credits' | 'reserved' | 'limits'>,
  { claimId }: StartOptions,
): Database {
  const query = async (
    { name }: Statement,
    values: readonly unknown[] = [],
  ): Promise<unknown[]> => {
    const answered = limits.answer(name, values) ?? credits.answer(name, values);
    if (answered) return answered;
    if (claimId !== undefined && name.endsWith('_idempotency_key'))
      return [{ id: claimId, isFirst: false, expiresAt: new Date(Date.now() + 60_000) }];
    if (name === 'release_daily' || name === 'stored_object_bytes') return [];
    if (name === 'reserve_daily') {
      reserved.push(String(values[1]));
      return [{ ok: true, used: 1 }];
    }
    throw new Error(`no answer to ${name}`);
  };
  const own = (): unknown => ({ query });
  return { query, asTenant: own, asReader: own } as unknown as Database;
}
