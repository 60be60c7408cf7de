import type { QueueName } from '@app/contracts';
import { openSealed, SealBrokenError, sealBytes, type SealingKey } from '@app/secrets';
import { TaskTooLargeError } from './task-errors.js';

/** Tasks are ids and small envelopes (design invariant 1), usually below 1 KB. */
export const MAX_TASK_BYTES = 64 * 1024;
/**
 * A sealed task of {@link MAX_TASK_BYTES}: base64 turns three bytes into four; the rest is nonce, tag and key
 * id.
 */
const MAX_SEALED_BYTES = Math.ceil((MAX_TASK_BYTES * 4) / 3) + 1024;
/**
 * Replies above some KB normally travel through a blob; this limit is for outages of the storage, when finished
 * work would otherwise be lost.
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

/** A handler without a result replies null. */
export function encodeReply(reply: unknown): string {
  const text = JSON.stringify(reply ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_REPLY_BYTES) {
    throw new ReplyTooLargeError(`Reply of ${bytes} bytes: the limit is ${MAX_REPLY_BYTES}`);
  }
  return text;
}

/** The form of a task in the broker: the id of its key, and bytes that reveal nothing without the key. */
interface SealedTask {
  readonly sealedWith: string;
  /** Base64 of nonce, ciphertext and tag. */
  readonly box: string;
}

/** Encrypts a task. The queue is authenticated too: a message moved to another queue does not open. */
export function sealTask(queue: QueueName, json: Uint8Array, key: SealingKey): SealedTask {
  return { sealedWith: key.id, box: sealBytes(queue, json, key).toString('base64') };
}

/** @throws SealBrokenError */
export function openTask(queue: QueueName, { box }: SealedTask, key: SealingKey): unknown {
  const json = openSealed(queue, Buffer.from(box, 'base64'), key).toString('utf8');
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new SealBrokenError('The sealed task is not JSON', { cause });
  }
}

export function isSealed(task: unknown): task is SealedTask {
  if (typeof task !== 'object' || task === null) return false;
  const { sealedWith, box } = task as Partial<Record<keyof SealedTask, unknown>>;
  return typeof sealedWith === 'string' && typeof box === 'string';
}
