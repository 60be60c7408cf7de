import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { QueueName } from '@app/contracts';
import { until } from '@app/testing';
import { Connection } from 'rabbitmq-client';
import { RabbitTaskQueue, type RabbitTaskQueueOptions } from './rabbit-task-queue.js';

const url = process.env.TEST_BROKER_URL ?? '';
if (url === '') {
  throw new Error(
    'TEST_BROKER_URL is not set. These tests need a real RabbitMQ (3.10 or later): ' +
      'start one and run with TEST_BROKER_URL=amqp://guest:guest@127.0.0.1:5672',
  );
}

/** Short waits before a connection is replaced; long ones for a broker that is slow. */
const timing = {
  connectWaitMs: 30_000,
  confirmWaitMs: 30_000,
  heartbeatSeconds: 30,
  reconnectMinMs: 50,
  reconnectMaxMs: 300,
  idleRefreshMs: 30_000,
};

/** Those that the cases use: a quorum queue costs the broker files and processes. */
const USED: readonly QueueName[] = ['scrape', 'crawl'];
const prefixes: string[] = [];
const opened: RabbitTaskQueue[] = [];
const proxies: Proxy[] = [];

afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close();
  for (const queue of opened.splice(0)) await queue.close();
  await deleteQueues(prefixes.splice(0));
});

function newPrefix(): string {
  const prefix = `test-${randomUUID()}`;
  prefixes.push(prefix);
  return prefix;
}

function open(options: Partial<RabbitTaskQueueOptions> = {}): RabbitTaskQueue {
  const queue = new RabbitTaskQueue({ url, prefix: newPrefix(), queues: USED, timing, ...options });
  opened.push(queue);
  return queue;
}

async function deleteQueues(names: readonly string[]): Promise<void> {
  const admin = new Connection({ url, connectionName: 'tests' });
  admin.on('error', () => undefined); // failures show in the calls
  for (const prefix of names) {
    for (const queue of USED.flatMap((name) => [`${prefix}.${name}`, `${prefix}.${name}.dead`])) {
      await admin.queueDelete({ queue });
    }
  }
  await admin.close();
}

describe('when the connection breaks', () => {
  it.each([
    ['is reset', timing, (proxy: Proxy) => proxy.reset()],
    // Only the heartbeat notices this one; so short, it may also break a sound connection.
    ['falls silent', { ...timing, heartbeatSeconds: 1 }, (proxy: Proxy) => proxy.freeze()],
  ])('publishes and consumes again after it %s', async (_, waits, breakIt) => {
    const proxy = await openProxy();
    const calls: string[] = [];
    const queue = open({
      url: proxy.url,
      timing: waits,
      events: {
        connected: (up) => calls.push(up ? 'up' : 'down'),
        reconnected: () => calls.push('again'),
      },
    });
    const seen: unknown[] = [];
    await queue.consume('crawl', {
      concurrency: 2,
      handler: async ({ task }) => void seen.push(task),
    });
    await until(() => queue.publish('crawl', 'before').then(() => true));
    await until(() => seen.includes('before'));
    breakIt(proxy);
    await until(() => calls.includes('down'));
    proxy.thaw();
    await until(() => queue.publish('crawl', 'after').then(() => true));
    await until(() => seen.includes('after'));
    expect(calls).toContain('again');
  });

  it('redelivers a task in flight to another consumer and aborts the work on it', async () => {
    const proxy = await openProxy();
    const prefix = newPrefix();
    const cut = open({ url: proxy.url, prefix });
    let aborted = false;
    const held = Promise.withResolvers<void>();
    const isTaken = Promise.withResolvers<void>();
    const handler = async ({ signal }: { signal: AbortSignal }): Promise<void> => {
      signal.addEventListener('abort', () => (aborted = true));
      isTaken.resolve();
      await held.promise;
    };
    const consumer = await cut.consume('crawl', { concurrency: 1, handler });
    const healthy = open({ prefix });
    await healthy.publish('crawl', 'precious');
    await isTaken.promise;
    const seen: unknown[] = [];
    await healthy.consume('crawl', {
      concurrency: 1,
      handler: async ({ task, redelivered }) => void seen.push([task, redelivered]),
    });
    proxy.refuse(); // a consumer that reconnects might take its task again
    proxy.freeze();
    proxy.reset();
    await until(() => seen.length === 1);
    expect(seen).toEqual([['precious', true]]);
    await until(() => aborted);
    held.resolve();
    await until(() => consumer.inFlight === 0);
  });

  it('fails a waiting request at once instead of letting it time out', async () => {
    const proxy = await openProxy();
    const queue = open({ url: proxy.url });
    await queue.ping();
    const request = queue.request('scrape', 1, { timeoutMs: 60_000 });
    const refused = expect(request).rejects.toMatchObject({ name: 'BrokerUnavailableError' });
    await until(async () => (await queue.depth('scrape')) === 1);
    proxy.reset();
    await refused;
  });

  it('reports within its time that the broker is unavailable, and connects when it starts', async () => {
    const proxy = await openProxy();
    proxy.refuse();
    const queue = open({ url: proxy.url, timing: { ...timing, connectWaitMs: 3_000 } });
    const seen: unknown[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ task }) => void seen.push(task),
    });
    const calls = [
      queue.publish('crawl', 1),
      queue.ping(),
      queue.request('scrape', 1, { timeoutMs: 60_000 }),
    ];
    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({
        status: 'rejected',
        reason: { name: 'BrokerUnavailableError' },
      });
    }
    expect(queue.isConnected).toBe(false);
    proxy.thaw();
    await until(() => queue.publish('crawl', 'finally').then(() => true));
    await until(() => seen.includes('finally'));
  });

  it('gives up a publish that the broker does not confirm', async () => {
    const proxy = await openProxy();
    const queue = open({ url: proxy.url, timing: { ...timing, confirmWaitMs: 1_000 } });
    // The first one declares its queues, for which so short a wait may not be enough.
    await until(() => queue.publish('crawl', 1).then(() => true));
    proxy.freeze();
    await expect(queue.publish('crawl', 2)).rejects.toMatchObject({
      name: 'BrokerUnavailableError',
    });
    proxy.reset();
  });

  it('closes within its time although the broker is silent', async () => {
    const proxy = await openProxy();
    const short = { connectWaitMs: 3_000, confirmWaitMs: 3_000, heartbeatSeconds: 1 };
    const queue = open({ url: proxy.url, timing: { ...timing, ...short } });
    await queue.consume('crawl', { concurrency: 1, handler: async () => null });
    await until(() => queue.ping().then(() => true));
    proxy.freeze();
    await queue.close();
  });

  it('names the cause when the password is wrong', async () => {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    // The client reports only the first failure of a connection: on a busy machine, a late response.
    await until(async () => {
      const queue = open({ url: wrong.href, timing: { ...timing, connectWaitMs: 3_000 } });
      await expect(queue.ping()).rejects.toThrow(/ACCESS_REFUSED/);
      return true;
    });
  });
});

interface Proxy {
  readonly url: string;
  /** Cuts every connection hard. */
  reset(): void;
  /** Keeps connections open but lets nothing through: a half-open connection. */
  freeze(): void;
  /** Refuses every connection. */
  refuse(): void;
  /** Lets new connections through. */
  thaw(): void;
  close(): Promise<void>;
}

/** A TCP proxy in front of the broker whose line can be cut. */
async function openProxy(): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let isRefusing = false;
  const reset = (): void => sockets.forEach((socket) => socket.resetAndDestroy());
  const server = createServer((client) => {
    if (isRefusing) return client.resetAndDestroy();
    const upstream = connect(Number(new URL(url).port || 5672), new URL(url).hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined); // cut on purpose
      socket.on('close', () => sockets.delete(socket));
    }
    client.pipe(upstream).pipe(client);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const address = new URL(url);
  address.host = `127.0.0.1:${await listen(server)}`;
  const proxy: Proxy = {
    url: address.href,
    reset,
    freeze: () => sockets.forEach((socket) => socket.unpipe().pause()),
    refuse: () => (isRefusing = true),
    thaw: () => (isRefusing = false),
    close: async () => {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
  proxies.push(proxy);
  return proxy;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
