import { SCAN_FOLDER, type BlobStore } from '@app/blobs';
import { REPLY_FOLDER, UPLOAD_FOLDER } from '@app/contracts';

/** Far longer than any request waits for its reply. */
const MAX_AGE_MS = 3_600_000;
const FOLDERS = [REPLY_FOLDER, UPLOAD_FOLDER, SCAN_FOLDER];

/** `<folder>/<tenant>/<request>.<kind>`; a request id is a UUIDv7, which begins with its time (RFC 9562, 5.7). */
const KEY =
  /\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.(?:json|html|markdown|file|scan)$/;

/**
 * Deletes replies whose reader disconnected before they were stored, and uploads and scan inputs whose process
 * died before it deleted them; the others are deleted when their request ends. Returns how many, at most
 * `limit`.
 */
export async function sweepReplies(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<number> {
  let deleted = 0;
  for (const folder of FOLDERS) {
    for await (const { key } of blobs.list(folder)) {
      if (deleted >= limit) return deleted;
      if (!(timeOf(key) < nowMs - MAX_AGE_MS)) continue;
      await blobs.delete(key);
      deleted++;
    }
  }
  return deleted;
}

/** NaN for a key of another form. */
function timeOf(key: string): number {
  const [, high, low] = KEY.exec(key) ?? [];
  return high && low ? parseInt(high + low, 16) : NaN;
}
