import { connect, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import { openTaskQueue } from '@app/broker';
import { newId } from '@app/contracts';
import { freePort } from '@app/processes';
import { projectRoot, spawnApp, startFixtureSite, until, type SpawnedApp } from '@app/testing';
import {
  brokerUrl,
  freshBucket,
  freshDatabase,
  freshPrefix,
  type Fresh,
} from '../setup/test-servers.js';
import { programEnd } from '../setup/run-program.js';
import { deploy, stopAll, type Deployment } from './deployment.js';
import { watchArrivals } from './watch-arrivals.js';

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

describe('the processes of a cluster', () => {
  const fresh: Fresh[] = [];
  const apps: SpawnedApp[] = [];
  let service: Deployment | undefined;

  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await stopAll(apps.splice(0));
    for (const one of fresh.splice(0)) await one.drop();
  });

  it('start in any order: an API whose database starts later is live, then ready by itself', async () => {
    const [database, bucket] = [await freshDatabase(), await freshBucket()];
    fresh.push(database, bucket);
    const proxy = await reservePort();
    const url = new URL(database.url);
    const target = { host: url.hostname, port: Number(url.port) };
    url.port = String(proxy.port);
    const api = await spawnApp({
      app: 'api',
      env: {
        PORT: '0',
        DATABASE_URL: url.href,
        BROKER_URL: brokerUrl(),
        BROKER_PREFIX: freshPrefix(),
        STORAGE_URL: bucket.url,
        CONTENT_CPU_MS: '100',
        MAP_CONCURRENCY: '8',
      },
    });
    apps.push(api);
    expect(await statusOf(`${api.url}/health/live`)).toBe(200);
    // Without METRICS_PORT no port of metrics is open, and settings of former versions are named once.
    expect(api.process.log(({ msg }) => msg === 'metrics and health')).toEqual([]);
    expect(api.process.log(({ removed }) => removed !== undefined)).toMatchObject([
      {
        level: 'warn',
        removed: [
          'MAP_CONCURRENCY: set CALL_CONCURRENCY instead',
          'CONTENT_CPU_MS: its value is fixed: remove it',
        ],
      },
    ]);
    const early = (await (await fetch(`${api.url}/health/ready?verbose`)).json()) as {
      dependencies: { name: string; ok: boolean; fix?: string; problem?: string }[];
    };
    const down = early.dependencies.find(({ name }) => name === 'database');
    expect(down).toMatchObject({ ok: false, fix: expect.stringContaining('DATABASE_URL') });
    // What a dependency answered may hold addresses; it is for the metrics port.
    expect(down).not.toHaveProperty('problem');
    const refused = await fetch(`${api.url}/v1/jobs`, {
      headers: { 'x-api-key': 'trawl_live_000000000000_x' },
    });
    expect([refused.status, await refused.json()]).toEqual([
      503,
      { error: 'Auth backend not configured.' },
    ]);

    const forwarding = await proxy.forwardTo(target);
    await until(async () => (await statusOf(`${api.url}/health/ready`)) === 200, {
      what: 'the API to become ready by itself',
      timeoutMs: 30_000,
    });
    await api.process.stop('SIGTERM');
    await forwarding.close();
  });

  it('tech-scan answers health and metrics and processes its tasks, and reports a missing page', async () => {
    service = await deploy('cluster', { fetchers: 0 });
    const { env } = service;
    const app = await spawnApp({ app: 'tech-scan', env });
    apps.push(app);
    const queue = openTaskQueue({
      url: env['BROKER_URL'] ?? '',
      prefix: env['BROKER_PREFIX'] ?? '',
    });
    const task = {
      requestId: newId(),
      tenantId: newId(),
      inputKey: 'scans/none',
      deadlineAtMs: Date.now() + 10_000,
    };
    const reply = await queue
      .request('tech-scan', task, { timeoutMs: 10_000 })
      .finally(() => queue.close());
    expect(reply).toEqual({
      technologies: [],
      reasons: ['worker_error'],
      scannedBytes: 0,
      durationMs: 0,
    });
    expect(await statusOf(`${app.metricsUrl}/health/ready`)).toBe(200);
    const metrics = await (await fetch(`${app.metricsUrl}/metrics`)).text();
    expect(metrics).toContain('trawl_techscan_scans_total{outcome="worker_error"} 1');
  });

  it('refuse a scrape with 503 when no fetcher is there', async () => {
    service = await deploy('cluster', { fetchers: 0, env: { SCRAPE_TIMEOUT_MS: '1000' } });
    const answer = await service.client.scrape({ url: 'http://127.0.0.1:2000/' });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
  });

  it('refuse what needs a browser where none is, and say how to get one', async () => {
    service = await deploy('embedded', { env: { BROWSER_MAX: '0' } });
    const url = 'http://127.0.0.1:1025/';
    const picture = await service.client.call('POST', '/v1/screenshot', { url });
    expect([picture.status, picture.body]).toEqual([
      503,
      {
        error: 'Screenshot engine unavailable',
        hint: expect.stringMatching(/no browser. .*npm start.*npm run doctor/),
      },
    ]);
    const scrape = await service.client.scrape({ url, forceHeadless: true });
    expect([scrape.status, scrape.text]).toEqual([
      503,
      expect.stringContaining('Browser unavailable'),
    ]);
    // No wait gives it a browser.
    for (const { headers } of [picture, scrape]) expect(headers.get('retry-after')).toBeNull();
  });

  it('share the queues as FETCHER_QUEUES says', async () => {
    service = await deploy('cluster', { fetchers: 0, env: { BROWSER_MAX: '0' } });
    const site = await startFixtureSite();
    const start = (queues: string) =>
      spawnApp({ app: 'fetcher', env: { ...service?.env, FETCHER_QUEUES: queues } });
    const [crawls, calls] = await Promise.all([start('crawl'), start('scrape,map')]);
    apps.push(crawls, calls);
    expect(await service.client.scrape({ url: site.url('/') })).toMatchObject({ status: 200 });
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 2 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({ status: 'completed' });
    await site.close();
    expect([await consumedBy(crawls), await consumedBy(calls)]).toEqual([['crawl'], ['scrape']]);
  });

  it('migrate by a command that ends: once, then not again, and not without a database', async () => {
    const database = await freshDatabase();
    fresh.push(database);
    const script = path.join(projectRoot(), 'dist/apps/api/src/migrate.js');
    const migrate = (url: string) => programEnd([process.execPath, script], { DATABASE_URL: url });
    const first = await migrate(database.url);
    expect(first).toMatchObject({ code: 0, out: expect.stringContaining('schema migrated') });
    const second = await migrate(database.url);
    expect(second).toMatchObject({ code: 0, out: expect.stringContaining('schema is current') });
    const gone = await migrate('postgres://nobody@127.0.0.1:1/none');
    expect(gone).toMatchObject({ code: 1, out: expect.stringContaining('was not migrated') });
    expect((await migrate('')).code).toBe(78);
  });

  it('keep the pace that a site requests, whole cluster together', async () => {
    service = await deploy('cluster', {
      fetchers: 2,
      env: { BROWSER_MAX: '0', HOST_WINDOW_START: '8' },
    });
    const site = await startFixtureSite({ robots: 'User-agent: *\nCrawl-delay: 1\n' });
    const arrivals = watchArrivals(site);
    const { jobId } = await service.client.crawl({ url: site.url('/'), limit: 4 });
    expect(await service.client.waitForEnd(jobId)).toMatchObject({
      status: 'completed',
      pages_scraped: 4,
    });
    await site.close();
    const { gapsMs, lateMs } = arrivals();
    // An unknown host gets one request, which brings the delay: it holds from the second one on.
    expect(gapsMs.length).toBe(3);
    for (const gap of gapsMs) expect(gap).toBeGreaterThan(980 - lateMs);
  });
});

/** Queues that a process has taken messages from. */
async function consumedBy({ metricsUrl }: SpawnedApp): Promise<readonly string[]> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const rows = text.matchAll(/^trawl_messages_consumed_total\{queue="([\w-]+)".*\} [1-9]/gm);
  return [...new Set([...rows].map(([, queue = '']) => queue))];
}

interface ReservedPort {
  readonly port: number;
  forwardTo(target: { host: string; port: number }): Promise<{ close(): Promise<void> }>;
}

/** A loopback port that refuses connections until `forwardTo` is called. */
async function reservePort(): Promise<ReservedPort> {
  const port = await freePort();
  return {
    port,
    async forwardTo(target) {
      const sockets = new Set<Socket>();
      const server = await listen(
        createServer((socket) => {
          const upstream = connect(target);
          for (const one of [socket, upstream]) {
            sockets.add(one);
            one.on('error', () => one.destroy());
          }
          socket.pipe(upstream).pipe(socket);
        }),
        port,
      );
      return {
        async close() {
          for (const socket of sockets) socket.destroy();
          await new Promise((resolve) => server.close(resolve));
        },
      };
    },
  };
}

async function listen(server: Server, port: number): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  return server;
}
