import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { QUEUES } from '@app/contracts';
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

/** Short waits, so that a lost connection is noticed and replaced within a test. */
const timing = {
  connectWaitMs: 3000,
  confirmWaitMs: 3000,
  heartbeatSeconds: 1,
  reconnectMinMs: 50,
  reconnectMaxMs: 300,
  idleRefreshMs: 2000,
};

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
  const queue = new RabbitTaskQueue({ url, prefix: newPrefix(), timing, ...options });
  opened.push(queue);
  return queue;
}

async function deleteQueues(names: readonly string[]): Promise<void> {
  const admin = new Connection({ url, connectionName: 'tests' });
  for (const prefix of names) {
    for (const queue of QUEUES.flatMap((name) => [`${prefix}.${name}`, `${prefix}.${name}.dead`])) {
      await admin.queueDelete({ queue });
    }
  }
  await admin.close();
}

describe('when the connection breaks', () => {
  it.each([
    ['is reset', (proxy: Proxy) => proxy.reset()],
    ['falls silent', (proxy: Proxy) => proxy.freeze()],
  ])('publishes and consumes again after it %s', async (_, breakIt) => {
    const proxy = await openProxy();
    const calls: string[] = [];
    const queue = open({
      url: proxy.url,
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
    await queue.publish('crawl', 'before');
    await until(() => seen.includes('before'));
    breakIt(proxy);
    await until(() => calls.includes('down'), { timeoutMs: 15_000 });
    proxy.thaw();
    await until(() => queue.publish('crawl', 'after').then(() => true), { timeoutMs: 15_000 });
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
    const queue = open({ url: proxy.url });
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
    const queue = open({
      url: proxy.url,
      timing: { ...timing, heartbeatSeconds: 30, confirmWaitMs: 300 },
    });
    // The first one declares all queues, for which so short a wait may not be enough.
    await until(() => queue.publish('crawl', 1).then(() => true));
    proxy.freeze();
    await expect(queue.publish('crawl', 2)).rejects.toMatchObject({
      name: 'BrokerUnavailableError',
    });
    proxy.reset();
  });

  it('closes within its time although the broker is silent', async () => {
    const proxy = await openProxy();
    const queue = new RabbitTaskQueue({ url: proxy.url, prefix: newPrefix(), timing });
    await queue.consume('crawl', { concurrency: 1, handler: async () => null });
    await queue.ping();
    proxy.freeze();
    await queue.close();
  });

  it('names the cause when the password is wrong', async () => {
    const wrong = new URL(url);
    wrong.password = 'wrong';
    const queue = open({ url: wrong.href });
    await expect(queue.ping()).rejects.toThrow(/ACCESS_REFUSED/);
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
