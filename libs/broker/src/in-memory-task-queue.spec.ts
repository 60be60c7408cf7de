import { until } from '@app/testing';
import { InMemoryTaskQueue } from './in-memory-task-queue.js';
import { openTaskQueue } from './open-task-queue.js';
import { DropTask, RetryTask } from './task-errors.js';
import { describeTaskQueue } from './task-queue.contract.js';

describeTaskQueue('InMemoryTaskQueue', async ({ maxCrawlLength, events } = {}) => {
  const maxLengths = maxCrawlLength === undefined ? {} : { crawl: maxCrawlLength };
  return new InMemoryTaskQueue({ maxLengths, events });
});

describe('InMemoryTaskQueue', () => {
  it('accepts exactly as many tasks as the queue may hold', async () => {
    const queue = new InMemoryTaskQueue({ maxLengths: { crawl: 3 } });
    const error = await queue
      .publishMany('crawl', [1, 2, 3, 4, 5])
      .catch((refusal: unknown) => refusal);
    expect(error).toMatchObject({ name: 'QueueFullError', refusedIndexes: [3, 4] });
    expect(await queue.depth('crawl')).toBe(3);
    await queue.close();
  });

  it('does not count void tasks against the limit, at any position', async () => {
    let nowMs = 1000;
    const queue = new InMemoryTaskQueue({ maxLengths: { crawl: 2 }, now: () => nowMs });
    await queue.publish('crawl', 'lives');
    await queue.publish('crawl', 'void', { ttlMs: 10 });
    nowMs += 11;
    await queue.publish('crawl', 'fits');
    await expect(queue.publish('crawl', 'too many')).rejects.toMatchObject({
      name: 'QueueFullError',
    });
    await queue.close();
  });

  it('keeps the last dead letters with their reasons', async () => {
    const queue = new InMemoryTaskQueue();
    const handler = async (): Promise<never> => {
      throw new DropTask('gone');
    };
    await queue.consume('crawl', { concurrency: 10, handler });
    await queue.publishMany(
      'crawl',
      Array.from({ length: 1005 }, (_, index) => index),
    );
    await until(() => queue.deadLetters('crawl').at(-1)?.json === '1004');
    expect(queue.deadLetters('crawl')).toHaveLength(1000);
    expect(queue.deadLetters('crawl').at(-1)).toEqual({ json: '1004', reason: 'gone' });
    await queue.close();
  });

  it('ends a task that is retried for ever', async () => {
    const reasons: string[] = [];
    const queue = new InMemoryTaskQueue({
      events: { deadLettered: (_, reason) => reasons.push(reason) },
    });
    let calls = 0;
    await queue.consume('crawl', {
      concurrency: 1,
      handler: async () => {
        calls++;
        throw new RetryTask(1);
      },
    });
    await queue.publish('crawl', 'again and again');
    await until(() => reasons.length === 1);
    expect([reasons, calls]).toEqual([['poison'], 100]);
    await queue.close();
  });

  it('never runs a handler inside the call that publishes', async () => {
    const queue = new InMemoryTaskQueue();
    let isInside = false;
    const seen: boolean[] = [];
    await queue.consume('crawl', { concurrency: 1, handler: async () => void seen.push(isInside) });
    isInside = true;
    const published = queue.publish('crawl', 1);
    isInside = false;
    await published;
    await until(() => seen.length === 1);
    expect(seen).toEqual([false]);
    await queue.close();
  });

  it('passes a long backlog through in order', async () => {
    const queue = new InMemoryTaskQueue();
    const tasks = Array.from({ length: 10_000 }, (_, index) => index);
    await queue.publishMany('crawl', tasks);
    const seen: unknown[] = [];
    await queue.consume('crawl', {
      concurrency: 8,
      handler: async ({ task }) => void seen.push(task),
    });
    await until(() => seen.length === tasks.length);
    expect(seen).toEqual(tasks);
    await queue.close();
  });

  it('refuses everything once closed, and fails the callers that still wait', async () => {
    const queue = new InMemoryTaskQueue();
    const waiting = queue.request('scrape', 1, { timeoutMs: 60_000 });
    await Promise.all([
      expect(waiting).rejects.toMatchObject({ name: 'BrokerUnavailableError' }),
      queue.close(),
    ]);
    await expect(queue.publish('crawl', 1)).rejects.toMatchObject({
      name: 'BrokerUnavailableError',
    });
    await expect(queue.ping()).rejects.toMatchObject({ name: 'BrokerUnavailableError' });
    expect(queue.isConnected).toBe(false);
  });
});

describe('openTaskQueue', () => {
  it('opens the in-process queue for memory:', async () => {
    const queue = openTaskQueue({ url: 'memory:' });
    expect(queue).toBeInstanceOf(InMemoryTaskQueue);
    await queue.close();
  });

  it('refuses an unknown address', () => {
    expect(() => openTaskQueue({ url: 'redis://localhost' })).toThrow(
      'Unknown broker address redis:',
    );
  });
});
