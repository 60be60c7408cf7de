import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { QueueName } from '@app/contracts';

/** AES-256-GCM (NIST SP 800-38D): 96-bit nonces, 128-bit tags. */
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret for sealing tasks. */
export interface SealingKey {
  /** Travels with the message unencrypted. */
  readonly id: string;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
}

/** The form of a task in the broker: the id of its key, and bytes that reveal nothing without the key. */
export interface SealedTask {
  readonly sealedWith: string;
  /** Base64 of nonce, ciphertext and tag. */
  readonly box: string;
}

/** The message was not sealed with this key for this queue, or was changed since. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/** Encrypts a task. The queue is authenticated too: a message moved to another queue does not open. */
export function sealTask(queue: QueueName, json: Uint8Array, key: SealingKey): SealedTask {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, checked(key), nonce);
  cipher.setAAD(Buffer.from(queue));
  const box = Buffer.concat([nonce, cipher.update(json), cipher.final(), cipher.getAuthTag()]);
  return { sealedWith: key.id, box: box.toString('base64') };
}

/** @throws SealBrokenError */
export function openTask(queue: QueueName, { box }: SealedTask, key: SealingKey): unknown {
  const bytes = Buffer.from(box, 'base64');
  const tagAt = bytes.length - TAG_BYTES;
  if (tagAt < NONCE_BYTES) throw new SealBrokenError('The sealed task is too short');
  const decipher = createDecipheriv(CIPHER, checked(key), bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(queue));
  decipher.setAuthTag(bytes.subarray(tagAt));
  try {
    const json = Buffer.concat([
      decipher.update(bytes.subarray(NONCE_BYTES, tagAt)),
      decipher.final(),
    ]);
    return JSON.parse(json.toString('utf8'));
  } catch (cause) {
    throw new SealBrokenError('The sealed task does not open', { cause });
  }
}

export function isSealed(task: unknown): task is SealedTask {
  if (typeof task !== 'object' || task === null) return false;
  const { sealedWith, box } = task as Partial<Record<keyof SealedTask, unknown>>;
  return typeof sealedWith === 'string' && typeof box === 'string';
}

function checked({ id, secret }: SealingKey): Uint8Array {
  if (secret.length === KEY_BYTES) return secret;
  throw new TypeError(`Sealing key ${id} has ${secret.length} bytes: ${KEY_BYTES} are needed`);
}
