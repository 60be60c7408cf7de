import { BlobKeyError } from './blob-errors.js';

const MAX_KEY_CHARS = 512;
const SEGMENT = /^[A-Za-z0-9._-]+$/;

/** Segments of `[A-Za-z0-9._-]` between slashes, none of them `.` or `..`. @throws BlobKeyError */
export function assertKey(key: string): void {
  if (!isKey(key)) throw new BlobKeyError(`Not a blob key: ${JSON.stringify(key.slice(0, 100))}`);
}

export function isKey(key: string): boolean {
  return key.length <= MAX_KEY_CHARS && key.split('/').every(isSegment);
}

export function isSegment(segment: string): boolean {
  return SEGMENT.test(segment) && segment !== '.' && segment !== '..';
}

/** A folder with its slash, so that `jobs/1/` never means `jobs/10/` too. `''` is everything. @throws BlobKeyError */
export function assertPrefix(prefix: string): void {
  if (prefix === '') return;
  if (!prefix.endsWith('/') || !isKey(prefix.slice(0, -1))) {
    throw new BlobKeyError(`Not a blob prefix: ${JSON.stringify(prefix.slice(0, 100))}`);
  }
}

/** No caller needs to delete every blob. @throws BlobKeyError */
export function assertDeletablePrefix(prefix: string): void {
  assertPrefix(prefix);
  if (prefix === '') throw new BlobKeyError('Refusing to delete every blob');
}
