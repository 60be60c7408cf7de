import { until } from '@app/testing';
import { describeConsumers } from './task-consumer.contract.js';
import { describeTurns } from './task-turns.contract.js';
import { describeRequests } from './task-request.contract.js';
import {
  collectDeliveries,
  recorder,
  type OpenForTest,
  type StartTaskQueue,
} from './task-queue-probe.contract.js';
import { DropTask, QueueFullError, RetryTask } from './task-errors.js';
import { MAX_TASK_BYTES } from './task-json.js';
import type { TaskQueue } from './task-queue.js';

export type { OpenForTest };

/** Opens an empty, separate task queue. */
export type OpenTaskQueueForTest = (options?: OpenForTest) => Promise<TaskQueue>;

/** The contract of every adapter of {@link TaskQueue}. The suite closes queues from `open`. */
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
    describeTurns(started);
  });
}

function describePublishing(start: StartTaskQueue): void {
  it('delivers a task as it was published, and shares nothing by reference', async () => {
    const queue = await start();
    const task = { jobId: 'j1', nested: { list: [1, 'zwei', null] }, text: 'späße ✓' };
    const seen = await collectDeliveries(queue, 1, () => queue.publish('crawl', task));
    expect(seen[0]?.task).toEqual(task);
    expect(seen[0]?.task).not.toBe(task);
    expect(seen[0]?.redelivered).toBe(false);
    expect(Math.abs(Date.now() - (seen[0]?.publishedAtMs ?? 0))).toBeLessThan(60_000);
  });

  it("carries the trace of a task's publisher to every delivery, and none otherwise", async () => {
    const queue = await start();
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const seen: (string | null)[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async (delivery) => {
        seen.push(delivery.traceparent);
        if (seen.length === 1) throw new RetryTask(10, 'once more');
      },
    });
    await queue.publish('crawl', 'traced', { traceparent });
    await until(() => seen.length === 2, { what: 'the retry' });
    await queue.publish('crawl', 'other');
    await until(() => seen.length === 3, { what: 'the other task' });
    expect(seen).toEqual([traceparent, traceparent, null]);
  });

  it('keeps the order for a single consumer of one task at a time', async () => {
    const queue = await start();
    const tasks = Array.from({ length: 50 }, (_, index) => index);
    await queue.publishMany('crawl', tasks);
    const seen = await collectDeliveries(queue, tasks.length, async () => undefined, 1);
    expect(seen.map(({ task }) => task)).toEqual(tasks);
  });

  it('does not mix queues', async () => {
    const queue = await start();
    await queue.publish('scrape', 'for scrape');
    const seen = await collectDeliveries(queue, 1, () => queue.publish('crawl', 'for crawl'));
    expect(seen.map(({ task }) => task)).toEqual(['for crawl']);
    await until(async () => (await queue.depth('scrape')) === 1);
  });

  it('counts waiting tasks', async () => {
    const queue = await start();
    expect(await queue.depth('crawl')).toBe(0);
    await queue.publishMany('crawl', [1, 2, 3]);
    await until(async () => (await queue.depth('crawl')) === 3);
  });

  it('refuses to publish to a full queue and accepts tasks again once there is room', async () => {
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
    const voidFromMs = Date.now() + 50;
    await until(async () => Date.now() > voidFromMs && (await queue.depth('crawl')) === 0);
    const seen = await collectDeliveries(queue, 1, () =>
      queue.publish('crawl', 'lives', { ttlMs: 60_000 }),
    );
    expect(seen.map(({ task }) => task)).toEqual(['lives']);
  });

  it.each([
    ['too large', 'x'.repeat(MAX_TASK_BYTES), 'TaskTooLargeError'],
    ['no JSON value', undefined, 'TypeError'],
  ])('refuses a task that is %s', async (_, task, error) => {
    const queue = await start();
    await expect(queue.publish('crawl', task)).rejects.toMatchObject({ name: error });
  });

  it('answers a ping and reports that it is connected', async () => {
    const queue = await start();
    await queue.ping();
    expect(queue.isConnected).toBe(true);
  });
}

function describeOutcomes(start: StartTaskQueue): void {
  it('delivers a task once more when its handler threw, then moves it to the dead letters', async () => {
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

  it('moves a task to the dead letters at once when its handler requests it', async () => {
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

  it('redelivers a task after the delay its handler requested, without delaying others', async () => {
    const queue = await start();
    const log: { readonly task: unknown; readonly atMs: number; readonly again: boolean }[] = [];
    const arePublished = Promise.withResolvers<void>();
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ task, redelivered }) => {
        await arePublished.promise;
        log.push({ task, atMs: Date.now(), again: redelivered });
        if (task === 'later' && !redelivered) throw new RetryTask(900);
      },
    });
    await queue.publish('crawl', 'later');
    await queue.publish('crawl', 'other');
    arePublished.resolve();
    await until(() => log.length === 3);
    expect(log.map(({ task, again }) => [task, again])).toEqual([
      ['later', false],
      ['other', false],
      ['later', true],
    ]);
    expect((log[2]?.atMs ?? 0) - (log[0]?.atMs ?? 0)).toBeGreaterThanOrEqual(850);
  });

  it('drops a delayed task that is void by then', async () => {
    const queue = await start();
    const seen: { readonly task: unknown; readonly again: boolean }[] = [];
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async ({ task, redelivered }) => {
        seen.push({ task, again: redelivered });
        // Both wait equally long: the marker comes back last.
        if (!redelivered) throw new RetryTask(3_500);
      },
    });
    // A broker that is busy may deliver one only after its life.
    await until(async () => {
      await queue.publish('crawl', 'short-lived', { ttlMs: 3_000 });
      return until(() => seen.length > 0, { timeoutMs: 3_000 });
    });
    await queue.publish('crawl', 'marker');
    await until(() => seen.filter(({ task }) => task === 'marker').length === 2);
    expect(seen.filter(({ task, again }) => task === 'short-lived' && again)).toEqual([]);
  });
}

/** A broker may accept a few more than the limit, never many. */
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
