import { until } from '@app/testing';
import {
  DropTask,
  QueueFullError,
  RequestTimeoutError,
  RetryTask,
  TaskFailedError,
} from './task-errors.js';
import { MAX_REPLY_BYTES, MAX_TASK_BYTES } from './task-json.js';
import type { ConsumeResult, TaskQueueEvents } from './task-queue-events.js';
import type { Delivery, TaskConsumer, TaskHandler, TaskQueue } from './task-queue.js';

export interface OpenForTest {
  readonly maxCrawlLength?: number;
  readonly events?: TaskQueueEvents;
}

/** Opens an empty task queue with a life of its own. */
export type OpenTaskQueueForTest = (options?: OpenForTest) => Promise<TaskQueue>;

/** What every adapter of {@link TaskQueue} promises. `open` queues are closed by the suite. */
export function describeTaskQueue(name: string, open: OpenTaskQueueForTest): void {
  describe(`${name} as a task queue`, () => {
    const opened: TaskQueue[] = [];
    const started = async (options?: OpenForTest): Promise<TaskQueue> => {
      const queue = await open(options);
      opened.push(queue);
      return queue;
    };
    afterEach(async () => {
      for (const queue of opened.splice(0)) await queue.close();
    });

    describePublishing(started);
    describeOutcomes(started);
    describeRequests(started);
    describeConsumers(started);
  });
}

type Start = (options?: OpenForTest) => Promise<TaskQueue>;

function describePublishing(start: Start): void {
  it('delivers a task as it was published, and shares nothing by reference', async () => {
    const queue = await start();
    const task = { jobId: 'j1', nested: { list: [1, 'zwei', null] }, text: 'späße ✓' };
    const seen = await collect(queue, 1, () => queue.publish('crawl', task));
    expect(seen[0]?.task).toEqual(task);
    expect(seen[0]?.task).not.toBe(task);
    expect(seen[0]?.redelivered).toBe(false);
    expect(Math.abs(Date.now() - (seen[0]?.publishedAtMs ?? 0))).toBeLessThan(10_000);
  });

  it('keeps the order for a single consumer of one task at a time', async () => {
    const queue = await start();
    const tasks = Array.from({ length: 50 }, (_, index) => index);
    await queue.publishMany('crawl', tasks);
    const seen = await collect(queue, tasks.length, async () => undefined, 1);
    expect(seen.map(({ task }) => task)).toEqual(tasks);
  });

  it('does not mix queues', async () => {
    const queue = await start();
    await queue.publish('scrape', 'for scrape');
    const seen = await collect(queue, 1, () => queue.publish('crawl', 'for crawl'));
    expect(seen.map(({ task }) => task)).toEqual(['for crawl']);
    await until(async () => (await queue.depth('scrape')) === 1);
  });

  it('counts what waits', async () => {
    const queue = await start();
    expect(await queue.depth('crawl')).toBe(0);
    await queue.publishMany('crawl', [1, 2, 3]);
    await until(async () => (await queue.depth('crawl')) === 3);
  });

  it('refuses to publish to a full queue and takes tasks again once there is room', async () => {
    const queue = await start({ maxCrawlLength: 5 });
    const refused = await publishUntilFull(queue);
    expect(refused).toBeInstanceOf(QueueFullError);
    const consumer = await queue.consume('crawl', { concurrency: 5, handler: async () => null });
    await until(async () => (await queue.depth('crawl')) === 0);
    await consumer.drain(1000);
    await until(() => queue.publish('crawl', 'again').then(() => true));
  });

  it('names the tasks of a batch that were refused', async () => {
    const queue = await start({ maxCrawlLength: 5 });
    await publishUntilFull(queue);
    await expect(queue.publishMany('crawl', ['a', 'b', 'c'])).rejects.toMatchObject({
      name: 'QueueFullError',
      refusedIndexes: [0, 1, 2],
    });
  });

  it('never delivers a task after its time to live', async () => {
    const queue = await start();
    await queue.publish('crawl', 'void', { ttlMs: 50 });
    await queue.publish('crawl', 'void too', { ttlMs: 50 });
    await until(async () => (await queue.depth('crawl')) === 0);
    const seen = await collect(queue, 1, () => queue.publish('crawl', 'lives', { ttlMs: 60_000 }));
    expect(seen.map(({ task }) => task)).toEqual(['lives']);
  });

  it.each([
    ['too large', 'x'.repeat(MAX_TASK_BYTES), 'TaskTooLargeError'],
    ['no JSON value', undefined, 'TypeError'],
  ])('refuses a task that is %s', async (_, task, error) => {
    const queue = await start();
    await expect(queue.publish('crawl', task)).rejects.toMatchObject({ name: error });
  });

  it('answers a ping and says that it is connected', async () => {
    const queue = await start();
    await queue.ping();
    expect(queue.isConnected).toBe(true);
  });
}

function describeOutcomes(start: Start): void {
  it('hands a task out once more when its handler threw, then drops it to the dead letters', async () => {
    const { events, dead, consumed } = recorder();
    const queue = await start({ events });
    const seen: boolean[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ redelivered }) => {
        seen.push(redelivered);
        throw new Error('unexpected');
      },
    });
    await queue.publish('crawl', 'fails');
    await until(() => dead.length === 1);
    expect(seen).toEqual([false, true]);
    expect(dead).toEqual(['failed']);
    expect(consumed).toEqual(['requeue', 'dead']);
    await until(async () => (await queue.depth('crawl')) === 0);
  });

  it('drops a task at once when its handler says so', async () => {
    const { events, dead } = recorder();
    const queue = await start({ events });
    let calls = 0;
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async () => {
        calls++;
        throw new DropTask('no such job');
      },
    });
    await queue.publish('crawl', 'drop me');
    await until(() => dead.length === 1);
    expect(dead).toEqual(['dropped']);
    expect(calls).toBe(1);
  });

  it('gives a task back after the delay its handler asked for, without holding up others', async () => {
    const queue = await start();
    const log: { readonly task: unknown; readonly atMs: number; readonly again: boolean }[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ task, redelivered }) => {
        log.push({ task, atMs: Date.now(), again: redelivered });
        if (task === 'later' && !redelivered) throw new RetryTask(900);
      },
    });
    await queue.publish('crawl', 'later');
    await queue.publish('crawl', 'other');
    await until(() => log.length === 3);
    expect(log.map(({ task, again }) => [task, again])).toEqual([
      ['later', false],
      ['other', false],
      ['later', true],
    ]);
    expect((log[2]?.atMs ?? 0) - (log[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(850);
  });

  it('forgets a delayed task that is void by then', async () => {
    const queue = await start();
    const seen: unknown[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ task, redelivered }) => {
        seen.push(task);
        if (task === 'short-lived' && !redelivered) throw new RetryTask(700);
        if (task === 'marker' && !redelivered) throw new RetryTask(1500);
      },
    });
    await queue.publish('crawl', 'short-lived', { ttlMs: 500 });
    await queue.publish('crawl', 'marker');
    await until(() => seen.filter((task) => task === 'marker').length === 2);
    expect(seen.filter((task) => task === 'short-lived')).toHaveLength(1);
  });
}

function describeRequests(start: Start): void {
  const answering = async (queue: TaskQueue, handler: TaskHandler): Promise<TaskConsumer> =>
    queue.consume('scrape', { concurrency: 4, handler });

  it('answers a request with what the handler returned', async () => {
    const queue = await start();
    await answering(queue, async ({ task }) => ({ echo: task }));
    expect(await queue.request('scrape', { url: 'a' }, { timeoutMs: 5000 })).toEqual({
      echo: { url: 'a' },
    });
  });

  it('matches many replies to their requests', async () => {
    const queue = await start();
    await answering(queue, async ({ task }) => Number(task) * 2);
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((n) => queue.request('scrape', n, { timeoutMs: 10_000 })),
    );
    expect(answers).toEqual(numbers.map((n) => n * 2));
  });

  it('carries a large reply, and null for nothing', async () => {
    const queue = await start();
    const large = 'ü'.repeat(100_000);
    await answering(queue, async ({ task }) => (task === 'large' ? large : undefined));
    expect(await queue.request('scrape', 'large', { timeoutMs: 5000 })).toBe(large);
    expect(await queue.request('scrape', 'nothing', { timeoutMs: 5000 })).toBeNull();
  });

  it('fails a request whose reply is larger than a message may be', async () => {
    const { events, dead } = recorder();
    const queue = await start({ events });
    await answering(queue, async () => 'x'.repeat(MAX_REPLY_BYTES));
    await expect(queue.request('scrape', 1, { timeoutMs: 5000 })).rejects.toBeInstanceOf(
      TaskFailedError,
    );
    await until(() => dead.length === 1);
    expect(dead).toEqual(['reply_too_large']);
  });

  it('fails a request at once when its task was dropped', async () => {
    const queue = await start();
    await answering(queue, async () => {
      throw new DropTask('cannot be');
    });
    const request = queue.request('scrape', 1, { timeoutMs: 20_000 });
    await expect(request).rejects.toMatchObject({ name: 'TaskFailedError', message: 'cannot be' });
  });

  it('answers a request whose first handler threw', async () => {
    const queue = await start();
    await answering(queue, async ({ redelivered }) => {
      if (!redelivered) throw new Error('first try');
      return 'second try';
    });
    expect(await queue.request('scrape', 1, { timeoutMs: 5000 })).toBe('second try');
  });

  it('stops waiting when the time is up, and the task is void', async () => {
    const queue = await start();
    await expect(queue.request('scrape', 1, { timeoutMs: 100 })).rejects.toBeInstanceOf(
      RequestTimeoutError,
    );
    await until(async () => (await queue.depth('scrape')) === 0);
  });

  it('stops waiting when the signal aborts', async () => {
    const queue = await start();
    const controller = new AbortController();
    const reason = new Error('client went away');
    const request = queue.request('scrape', 1, { timeoutMs: 20_000, signal: controller.signal });
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await expect(
      queue.request('scrape', 1, { timeoutMs: 20_000, signal: controller.signal }),
    ).rejects.toBe(reason);
  });
}

function describeConsumers(start: Start): void {
  it('works on as many tasks at a time as it may, and no more', async () => {
    const queue = await start();
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 3, handler: gate.handler });
    await queue.publishMany('crawl', [1, 2, 3, 4, 5]);
    await until(() => gate.running === 3);
    await until(async () => (await queue.depth('crawl')) === 2);
    expect(consumer.inFlight).toBe(3);
    gate.open();
    await until(() => gate.finished === 5);
    expect(gate.peak).toBe(3);
  });

  it('changes its concurrency while it runs: up, to a pause, and back', async () => {
    const queue = await start();
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 1, handler: gate.handler });
    await queue.publishMany('crawl', [1, 2, 3, 4]);
    await until(() => gate.running === 1);
    consumer.setConcurrency(3);
    await until(() => gate.running === 3);
    consumer.setConcurrency(0);
    gate.open();
    await until(() => consumer.inFlight === 0);
    await until(async () => (await queue.depth('crawl')) === 1);
    expect(gate.finished).toBe(3);
    consumer.setConcurrency(2);
    await until(() => gate.finished === 4);
  });

  it('shares the tasks of a queue between consumers', async () => {
    const queue = await start();
    const first = gated();
    const second = gated();
    await queue.consume('crawl', { concurrency: 1, handler: first.handler });
    await queue.consume('crawl', { concurrency: 1, handler: second.handler });
    await queue.publishMany('crawl', [1, 2]);
    await until(() => first.running === 1 && second.running === 1);
    first.open();
    second.open();
  });

  it('drains: lets tasks finish and takes no new ones', async () => {
    const queue = await start();
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 2, handler: gate.handler });
    await queue.publishMany('crawl', [1, 2, 3]);
    await until(() => gate.running === 2);
    const drained = consumer.drain(10_000);
    gate.open();
    expect(await drained).toEqual({ abandoned: 0 });
    expect(gate.finished).toBe(2);
    await until(async () => (await queue.depth('crawl')) === 1);
  });

  it('drains within its time: the rest is aborted and handed to another consumer', async () => {
    const { events, consumed } = recorder();
    const queue = await start({ events });
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 2, handler: gate.handler });
    await queue.publishMany('crawl', ['a', 'b']);
    await until(() => gate.running === 2);
    expect(await consumer.drain(50)).toEqual({ abandoned: 2 });
    expect(gate.signals.every((signal) => signal.aborted)).toBe(true);
    expect(consumed).toEqual(['drained', 'drained']);
    const seen = await collect(queue, 2, async () => gate.open());
    expect(seen.map(({ task }) => task).sort()).toEqual(['a', 'b']);
    expect(seen.every(({ redelivered }) => redelivered)).toBe(true);
    expect(consumed.filter((result) => result === 'ack')).toHaveLength(2);
  });

  it('reports what happens for the metrics', async () => {
    const calls: string[] = [];
    const queue = await start({
      events: {
        published: (name, result) => calls.push(`published ${name} ${result}`),
        consumed: (name, result, again) => calls.push(`consumed ${name} ${result} ${again}`),
        processed: (name, result, seconds) =>
          calls.push(`processed ${name} ${result} ${seconds < 10}`),
        age: (name, seconds) => calls.push(`age ${name} ${seconds < 10}`),
        inFlight: (name, count) => calls.push(`inFlight ${name} ${count}`),
      },
    });
    await collect(queue, 1, () => queue.publish('crawl', 1));
    await until(() => calls.includes('inFlight crawl 0'));
    expect([...calls].sort()).toEqual([
      'age crawl true',
      'consumed crawl ack false',
      'inFlight crawl 0',
      'inFlight crawl 1',
      'processed crawl ack true',
      'published crawl confirmed',
    ]);
  });
}

/** Consumes until `count` tasks were seen, starting after the consumer does. */
async function collect(
  queue: TaskQueue,
  count: number,
  then: () => Promise<unknown>,
  concurrency = 4,
): Promise<readonly Delivery[]> {
  const seen: Delivery[] = [];
  const handler: TaskHandler = async (delivery) => void seen.push(delivery);
  const consumer = await queue.consume('crawl', { concurrency, handler });
  await then();
  await until(() => seen.length >= count);
  await consumer.drain(1000);
  return seen;
}

/** A broker may let a few more pass than the limit says, never many. */
async function publishUntilFull(queue: TaskQueue): Promise<unknown> {
  for (let count = 0; count < 100; count++) {
    try {
      await queue.publish('crawl', count);
    } catch (error) {
      return error;
    }
  }
  return null;
}

function gated() {
  const opening = Promise.withResolvers<void>();
  const state = { running: 0, finished: 0, peak: 0, signals: [] as AbortSignal[] };
  const handler: TaskHandler = async ({ signal }) => {
    state.signals.push(signal);
    state.peak = Math.max(state.peak, ++state.running);
    await opening.promise;
    state.running--;
    state.finished++;
  };
  return Object.assign(state, { handler, open: () => opening.resolve() });
}

function recorder() {
  const dead: string[] = [];
  const consumed: ConsumeResult[] = [];
  const events: TaskQueueEvents = {
    deadLettered: (_, reason) => dead.push(reason),
    consumed: (_, result) => consumed.push(result),
  };
  return { events, dead, consumed };
}
