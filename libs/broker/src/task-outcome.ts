import { DropTask, MAX_RETRY_DELAY_MS, RetryTask } from './task-errors.js';
import type { ConsumeResult, DeadReason } from './task-queue-events.js';
import type { Delivery, TaskHandler } from './task-queue.js';
import { encodeReply, ReplyTooLargeError } from './task-json.js';

/** The outcome of a delivered message. */
export type TaskOutcome =
  /** Done; `reply` is JSON for the requester. */
  | { readonly kind: 'ack'; readonly reply: string }
  /** Back to the queue at once. */
  | { readonly kind: 'requeue' }
  /** Back to the queue after `delayMs`. */
  | { readonly kind: 'retry'; readonly delayMs: number }
  /** To the dead letters. */
  | { readonly kind: 'dead'; readonly reason: DeadReason; readonly detail: string };

/** A message's past deliveries. */
export interface History {
  /** Earlier deliveries, since it was published or last retried. */
  readonly deliveries: number;
  /** Retries requested by handlers. */
  readonly retries: number;
}

/**
 * Deliveries after which a message counts as poison. Drains count too, so it is far above the number of usual
 * restarts.
 */
export const MAX_DELIVERIES = 20;
/**
 * Retries after which a message counts as poison: a handler that always requests a retry must not loop forever.
 */
export const MAX_RETRIES = 100;

/** Why a message is not delivered any more, or null. */
export function poisonDetail(history: History): string | null {
  if (history.deliveries >= MAX_DELIVERIES) return `delivered ${history.deliveries} times`;
  if (history.retries >= MAX_RETRIES) return `retried ${history.retries} times`;
  return null;
}

/** Runs the handler and turns its result or error into an outcome. Never rejects. */
export async function runHandler(
  handler: TaskHandler,
  delivery: Delivery,
  { expectsReply, isLastTry }: { readonly expectsReply: boolean; readonly isLastTry: boolean },
): Promise<TaskOutcome> {
  try {
    const reply = await handler(delivery);
    return { kind: 'ack', reply: expectsReply ? encodeReply(reply) : '' };
  } catch (error) {
    return outcomeOf(error, isLastTry);
  }
}

function outcomeOf(error: unknown, isLastTry: boolean): TaskOutcome {
  if (error instanceof RetryTask) return retry(error.delayMs);
  if (error instanceof DropTask) return { kind: 'dead', reason: 'dropped', detail: error.message };
  if (error instanceof ReplyTooLargeError) {
    return { kind: 'dead', reason: 'reply_too_large', detail: error.message };
  }
  if (!isLastTry) return { kind: 'requeue' };
  return { kind: 'dead', reason: 'failed', detail: String(error) };
}

function retry(delayMs: number): TaskOutcome {
  if (!(delayMs > 0)) return { kind: 'requeue' };
  return { kind: 'retry', delayMs: Math.min(delayMs, MAX_RETRY_DELAY_MS) };
}

/** The reply to the requester: JSON of the handler's result, or the reason why there is none. */
export type Reply =
  | { readonly kind: 'value'; readonly json: string }
  | { readonly kind: 'failed'; readonly reason: string };

export function consumeResultOf(outcome: TaskOutcome): ConsumeResult {
  switch (outcome.kind) {
    case 'ack':
      return 'ack';
    case 'requeue':
    case 'retry':
      return 'requeue';
    case 'dead':
      return 'dead';
  }
}
