import { createHmac, timingSafeEqual } from 'node:crypto';
import { assertKey, isKey } from './blob-key.js';
import { MAX_SIGNED_SECONDS } from './blob-store.js';

export interface Download {
  readonly key: string;
  readonly fileName: string;
  readonly contentType: string;
}

const MAX_TOKEN_CHARS = 4096;

/** A token that allows its holder to download one blob until `expiresAtMs`. Suits a path segment. */
export function signDownload(download: Download, expiresAtMs: number, secret: Uint8Array): string {
  const { key, fileName, contentType } = download;
  const payload = Buffer.from(
    JSON.stringify({ key, exp: expiresAtMs, fileName, contentType }),
  ).toString('base64url');
  return `${payload}.${macOf(payload, secret).toString('base64url')}`;
}

export interface DownloadUrlOptions {
  /** Public URL of the API, which serves `/downloads/<token>`. */
  readonly publicUrl: string;
  readonly secret: Uint8Array;
  /** At most {@link MAX_SIGNED_SECONDS}. */
  readonly expiresInSeconds: number;
}

/** URL of the API under which every holder can download one blob, whatever store it is in. */
export function downloadUrl(download: Download, options: DownloadUrlOptions): string {
  const { publicUrl, secret, expiresInSeconds } = options;
  assertKey(download.key);
  if (expiresInSeconds > MAX_SIGNED_SECONDS)
    throw new RangeError('A download link is valid for a week at most');
  const token = signDownload(download, Date.now() + expiresInSeconds * 1000, secret);
  return `${publicUrl.replace(/(?<!\/)\/+$/, '')}/downloads/${token}`;
}

/** The permission of a token at `nowMs`; null if it has expired or was not signed with this secret. */
export function verifyDownload(token: string, secret: Uint8Array, nowMs: number): Download | null {
  const [payload = '', mac = '', ...rest] = token.slice(0, MAX_TOKEN_CHARS + 1).split('.');
  if (token.length > MAX_TOKEN_CHARS || rest.length > 0) return null;
  // Compared as text: a base64url decoder ignores characters outside its alphabet.
  const given = Buffer.from(mac);
  const expected = Buffer.from(macOf(payload, secret).toString('base64url'));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return parse(Buffer.from(payload, 'base64url').toString(), nowMs);
}

/** RFC 6266: a plain name for old clients and the real one in UTF-8 (RFC 8187). */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\/]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(/['()*]/g, percentEncode);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

function macOf(payload: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(payload).digest();
}

/** The signature is valid, so the service wrote the text; only its age and its key must be checked. */
function parse(json: string, nowMs: number): Download | null {
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'object' || value === null) return null;
  const { key, exp, fileName, contentType } = value as Record<string, unknown>;
  if (typeof key !== 'string' || typeof fileName !== 'string' || typeof contentType !== 'string')
    return null;
  if (typeof exp !== 'number' || exp <= nowMs || !isKey(key)) return null;
  return { key, fileName, contentType };
}

function percentEncode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}
