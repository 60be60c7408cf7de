import { TaskTooLargeError } from './task-errors.js';
import { isSealed } from './task-seal.js';

/** Tasks are ids and small envelopes (design invariant 1), usually below 1 KB. */
export const MAX_TASK_BYTES = 64 * 1024;
/** A sealed task of {@link MAX_TASK_BYTES}: base64 makes four bytes of three; the rest is nonce, tag and key. */
const MAX_SEALED_BYTES = Math.ceil((MAX_TASK_BYTES * 4) / 3) + 1024;
/**
 * Usual replies name a blob once they pass some KB; this much is for the day when storage is away and
 * work that is done would else be lost.
 */
export const MAX_REPLY_BYTES = 16 * 1024 * 1024;

export class ReplyTooLargeError extends Error {
  override readonly name = 'ReplyTooLargeError';
}

/** @throws TaskTooLargeError | TypeError when the task is not JSON. */
export function encodeTask(task: unknown): Buffer {
  const text: string | undefined = JSON.stringify(task);
  if (text === undefined) throw new TypeError('A task must be a JSON value');
  const body = Buffer.from(text);
  const limit = isSealed(task) ? MAX_SEALED_BYTES : MAX_TASK_BYTES;
  if (body.length > limit) {
    throw new TaskTooLargeError(`Task of ${body.length} bytes: the limit is ${limit}`);
  }
  return body;
}

/** A handler that returns nothing answers null. */
export function encodeReply(reply: unknown): string {
  const text = JSON.stringify(reply ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REPLY_BYTES) {
    throw new ReplyTooLargeError(`Reply of ${bytes} bytes: the limit is ${MAX_REPLY_BYTES}`);
  }
  return text;
}
