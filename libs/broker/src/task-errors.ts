/**
 * Thrown by a handler: redeliver the task after `delayMs`. Brokers round the delay up, at most to {@link
 * MAX_RETRY_DELAY_MS}.
 */
export class RetryTask extends Error {
  override readonly name = 'RetryTask';

  constructor(
    readonly delayMs: number,
    reason = 'retry later',
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** Thrown by a handler: the task can never succeed. The message becomes the dead letter's reason. */
export class DropTask extends Error {
  override readonly name = 'DropTask';
}

/** The queue is full. Publish again later; nothing was queued. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** For `publishMany`: positions of the tasks that were not accepted. */
  refusedIndexes: readonly number[] = [0];
}

/** The broker cannot be reached or did not confirm in time. The task may or may not have arrived. */
export class BrokerUnavailableError extends Error {
  override readonly name = 'BrokerUnavailableError';
  /** For `publishMany`: positions of the tasks that were not confirmed. */
  refusedIndexes: readonly number[] = [0];
}

/** No reply arrived in time. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError';
}

/** The task of a request was dead-lettered, so no reply will arrive. The message is the reason. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
}

/** The task is too large for an envelope: large data travels through the blob store. */
export class TaskTooLargeError extends Error {
  override readonly name = 'TaskTooLargeError';
}

/** The maximum delay of a {@link RetryTask}. Longer waits belong in SQL. */
export const MAX_RETRY_DELAY_MS = 300_000;
