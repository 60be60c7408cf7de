/** Thrown by a handler: have the task again in `delayMs`. Brokers round the delay up, at most to {@link MAX_RETRY_DELAY_MS}. */
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

/** The queue holds as much as it may. Publish again later; nothing was queued. */
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

/** The task behind a request was dead-lettered, so no reply will ever come. The message is the reason. */
export class TaskFailedError extends Error {
  override readonly name = 'TaskFailedError';
}

/** The task is no small envelope: large things travel through the blob store. */
export class TaskTooLargeError extends Error {
  override readonly name = 'TaskTooLargeError';
}

/** The longest delay a {@link RetryTask} gets. Longer waits belong into SQL. */
export const MAX_RETRY_DELAY_MS = 300_000;
