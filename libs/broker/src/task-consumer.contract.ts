import type { QueueName } from '@app/contracts';
import { until } from '@app/testing';
import {
  collectDeliveries,
  gated,
  recorder,
  type StartTaskQueue,
} from './task-queue-probe.contract.js';

/** Concurrency, draining and metrics of consumers. */
export function describeConsumers(start: StartTaskQueue): void {
  it('works on tasks up to its concurrency, and no more', async () => {
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

  it('drains: finishes its tasks and accepts no new ones', async () => {
    const queue = await start();
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 2, handler: gate.handler });
    await queue.publishMany('crawl', [1, 2, 3]);
    await until(() => gate.running === 2);
    const drained = consumer.drain(60_000);
    gate.open();
    expect(await drained).toEqual({ abandoned: 0 });
    expect(gate.finished).toBe(2);
    await until(async () => (await queue.depth('crawl')) === 1);
  });

  it('drains within its time: the rest is aborted and delivered to another consumer', async () => {
    const { events, consumed } = recorder();
    const queue = await start({ events });
    const gate = gated();
    const consumer = await queue.consume('crawl', { concurrency: 2, handler: gate.handler });
    await queue.publishMany('crawl', ['a', 'b']);
    await until(() => gate.running === 2);
    expect(await consumer.drain(50)).toEqual({ abandoned: 2 });
    expect(gate.signals.every((signal) => signal.aborted)).toBe(true);
    expect(consumed).toEqual(['drained', 'drained']);
    const seen = await collectDeliveries(queue, 2, async () => gate.open());
    expect(seen.map(({ task }) => task).sort()).toEqual(['a', 'b']);
    expect(seen.every(({ redelivered }) => redelivered)).toBe(true);
    expect(consumed.filter((result) => result === 'ack')).toHaveLength(2);
  });

  it('reports its events for the metrics', async () => {
    const calls: string[] = [];
    const queue = await start({
      events: {
        published: (name, result) => calls.push(`published ${name} ${result}`),
        consumed: (name, result, again) => calls.push(`consumed ${name} ${result} ${again}`),
        processed: (name, result, seconds) =>
          calls.push(`processed ${name} ${result} ${seconds < 60}`),
        age: (name, seconds) => calls.push(`age ${name} ${seconds < 60}`),
        inFlight: (name, count) => calls.push(`inFlight ${name} ${count}`),
      },
    });
    await collectDeliveries(queue, 1, () => queue.publish('crawl', 1));
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

  it('reports the tasks it works on at once, none while it is paused or drained', async () => {
    const counts: number[] = [];
    const events = { slots: (_: QueueName, count: number) => counts.push(count) };
    const queue = await start({ events });
    const handler = (): Promise<null> => Promise.resolve(null);
    const alone = await queue.consume('crawl', { concurrency: 4, handler });
    alone.setConcurrency(0);
    alone.setConcurrency(2);
    await alone.drain(1_000);
    const fair = await queue.consume('scrape', { concurrency: 4, isFair: true, handler });
    await fair.drain(1_000);
    expect(counts).toEqual([4, 0, 2, 0, 6, 0]);
  });
}
