import { QUEUES, type QueueName, type TaskOwner } from '@app/contracts';
import { InMemoryConsumer } from './in-memory-consumer.js';
import { InMemoryLane, type MemoryDeadLetter } from './in-memory-lane.js';
import { PendingReplies } from './pending-replies.js';
import { maxLengthsWith, type MaxLengths } from './queue-limits.js';
import { BrokerUnavailableError, QueueFullError, TaskFailedError } from './task-errors.js';
import { encodeTask } from './task-json.js';
import type { TaskQueueEvents } from './task-queue-events.js';
import type {
  ConsumeOptions,
  PublishOptions,
  RequestOptions,
  TaskConsumer,
  TaskQueue,
} from './task-queue.js';
import type { Reply } from './task-outcome.js';

export interface InMemoryTaskQueueOptions {
  readonly maxLengths?: Partial<MaxLengths>;
  readonly events?: TaskQueueEvents;
  /** @default Date.now */
  readonly now?: () => number;
}

/**
 * The embedded broker: queues inside this process with the semantics of the port. A restart loses everything;
 * the work in flight is then published again from SQL (design invariant 1).
 */
export class InMemoryTaskQueue implements TaskQueue {
  private readonly lanes: Readonly<Record<QueueName, InMemoryLane>>;
  private readonly replies = new PendingReplies();
  private readonly consumers = new Set<InMemoryConsumer>();
  private readonly events: TaskQueueEvents;
  private readonly now: () => number;
  private isClosed = false;

  constructor(options: InMemoryTaskQueueOptions = {}) {
    this.events = options.events ?? {};
    this.now = options.now ?? Date.now;
    const limits = maxLengthsWith(options.maxLengths);
    this.lanes = lanesWith((queue) => new InMemoryLane(limits[queue], this.now));
    this.events.connected?.(true);
  }

  get isConnected(): boolean {
    return !this.isClosed;
  }

  async publish(queue: QueueName, task: unknown, options: PublishOptions = {}): Promise<void> {
    this.enqueue(queue, { json: encodeTask(task).toString(), ...options });
  }

  async publishMany(
    queue: QueueName,
    tasks: readonly unknown[],
    options: PublishOptions = {},
  ): Promise<void> {
    const bodies = tasks.map((task) => encodeTask(task).toString());
    const room = bodies.findIndex((json) => !this.tryEnqueue(queue, { json, ...options }));
    if (room < 0) return;
    const error = new QueueFullError(`Queue ${queue} is full`);
    error.refusedIndexes = bodies.slice(room).map((_, index) => room + index);
    throw error;
  }

  async request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown> {
    const json = encodeTask(task).toString();
    const { id, reply } = this.replies.open(options);
    try {
      const { timeoutMs: ttlMs, owner = null, traceparent } = options;
      const answer = (reply: Reply): void => this.answer(id, reply);
      this.enqueue(queue, { json, ttlMs, owner, traceparent, answer });
    } catch (error) {
      this.replies.fail(id, error);
    }
    return reply;
  }

  async consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer> {
    this.assertOpen();
    const consumer = new InMemoryConsumer(this.lanes[queue], {
      queue,
      events: this.events,
      now: this.now,
      ...options,
    });
    this.consumers.add(consumer);
    return consumer;
  }

  async depth(queue: QueueName): Promise<number> {
    return this.lanes[queue].depth;
  }

  async ping(): Promise<void> {
    this.assertOpen();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.consumers].map((consumer) => consumer.drain(0)));
    this.replies.failAll('The task queue was closed');
    for (const queue of QUEUES) this.lanes[queue].clear();
    this.events.connected?.(false);
  }

  /** The last dead letters, for operators of an embedded service and for tests. */
  deadLetters(queue: QueueName): readonly MemoryDeadLetter[] {
    return this.lanes[queue].deadLetters;
  }

  private answer(id: string, reply: Reply): void {
    if (reply.kind === 'failed') this.replies.fail(id, new TaskFailedError(reply.reason));
    else this.replies.answer(id, JSON.parse(reply.json));
  }

  private enqueue(queue: QueueName, task: NewTask): void {
    if (!this.tryEnqueue(queue, task)) throw new QueueFullError(`Queue ${queue} is full`);
  }

  private tryEnqueue(queue: QueueName, task: NewTask): boolean {
    this.assertOpen();
    const lane = this.lanes[queue];
    if (lane.isFull) {
      this.events.published?.(queue, 'nacked');
      return false;
    }
    const { json, ttlMs, owner = null, traceparent = null, answer = null } = task;
    const publishedAtMs = this.now();
    const voidAtMs = ttlMs === undefined ? Infinity : publishedAtMs + ttlMs;
    const history = { deliveries: 0, retries: 0 };
    lane.push({ json, publishedAtMs, voidAtMs, history, owner, traceparent, answer });
    this.events.published?.(queue, 'confirmed');
    return true;
  }

  private assertOpen(): void {
    if (this.isClosed) throw new BrokerUnavailableError('The task queue is closed');
  }
}

interface NewTask {
  readonly json: string;
  /** @default never void */
  readonly ttlMs?: number;
  readonly owner?: TaskOwner | null;
  readonly traceparent?: string | undefined;
  readonly answer?: (reply: Reply) => void;
}

function lanesWith(
  make: (queue: QueueName) => InMemoryLane,
): Readonly<Record<QueueName, InMemoryLane>> {
  return {
    scrape: make('scrape'),
    screenshot: make('screenshot'),
    convert: make('convert'),
    map: make('map'),
    enrich: make('enrich'),
    brand: make('brand'),
    search: make('search'),
    crawl: make('crawl'),
    'tech-scan': make('tech-scan'),
  };
}
