import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { sweepHostRungs } from './hosts/host-rows.js';
import { sweepPageCache } from './page-cache/sweep-page-cache.js';
import { sweepReplies } from './sweep-replies.js';

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
