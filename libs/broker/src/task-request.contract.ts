import { until } from '@app/testing';
import { DropTask, RequestTimeoutError, TaskFailedError } from './task-errors.js';
import { MAX_REPLY_BYTES } from './task-json.js';
import { recorder, type StartTaskQueue } from './task-queue-probe.contract.js';
import type { TaskConsumer, TaskHandler, TaskQueue } from './task-queue.js';

/** Requests and their replies. */
export function describeRequests(start: StartTaskQueue): void {
  const answering = async (queue: TaskQueue, handler: TaskHandler): Promise<TaskConsumer> =>
    queue.consume('scrape', { concurrency: 4, handler });

  it('answers a request with the value of the handler', async () => {
    const queue = await start();
    await answering(queue, async ({ task }) => ({ echo: task }));
    expect(await queue.request('scrape', { url: 'a' }, { timeoutMs: 60_000 })).toEqual({
      echo: { url: 'a' },
    });
  });

  it('matches many replies to their requests', async () => {
    const queue = await start();
    await answering(queue, async ({ task }) => Number(task) * 2);
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((n) => queue.request('scrape', n, { timeoutMs: 60_000 })),
    );
    expect(answers).toEqual(numbers.map((n) => n * 2));
  });

  it('carries a large reply, and null for none', async () => {
    const queue = await start();
    const large = 'ü'.repeat(100_000);
    await answering(queue, async ({ task }) => (task === 'large' ? large : undefined));
    expect(await queue.request('scrape', 'large', { timeoutMs: 60_000 })).toBe(large);
    expect(await queue.request('scrape', 'nothing', { timeoutMs: 60_000 })).toBeNull();
  });

  it('fails a request whose reply is larger than a message may be', async () => {
    const { events, dead } = recorder();
    const queue = await start({ events });
    await answering(queue, async () => 'x'.repeat(MAX_REPLY_BYTES));
    await expect(queue.request('scrape', 1, { timeoutMs: 60_000 })).rejects.toBeInstanceOf(
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
    const request = queue.request('scrape', 1, { timeoutMs: 60_000 });
    await expect(request).rejects.toMatchObject({ name: 'TaskFailedError', message: 'cannot be' });
  });

  it('answers a request whose first handler threw', async () => {
    const queue = await start();
    await answering(queue, async ({ redelivered }) => {
      if (!redelivered) throw new Error('first try');
      return 'second try';
    });
    expect(await queue.request('scrape', 1, { timeoutMs: 60_000 })).toBe('second try');
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
    const request = queue.request('scrape', 1, { timeoutMs: 60_000, signal: controller.signal });
    controller.abort(reason);
    await expect(request).rejects.toBe(reason);
    await expect(
      queue.request('scrape', 1, { timeoutMs: 60_000, signal: controller.signal }),
    ).rejects.toBe(reason);
  });
}
