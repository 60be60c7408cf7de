import { InMemoryTaskQueue } from './in-memory-task-queue.js';
import type { MaxLengths } from './queue-limits.js';
import { RabbitTaskQueue } from './rabbit-task-queue.js';
import type { TaskQueueEvents } from './task-queue-events.js';
import type { TaskQueue } from './task-queue.js';

export interface TaskQueueOptions {
  /** `memory:` or `amqp(s)://user:password@host:port/vhost`. */
  readonly url: string;
  /** Prefix of the queue names in the broker. @default 'trawl' */
  readonly prefix?: string;
  readonly maxLengths?: Partial<MaxLengths>;
  /**
   * Tasks that a fair consumer takes beyond its slots. The embedded broker's only consumer takes all.
   * @default 96
   */
  readonly readAhead?: number;
  readonly events?: TaskQueueEvents;
}

/**
 * The task queue at an address. Connects at first use and retries by itself, so that a service may start before
 * its broker.
 * @throws TypeError for an unsupported protocol.
 */
export function openTaskQueue(options: TaskQueueOptions): TaskQueue {
  const { protocol } = new URL(options.url);
  switch (protocol) {
    case 'memory:':
      return new InMemoryTaskQueue(options);
    case 'amqp:':
    case 'amqps:':
      return new RabbitTaskQueue(options);
    default:
      throw new TypeError(`Unknown broker address ${protocol}: use memory: or amqp(s)://`);
  }
}
