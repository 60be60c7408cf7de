import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

/** 256 random bits, fit for a cookie and for an address. */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/**
 * Stored form of a token. The token is random, so one round of SHA-256 is as strong as a slow hash.
 */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
