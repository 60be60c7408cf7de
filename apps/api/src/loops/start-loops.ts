import { openAccountLoops } from '@app/accounts';
import { openBillingLoops } from '@app/billing';
import { Notifications, WORK_CHANNEL } from '@app/database';
import { openJobLoops } from '@app/jobs';
import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { openScrapeLoops } from '@app/scrape';
import type { LiveJobs } from '../jobs/results/live-jobs.js';
import { presentEvent } from '../jobs/webhooks/present-event.js';

/** Followers of a job get at most one update in this period. */
const LIVE_GAP_MS = 200;

/** Starts the background loops of an API process; returns how to stop them. */
export function startLoops(
  runtime: Pick<
    Runtime,
    'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs' | 'downloadSecret' | 'publicUrl'
  >,
  liveJobs: LiveJobs,
  runners: readonly LoopGroup[],
): { stop(): Promise<void> } {
  const { database, log } = runtime;
  const jobs = openJobLoops(runtime, presentEvent);
  const groups = [
    jobs,
    openAccountLoops(runtime),
    openBillingLoops(runtime),
    openScrapeLoops(runtime),
    ...runners,
  ];
  const live = new BackgroundLoop({
    ...{ name: 'live jobs', intervalMs: 1_000, minGapMs: LIVE_GAP_MS, log },
    round: () => liveJobs.round(),
  });
  const loops = [live, ...groups.flatMap((group) => group.loops)];
  const notifications = new Notifications(database.url, {
    ...jobs.wakes,
    [WORK_CHANNEL]: () => {
      jobs.wakes[WORK_CHANNEL]();
      live.wake();
    },
  });
  for (const loop of loops) loop.start();
  notifications.start();
  return {
    async stop() {
      for (const group of groups) group.abort();
      await notifications.close();
      await Promise.all(loops.map((loop) => loop.stop()));
      for (const group of groups) await group.close();
    },
  };
}
