import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { SCAN_FOLDER, type BlobStore } from '@app/blobs';
import { REPLY_FOLDER, UPLOAD_FOLDER } from '@app/contracts';
import { sweepHostRungs } from './hosts/host-rows.js';
import { sweepPageCache } from './page-cache/sweep-page-cache.js';

const SWEEP_BATCH = 500;

/** The background work on single pages: deleting what has expired. */
export function openScrapeLoops(runtime: Pick<Runtime, 'database' | 'blobs' | 'log'>): LoopGroup {
  const { log } = runtime;
  const round = (): Promise<number | null> => sweep(runtime);
  return {
    loops: [new BackgroundLoop({ name: 'sweep', intervalMs: 60_000, round, log })],
    abort: () => undefined,
    close: async () => undefined,
  };
}

/** Deletes expired host rungs, abandoned replies and expired cached pages. */
async function sweep({
  database,
  blobs,
}: Pick<Runtime, 'database' | 'blobs'>): Promise<number | null> {
  await sweepHostRungs(database, SWEEP_BATCH);
  await sweepReplies(blobs, { nowMs: Date.now(), limit: SWEEP_BATCH });
  const { expired, deleted } = await sweepPageCache(database, blobs, SWEEP_BATCH);
  // While storage is down nothing is deleted, and an immediate repeat would not help.
  return expired === SWEEP_BATCH || deleted === SWEEP_BATCH ? 0 : null;
}

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
