import type { QueueName, TaskOwner } from '@app/contracts';

/**
 * The port to the work queues. Delivery is at least once: a handler may see a task twice, so whatever
 * it writes is guarded elsewhere (design invariant 3). The truth is in SQL; a queue only carries
 * small envelopes of work in flight.
 */
export interface TaskQueue {
  /**
   * Resolves once the broker has the task durably. A task that reached no queue is an error, never a
   * silent loss. When it rejects with {@link BrokerUnavailableError} the task may still have arrived.
   * @throws QueueFullError | BrokerUnavailableError | TaskTooLargeError
   */
  publish(queue: QueueName, task: unknown, options?: PublishOptions): Promise<void>;
  /**
   * Publishes in order with confirms pipelined. Tries every task; when some were refused it rejects
   * with the first refusal, whose `refusedIndexes` name the tasks that were not accepted.
   */
  publishMany(queue: QueueName, tasks: readonly unknown[], options?: PublishOptions): Promise<void>;
  /**
   * Publishes a task and waits for what its handler returned. The task is void after `timeoutMs`.
   * The signal stops the waiting (rejects with its reason), not the task.
   * @throws QueueFullError | BrokerUnavailableError | RequestTimeoutError | TaskFailedError
   */
  request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown>;
  /**
   * Starts to take tasks and resolves at once, even while the broker is away: the consumer is
   * established, and re-established, in the background.
   */
  consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer>;
  /** Messages that wait for a consumer, without those in flight. */
  depth(queue: QueueName): Promise<number>;
  /** Resolves when the broker answers. Rejects with {@link BrokerUnavailableError}. */
  ping(): Promise<void>;
  /** Gives unfinished tasks back and lets go of everything. Drain the consumers first. */
  close(): Promise<void>;
  readonly isConnected: boolean;
}

export interface PublishOptions {
  /** The message is void this long after publishing. @default never */
  readonly ttlMs?: number;
}

export interface RequestOptions {
  readonly timeoutMs: number;
  /** @default null: the tasks of one more tenant, which pays */
  readonly owner?: TaskOwner | null;
  readonly signal?: AbortSignal;
}

export interface ConsumeOptions {
  /** Tasks handled at a time. Where tenants take turns: those of one tenant that is alone. */
  readonly concurrency: number;
  /**
   * Tenants take turns (see `TenantTurns`): half as many slots as `concurrency` come on top, which a tenant
   * that is alone leaves empty for the next. The consumer takes tasks ahead (`readAhead`), so that it sees those
   * of several tenants.
   * @default false: tasks begin in the order of their arrival
   */
  readonly isFair?: boolean;
  readonly handler: TaskHandler;
}

/**
 * Works on one task. What it returns answers the request, if somebody waits for one. Throw
 * {@link RetryTask} to have the task again later, {@link DropTask} to dead-letter it; any other throw
 * gives it one redelivery, then dead-letters it.
 */
export type TaskHandler = (delivery: Delivery) => Promise<unknown>;

export interface Delivery {
  readonly task: unknown;
  /** The task was handed out before: its first handler threw, died or was stopped. */
  readonly redelivered: boolean;
  readonly publishedAtMs: number;
  readonly owner: TaskOwner | null;
  /** Aborts when the task was given back: the drain ran out of time, or the connection was lost. */
  readonly signal: AbortSignal;
}

export interface TaskConsumer {
  /**
   * Stops taking tasks and waits for those in flight. The ones that are not done after `timeoutMs`
   * are aborted and given back to the queue.
   */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
  /** Takes effect for the next task; running ones are left alone. 0 pauses. */
  setConcurrency(concurrency: number): void;
  readonly inFlight: number;
}
