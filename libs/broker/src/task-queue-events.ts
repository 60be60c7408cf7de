import type { QueueName } from '@app/contracts';

/** What became of one publish. `timeout` covers a broker that is away as well as a missing confirm. */
export type PublishResult = 'confirmed' | 'nacked' | 'returned' | 'timeout';

/** What became of one delivery. `requeue`: it comes back, now or later; `drained`: given back by a drain. */
export type ConsumeResult = 'ack' | 'requeue' | 'dead' | 'drained';

/** Called for metrics and logs. Must be quick and must not throw. */
export interface TaskQueueEvents {
  published?(queue: QueueName, result: PublishResult): void;
  consumed?(queue: QueueName, result: ConsumeResult, redelivered: boolean): void;
  /** The reason is one of the few {@link DeadReason} words, fit for a label. */
  deadLettered?(queue: QueueName, reason: DeadReason): void;
  /** Seconds between publishing and delivery. */
  age?(queue: QueueName, seconds: number): void;
  /** Seconds a handler took. */
  processed?(queue: QueueName, result: ConsumeResult, seconds: number): void;
  inFlight?(queue: QueueName, count: number): void;
  /** A connection that had been lost is back. */
  reconnected?(): void;
  connected?(isConnected: boolean): void;
  /** Something the adapter survived but an operator should see: the log line's text and cause. */
  warned?(message: string, cause?: unknown): void;
}

/** `dropped`: {@link DropTask}; `failed`: threw twice; `poison`: handed out too often; `malformed`: not our JSON; `reply_too_large`. */
export type DeadReason = 'dropped' | 'failed' | 'poison' | 'malformed' | 'reply_too_large';
