import type { QueueName } from '@app/contracts';

/** The result of one publish. `timeout` covers an unavailable broker as well as a missing confirm. */
export type PublishResult = 'confirmed' | 'nacked' | 'returned' | 'timeout';

/** The result of one delivery. `requeue`: redelivered, now or later; `drained`: returned by a drain. */
export type ConsumeResult = 'ack' | 'requeue' | 'dead' | 'drained';

/** Called for metrics and logs. Must be fast and must not throw. */
export interface TaskQueueEvents {
  published?(queue: QueueName, result: PublishResult): void;
  consumed?(queue: QueueName, result: ConsumeResult, redelivered: boolean): void;
  /** The reason is one of the few {@link DeadReason} words, which suit a label. */
  deadLettered?(queue: QueueName, reason: DeadReason): void;
  /** Seconds between publishing and delivery. */
  age?(queue: QueueName, seconds: number): void;
  /** Seconds a handler took. */
  processed?(queue: QueueName, result: ConsumeResult, seconds: number): void;
  inFlight?(queue: QueueName, count: number): void;
  /** Tasks a consumer works on at once, of all tenants; 0 while it is paused, and once it drains. */
  slots?(queue: QueueName, count: number): void;
  /** A lost connection was restored. */
  reconnected?(): void;
  connected?(isConnected: boolean): void;
  /** A survived problem for operators: text and cause of the log line. */
  warned?(message: string, cause?: unknown): void;
}

/**
 * `dropped`: {@link DropTask}; `failed`: threw twice; `poison`: delivered too often; `malformed`: not JSON of
 * this service; `reply_too_large`.
 */
export type DeadReason = 'dropped' | 'failed' | 'poison' | 'malformed' | 'reply_too_large';
