import { createHash, randomBytes } from 'node:crypto';

/** Every key begins with this (specification: Authentication 1). */
export const API_KEY_PREFIX = 'trawl_live_';
const LOOKUP_CHARS = 12;
const SECRET_BYTES = 32;
/** Part of the look-up part, to distinguish keys in lists; the row is found by all of it. */
const SHOWN_CHARS = 4;

/** Who created the key: the first start, self-serve, its account, an operator. */
export const KEY_ORIGINS = ['first', 'provisioned', 'account', 'admin'] as const;
export type KeyOrigin = (typeof KEY_ORIGINS)[number];

/** A key as it may be shown: nothing here helps to guess it. */
export interface ApiKey {
  readonly id: string;
  readonly label: string;
  /** Its beginning: `trawl_live_ab12…`. */
  readonly prefix: string;
  readonly createdAt: Date;
  /** To the minute; null: never. */
  readonly lastUsedAt: Date | null;
  /** Refused from then on, since it was rotated; null: no end is set. */
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly origin: KeyOrigin;
}

/** A key that was made just now: the only time its text is known. */
export interface IssuedKey {
  readonly key: string;
  readonly record: ApiKey;
}

/** Columns of `api_keys` that make an {@link ApiKey}. */
export const KEY_COLUMNS = `id, label, '${API_KEY_PREFIX}' || left(prefix, ${SHOWN_CHARS}) || '…' AS prefix,
  created_at AS "createdAt", last_used_at AS "lastUsedAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", origin`;

/** Condition on a row of `api_keys` that may be used at the instant of an SQL expression. */
export function liveAt(instant: string, table = 'api_keys'): string {
  return `${table}.revoked_at IS NULL AND (${table}.expires_at IS NULL OR ${table}.expires_at > ${instant})`;
}

/** A new key: `lookup` finds its row, only `hash` of the whole is kept. */
export interface KeyText {
  readonly key: string;
  readonly lookup: string;
  readonly hash: Buffer;
}

export function newKeyText(): KeyText {
  const lookup = randomBytes(LOOKUP_CHARS / 2).toString('hex');
  const key = `${API_KEY_PREFIX}${lookup}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return { key, lookup, hash: hashKey(key) };
}

/**
 * Exactly the form of {@link newKeyText}: a text that the database refuses would fail all requests
 * of the same statement.
 */
const LOOKUP_PART = new RegExp(`^[0-9a-f]{${LOOKUP_CHARS}}(?=_)`);

/** The part of a key its row is found by; null of a text that is no key. */
export function lookupPart(key: string): string | null {
  if (!key.startsWith(API_KEY_PREFIX)) return null;
  return LOOKUP_PART.exec(key.slice(API_KEY_PREFIX.length))?.[0] ?? null;
}

/** Keys carry 256 random bits, so one round of SHA-256 is as strong as a slow hash here. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
