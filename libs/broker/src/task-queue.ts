import type { QueueName, TaskOwner } from '@app/contracts';

/**
 * The port to the work queues. Delivery is at least once: a handler may get a task twice, so its writes are
 * guarded elsewhere (design invariant 3). The truth is in SQL; a queue only carries small envelopes of work in
 * flight.
 */
export interface TaskQueue {
  /**
   * Resolves once the broker has the task durably. A task that reached no queue is an error, never a
   * silent loss. When it rejects with {@link BrokerUnavailableError} the task may still have arrived.
   * @throws QueueFullError | BrokerUnavailableError | TaskTooLargeError
   */
  publish(queue: QueueName, task: unknown, options?: PublishOptions): Promise<void>;
  /**
   * Publishes in order with pipelined confirms. Tries every task; if some were refused it rejects with the first
   * error, whose `refusedIndexes` name the tasks that were not accepted.
   */
  publishMany(queue: QueueName, tasks: readonly unknown[], options?: PublishOptions): Promise<void>;
  /**
   * Publishes a task and waits for the result of its handler. The task is void after `timeoutMs`. The signal
   * ends the wait (rejects with its reason), not the task.
   * @throws QueueFullError | BrokerUnavailableError | RequestTimeoutError | TaskFailedError
   */
  request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown>;
  /**
   * Starts consuming and resolves at once, even while the broker is down: the consumer is established, and
   * re-established, in the background.
   */
  consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer>;
  /** Messages that wait for a consumer, without those in flight. */
  depth(queue: QueueName): Promise<number>;
  /** Resolves when the broker responds. Rejects with {@link BrokerUnavailableError}. */
  ping(): Promise<void>;
  /** Requeues unfinished tasks and releases all resources. Drain the consumers first. */
  close(): Promise<void>;
  readonly isConnected: boolean;
}

/** Carried from the publisher to the handler as it is. */
interface Traced {
  /** Trace of the publisher: the header `traceparent` (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

export interface PublishOptions extends Traced {
  /** The message is void this long after publishing. @default never */
  readonly ttlMs?: number;
}

export interface RequestOptions extends Traced {
  readonly timeoutMs: number;
  /** @default null: the tasks of one more tenant, on a paid plan */
  readonly owner?: TaskOwner | null;
  readonly signal?: AbortSignal;
}

export interface ConsumeOptions {
  /** Concurrent tasks. If tenants take turns: those of a tenant that is alone. */
  readonly concurrency: number;
  /**
   * Tenants take turns (see `TenantTurns`): half of `concurrency` is added as further slots, which a tenant that
   * is alone leaves free for the next. The consumer takes tasks ahead (`readAhead`), so that it knows those of
   * several tenants.
   * @default false: tasks start in the order of their arrival
   */
  readonly isFair?: boolean;
  readonly handler: TaskHandler;
}

/**
 * Handles one task. The return value is the reply, if the publisher waits for one. Throw {@link RetryTask} to
 * get the task again later, {@link DropTask} to dead-letter it; any other error causes one redelivery, then a
 * dead letter.
 */
export type TaskHandler = (delivery: Delivery) => Promise<unknown>;

export interface Delivery {
  readonly task: unknown;
  /** The task was delivered before: its first handler threw, died or was stopped. */
  readonly redelivered: boolean;
  readonly publishedAtMs: number;
  readonly owner: TaskOwner | null;
  /** See {@link PublishOptions}; null if the publisher gave none. */
  readonly traceparent: string | null;
  /** Aborts when the task was requeued: the drain ran out of time, or the connection was lost. */
  readonly signal: AbortSignal;
}

export interface TaskConsumer {
  /**
   * Stops consuming and waits for tasks in flight. Those that have not ended after `timeoutMs` are aborted and
   * requeued.
   */
  drain(timeoutMs: number): Promise<{ readonly abandoned: number }>;
  /** Applies to the next task; running ones are unaffected. 0 pauses. */
  setConcurrency(concurrency: number): void;
  readonly inFlight: number;
}
