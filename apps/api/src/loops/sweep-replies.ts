import type { BlobStore } from '@app/blobs';
import { REPLY_FOLDER } from '@app/contracts';

/** Far longer than any request waits for its reply. */
const MAX_AGE_MS = 3_600_000;

/** `replies/<tenant>/<request>.json`; a request id is a UUIDv7, which begins with its time (RFC 9562, 5.7). */
const REPLY_KEY = /\/([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.json$/;

/**
 * Deletes replies whose reader hung up before they came; the others are deleted when they are read.
 * Returns how many, at most `limit`.
 */
export async function sweepReplies(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  { nowMs, limit }: { readonly nowMs: number; readonly limit: number },
): Promise<number> {
  let deleted = 0;
  for await (const { key } of blobs.list(REPLY_FOLDER)) {
    if (!(timeOf(key) < nowMs - MAX_AGE_MS)) continue;
    await blobs.delete(key);
    deleted++;
    if (deleted >= limit) break;
  }
  return deleted;
}

/** NaN for a key that is none of ours. */
function timeOf(key: string): number {
  const [, high, low] = REPLY_KEY.exec(key) ?? [];
  return high && low ? parseInt(high + low, 16) : NaN;
}
