import { until } from '@app/testing';
import type { ConsumeResult, TaskQueueEvents } from './task-queue-events.js';
import type { Delivery, TaskHandler, TaskQueue } from './task-queue.js';

export interface OpenForTest {
  readonly maxCrawlLength?: number;
  readonly events?: TaskQueueEvents;
}

export type StartTaskQueue = (options?: OpenForTest) => Promise<TaskQueue>;

/** Consumes until `count` tasks were seen, starting after the consumer does. */
export async function collectDeliveries(
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

/** A handler that waits until the gate opens. */
export function gated() {
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

/** Collects the reported events. */
export function recorder() {
  const dead: string[] = [];
  const consumed: ConsumeResult[] = [];
  const events: TaskQueueEvents = {
    deadLettered: (_, reason) => dead.push(reason),
    consumed: (_, result) => consumed.push(result),
  };
  return { events, dead, consumed };
}
