import type { QueueName } from '@app/contracts';
import { SealBrokenError, type SealingKey } from '@app/secrets';
import { BrokerUnavailableError, DropTask, RetryTask } from './task-errors.js';
import { encodeTask, isSealed, openTask, sealTask } from './task-json.js';
import type {
  ConsumeOptions,
  Delivery,
  PublishOptions,
  RequestOptions,
  TaskConsumer,
  TaskHandler,
  TaskQueue,
} from './task-queue.js';

/** Access to the keys. Both ends of a queue have it, the broker does not. */
export interface SealingKeys {
  /** The current key for sealing. */
  current(): Promise<SealingKey>;
  /** Null: the key does not exist, or has expired. */
  find(id: string): Promise<SealingKey | null>;
}

export interface SealedTaskQueueOptions {
  readonly inner: TaskQueue;
  readonly keys: SealingKeys;
  /** Queues whose tasks are sealed; those of the others pass unchanged. */
  readonly queues: readonly QueueName[];
  /** Called with unexpected errors of handlers: the broker only gets their name. */
  readonly onFailure: (queue: QueueName, error: unknown) => void;
}

/** A task whose key cannot be read now is retried after this time. */
const KEY_RETRY_MS = 1_000;

/**
 * A task queue whose broker sees only ciphertext of the queues whose tasks carry tenants' secrets (cookies,
 * headers, text typed into pages). The broker's disk, its backups, its dead letters and readers of its queues
 * reveal nothing, and no one with access to the broker can forge a task: a message that is not sealed, or does
 * not open, becomes a dead letter and is never handled. Keys expire, and stored messages with them.
 */
export class SealedTaskQueue implements TaskQueue {
  private readonly inner: TaskQueue;
  private readonly keys: SealingKeys;
  private readonly sealed: ReadonlySet<QueueName>;

  constructor(private readonly options: SealedTaskQueueOptions) {
    this.inner = options.inner;
    this.keys = options.keys;
    this.sealed = new Set(options.queues);
  }

  get isConnected(): boolean {
    return this.inner.isConnected;
  }

  async publish(queue: QueueName, task: unknown, options?: PublishOptions): Promise<void> {
    const [sealed] = await this.seal(queue, [task]);
    return this.inner.publish(queue, sealed, options);
  }

  async publishMany(
    queue: QueueName,
    tasks: readonly unknown[],
    options?: PublishOptions,
  ): Promise<void> {
    return this.inner.publishMany(queue, await this.seal(queue, tasks), options);
  }

  async request(queue: QueueName, task: unknown, options: RequestOptions): Promise<unknown> {
    const [sealed] = await this.seal(queue, [task]);
    options.signal?.throwIfAborted();
    return this.inner.request(queue, sealed, options);
  }

  consume(queue: QueueName, options: ConsumeOptions): Promise<TaskConsumer> {
    if (!this.sealed.has(queue)) return this.inner.consume(queue, options);
    return this.inner.consume(queue, { ...options, handler: this.opening(queue, options.handler) });
  }

  depth(queue: QueueName): Promise<number> {
    return this.inner.depth(queue);
  }

  ping(): Promise<void> {
    return this.inner.ping();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  private async seal(queue: QueueName, tasks: readonly unknown[]): Promise<readonly unknown[]> {
    if (!this.sealed.has(queue)) return tasks;
    const bodies = tasks.map((task) => encodeTask(task));
    const key = await this.keys.current().catch((cause: unknown) => {
      throw new BrokerUnavailableError('The key that tasks are sealed with cannot be read', {
        cause,
      });
    });
    return bodies.map((json) => sealTask(queue, json, key));
  }

  private opening(queue: QueueName, handler: TaskHandler): TaskHandler {
    return async (delivery: Delivery) => {
      const { redelivered, publishedAtMs, owner, traceparent, signal } = delivery;
      const task = await this.open(queue, delivery.task);
      return handler({ task, redelivered, publishedAtMs, owner, traceparent, signal }).catch(
        (error: unknown) => {
          throw this.withoutContent(queue, error);
        },
      );
    };
  }

  /** The message of an unexpected error may quote the task, and would be stored in the dead letter. */
  private withoutContent(queue: QueueName, error: unknown): unknown {
    if (error instanceof RetryTask || error instanceof DropTask) return error;
    this.options.onFailure(queue, error);
    return new Error(error instanceof Error ? error.name : typeof error);
  }

  private async open(queue: QueueName, task: unknown): Promise<unknown> {
    if (!isSealed(task)) throw new DropTask('the task is not sealed');
    const key = await this.keys.find(task.sealedWith).catch((cause: unknown) => {
      throw new RetryTask(KEY_RETRY_MS, 'the key of the task cannot be read', { cause });
    });
    if (key === null) throw new DropTask('the key of the task has expired or never existed');
    try {
      return openTask(queue, task, key);
    } catch (error) {
      if (error instanceof SealBrokenError) throw new DropTask(error.message);
      throw error;
    }
  }
}
