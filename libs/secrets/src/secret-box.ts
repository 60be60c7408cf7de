import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** AES-256-GCM (NIST SP 800-38D): 96-bit nonces, 128-bit tags. */
const CIPHER = 'aes-256-gcm';
const SEALING_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A secret that others are sealed with. */
export interface SealingKey {
  /** Travels with the box unencrypted. */
  readonly id: string;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
}

/** The box was not sealed with this key for this place, or was changed since. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
}

/**
 * Encrypts bytes. The place is authenticated too: a box moved to another one does not open.
 * @returns nonce, ciphertext and tag
 */
export function sealBytes(place: string, bytes: Uint8Array, key: SealingKey): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, checked(key), nonce);
  cipher.setAAD(Buffer.from(place));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

/** @throws SealBrokenError */
export function openSealed(place: string, box: Uint8Array, key: SealingKey): Buffer {
  const tagAt = box.length - TAG_BYTES;
  if (tagAt < NONCE_BYTES) throw new SealBrokenError('The box is too short');
  const decipher = createDecipheriv(CIPHER, checked(key), box.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(place));
  decipher.setAuthTag(box.subarray(tagAt));
  try {
    return Buffer.concat([decipher.update(box.subarray(NONCE_BYTES, tagAt)), decipher.final()]);
  } catch (cause) {
    throw new SealBrokenError('The box does not open', { cause });
  }
}

function checked({ id, secret }: SealingKey): Uint8Array {
  if (secret.length === SEALING_KEY_BYTES) return secret;
  throw new TypeError(
    `Sealing key ${id} has ${secret.length} bytes: ${SEALING_KEY_BYTES} are needed`,
  );
}

const MAX_KEYS = 8;
const KEY_ID_CHARS = 16;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/**
 * Reads the keys of a setting: each 32 bytes in base64 or base64url, between commas. The first seals, all open. A key's
 * id is the beginning of its SHA-256.
 * @throws Error with the rule that the text breaks. No error quotes the text.
 */
export function parseSealingKeys(text: string): readonly SealingKey[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length > MAX_KEYS) throw new Error(`must have at most ${MAX_KEYS} keys`);
  return parts.map((part) => {
    if (!BASE64.test(part)) throw new Error('must have keys of 32 bytes in base64');
    const secret = Buffer.from(part, 'base64');
    const id = createHash('sha256').update(secret).digest('hex').slice(0, KEY_ID_CHARS);
    return { id, secret };
  });
}
