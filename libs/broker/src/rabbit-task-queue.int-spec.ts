import { randomUUID } from 'node:crypto';
import { QUEUES, type QueueName } from '@app/contracts';
import { until } from '@app/testing';
import { Connection, type SyncMessage } from 'rabbitmq-client';
import { openTaskQueue } from './open-task-queue.js';
import { RabbitTaskQueue, type RabbitTaskQueueOptions } from './rabbit-task-queue.js';
import { SealedTaskQueue } from './sealed-task-queue.js';
import { DropTask, QueueFullError, RetryTask } from './task-errors.js';
import { gated } from './task-queue-probe.contract.js';
import { describeTaskQueue, type OpenForTest } from './task-queue.contract.js';
import { isFullRun } from '../../../test/setup/full-run.js';

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

/** A separate connection to the broker, to check what the adapter sent. */
let admin: Connection;
/** Those that the cases use: a quorum queue costs the broker files and processes. */
const USED: readonly QueueName[] = ['scrape', 'crawl'];
const prefixes: string[] = [];
const opened: RabbitTaskQueue[] = [];

beforeAll(() => {
  admin = new Connection({ url, connectionName: 'tests' });
  admin.on('error', () => undefined); // broken on purpose in some tests; failures show in the calls
});
afterEach(async () => {
  for (const queue of opened.splice(0)) await queue.close();
  for (const prefix of prefixes.splice(0)) await deleteQueues(prefix);
});
afterAll(() => admin.close());

function newPrefix(): string {
  const prefix = `test-${randomUUID()}`;
  prefixes.push(prefix);
  return prefix;
}

function terms(prefix = newPrefix()): RabbitTaskQueueOptions {
  return { url, prefix, queues: USED, timing };
}

function open(options: Partial<RabbitTaskQueueOptions> = {}): RabbitTaskQueue {
  const queue = new RabbitTaskQueue({ ...terms(options.prefix), ...options });
  opened.push(queue);
  return queue;
}

async function deleteQueues(prefix: string, queues = USED): Promise<void> {
  const suffixes = ['', '.dead', '.retry.1000', '.retry.4000'];
  const names = queues.flatMap((queue) => suffixes.map((suffix) => `${prefix}.${queue}${suffix}`));
  for (const queue of names) await admin.queueDelete({ queue });
}

async function takeDead(prefix: string, queue: QueueName): Promise<SyncMessage> {
  return until(() => admin.basicGet({ queue: `${prefix}.${queue}.dead`, noAck: true }));
}

describeTaskQueue('RabbitTaskQueue', async ({ maxCrawlLength, events }: OpenForTest = {}) => {
  const maxLengths = maxCrawlLength === undefined ? {} : { crawl: maxCrawlLength };
  return new RabbitTaskQueue({ ...terms(), maxLengths, events });
});

/** Sealed as in a running service. */
function seal(inner: RabbitTaskQueue): SealedTaskQueue {
  const key = { id: '1', secret: Buffer.alloc(32, 7) };
  const keys = { current: async () => key, find: async () => key };
  return new SealedTaskQueue({ inner, keys, queues: QUEUES, onFailure: () => undefined });
}

// Sealing and RabbitMQ keep the contract each by itself; what sealing changes in RabbitMQ is below.
if (isFullRun)
  describeTaskQueue('SealedTaskQueue on RabbitMQ', async ({ maxCrawlLength, events } = {}) => {
    const maxLengths = maxCrawlLength === undefined ? {} : { crawl: maxCrawlLength };
    return seal(new RabbitTaskQueue({ ...terms(), maxLengths, events }));
  });

describe('a sealed task in RabbitMQ', () => {
  const SECRETS = {
    cookies: 'session=opensesame',
    authorization: 'Bearer swordfish',
    write: 'correct horse battery staple',
  };

  /** A message with all its properties, as text with decoded base64. */
  const everythingOf = (message: SyncMessage): string => {
    const text = JSON.stringify(message);
    const opened = (text.match(/[A-Za-z0-9+/=]{24,}/g) ?? []).map((part) =>
      Buffer.from(part, 'base64').toString('latin1'),
    );
    return [text, ...opened].join('\n');
  };

  it.each<[string, string, (() => Promise<never>) | null]>([
    ['that waits', '', null],
    ['that is tried again later', '.retry.1000', () => Promise.reject(new RetryTask(10))],
    ['that was dropped', '.dead', () => Promise.reject(new DropTask('not a scrape task'))],
    [
      'whose handler broke over it',
      '.dead',
      () => Promise.reject(new TypeError(`bad header ${SECRETS.authorization}`)),
    ],
  ])('has no secret, of one %s', async (_what, suffix, handler) => {
    const prefix = newPrefix();
    const queue = seal(open({ prefix }));
    const reply = queue.request('scrape', SECRETS, { timeoutMs: 60_000 }).catch(() => undefined);
    const consumer = handler && (await queue.consume('scrape', { concurrency: 1, handler }));
    const message = await until(() =>
      admin.basicGet({ queue: `${prefix}.scrape${suffix}`, noAck: true }).catch(() => null),
    );
    await consumer?.drain(1_000);
    expect(message.body).toEqual({ sealedWith: '1', box: expect.any(String) });
    for (const secret of Object.values(SECRETS))
      expect(everythingOf(message)).not.toContain(secret);
    // A task whose caller waits is void at its deadline, and a dead letter after a day.
    const expected = suffix === '.dead' ? String(24 * 3600 * 1000) : '60000';
    if (suffix !== '.retry.1000') expect(message.expiration).toBe(expected);
    await queue.close();
    await reply;
  });
});

describe('the prefetch of a fair consumer on RabbitMQ', () => {
  const CONCURRENCY = 4;
  const SLOTS = 6;
  const READ_AHEAD = 5;

  it('is bounded, and the rest reaches a consumer that starts later', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix, readAhead: READ_AHEAD });
    const busy = gated();
    const late = gated();
    const options = { concurrency: CONCURRENCY, isFair: true };
    const owner = { tenantId: 'a', isFree: false };
    const tasks = Array.from({ length: 30 }, (_, n) => n);
    const asked = tasks.map((n) => queue.request('scrape', n, { timeoutMs: 100_000, owner }));
    const answers = Promise.all(asked);
    await until(async () => (await queue.depth('scrape')) === 30);
    await queue.consume('scrape', { ...options, handler: busy.handler });
    await until(async () => (await queue.depth('scrape')) === 30 - SLOTS - READ_AHEAD);
    await until(() => busy.running === CONCURRENCY);
    const other = open({ prefix, readAhead: READ_AHEAD });
    await other.consume('scrape', { ...options, handler: late.handler });
    await until(async () => (await queue.depth('scrape')) === 30 - 2 * (SLOTS + READ_AHEAD));
    await until(() => late.running === CONCURRENCY);
    expect([busy.running, late.running]).toEqual([CONCURRENCY, CONCURRENCY]);
    late.open();
    // All except those that the first one has.
    await until(() => late.finished === 30 - SLOTS - READ_AHEAD);
    expect(busy.finished).toBe(0);
    busy.open();
    expect(await answers).toHaveLength(30);
  });
});

describe('the queues in RabbitMQ', () => {
  it('declares every queue at the first use, so that scalers can read them', async () => {
    const prefix = newPrefix();
    await open({ prefix, queues: undefined }).ping();
    for (const queue of QUEUES) {
      for (const name of [`${prefix}.${queue}`, `${prefix}.${queue}.dead`]) {
        expect(await admin.queueDeclare({ queue: name, passive: true })).toMatchObject({
          messageCount: 0,
        });
      }
    }
    await deleteQueues(prefix, QUEUES);
  });

  it('works with queues that were declared with other limits, and reports them', async () => {
    const prefix = newPrefix();
    await open({ prefix, maxLengths: { crawl: 10 } }).ping();
    const warnings: string[] = [];
    const other = open({
      prefix,
      maxLengths: { crawl: 20 },
      events: { warned: (text) => warnings.push(text) },
    });
    await other.publish('crawl', 1);
    expect(warnings).toEqual([`Queue ${prefix}.crawl exists with other arguments and keeps them`]);
  });

  it('keeps a dead letter with its body and its reason', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix });
    const handler = async (): Promise<never> => {
      throw new DropTask('the job is gone');
    };
    await queue.consume('crawl', { concurrency: 1, handler });
    await queue.publish('crawl', { jobId: 'j' });
    expect(await takeDead(prefix, 'crawl')).toMatchObject({
      body: { jobId: 'j' },
      headers: { 'x-dead-reason': 'dropped', 'x-dead-detail': 'the job is gone' },
    });
  });

  it('dead-letters messages that are not JSON of this service', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix });
    await queue.ping();
    const foreign = await admin.acquire();
    await foreign.basicPublish(`${prefix}.crawl`, Buffer.from('{broken'));
    await foreign.close();
    await queue.consume('crawl', { concurrency: 1, handler: async () => null });
    const dead = await takeDead(prefix, 'crawl');
    expect(dead.headers).toMatchObject({ 'x-dead-reason': 'malformed' });
  });

  it('dead-letters a task that killed every consumer so far', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix });
    await queue.publish('crawl', 'poison');
    const channel = await admin.acquire();
    for (let count = 0; count < 20; count++) {
      const message = await until(() => channel.basicGet({ queue: `${prefix}.crawl` }));
      channel.basicNack({ deliveryTag: message.deliveryTag, requeue: true });
    }
    await channel.close();
    let calls = 0;
    await queue.consume('crawl', { concurrency: 1, handler: async () => void calls++ });
    const dead = await takeDead(prefix, 'crawl');
    expect([dead.headers?.['x-dead-reason'], calls]).toEqual(['poison', 0]);
  });

  it('tries again after the nack of a queue that is not full', async () => {
    const prefix = newPrefix();
    const smaller = `${prefix}.crawl`;
    await admin.queueDeclare({
      queue: smaller,
      durable: true,
      arguments: { 'x-queue-type': 'quorum', 'x-overflow': 'reject-publish', 'x-max-length': 5 },
    });
    const results: string[] = [];
    const queue = open({
      prefix,
      events: { published: (_, result) => results.push(result) },
    });
    const sent: Promise<void>[] = [];
    const confirmed = (): number => results.filter((one) => one === 'confirmed').length;
    await until(() => {
      if (sent.length < confirmed() + 10) sent.push(queue.publish('crawl', sent.length));
      return results.includes('nacked');
    });
    await until(async () => {
      await admin.basicGet({ queue: smaller, noAck: true });
      return confirmed() === sent.length;
    });
    await Promise.all(sent);
  });

  it('carries a request from one process to another, also over a retry', async () => {
    const prefix = newPrefix();
    const [api, fetcher] = [open({ prefix }), open({ prefix })];
    const handler = async ({ redelivered }: { redelivered: boolean }): Promise<string> => {
      if (!redelivered) throw new RetryTask(10);
      return 'done';
    };
    await fetcher.consume('scrape', { concurrency: 1, handler });
    expect(await api.request('scrape', 1, { timeoutMs: 60_000 })).toBe('done');
  });
});

describe('when the broker loses its data', () => {
  it('declares the queues again and publishes', async () => {
    const prefix = newPrefix();
    const results: string[] = [];
    const queue = open({ prefix, events: { published: (_, result) => results.push(result) } });
    await queue.publish('crawl', 1);
    await deleteQueues(prefix);
    await queue.publishMany('crawl', [2, 3, 4]);
    await until(async () => (await queue.depth('crawl')) === 3);
    expect(results).toEqual([
      'confirmed',
      ...Array(3).fill('returned'),
      ...Array(3).fill('confirmed'),
    ]);
  });

  it('reports the depth of a missing queue', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix });
    await queue.ping();
    await deleteQueues(prefix);
    expect(await queue.depth('crawl')).toBe(0);
  });

  it('consumes again', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix, timing: { ...timing, idleRefreshMs: 2000 } });
    const seen: unknown[] = [];
    await queue.consume('crawl', {
      concurrency: 2,
      handler: async ({ task }) => void seen.push(task),
    });
    await queue.publish('crawl', 'before');
    await until(() => seen.length === 1);
    await deleteQueues(prefix);
    // RabbitMQ refuses a message to a queue that is going or coming, as it does when one is full.
    const publish = (): Promise<boolean> =>
      queue.publish('crawl', 'after').then(
        () => true,
        (error: unknown) => {
          if (error instanceof QueueFullError) return false;
          throw error;
        },
      );
    await until(publish, { what: 'the queue to take a message' });
    await until(() => seen.includes('after'));
  });

  it('delays a task whose retry queue is missing', async () => {
    const prefix = newPrefix();
    const queue = open({ prefix });
    let calls = 0;
    const handler = async (): Promise<void> => {
      if (++calls % 2 === 1) throw new RetryTask(10);
    };
    await queue.consume('crawl', { concurrency: 1, handler });
    await queue.publish('crawl', 1);
    await until(() => calls === 2);
    await admin.queueDelete({ queue: `${prefix}.crawl.retry.1000` });
    await queue.publish('crawl', 2);
    await until(() => calls === 4);
  });
});

it('opens RabbitMQ for an amqp address', async () => {
  const prefix = newPrefix();
  const queue = openTaskQueue({ url, prefix });
  // Its waits are those of production, too short for a busy machine.
  await until(() => queue.ping().then(() => true));
  await queue.close();
  await deleteQueues(prefix, QUEUES);
});
