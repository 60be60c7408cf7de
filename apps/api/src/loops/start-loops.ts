import { openAccountLoops } from '@app/accounts';
import { openBillingLoops } from '@app/billing';
import { type Channel, Notifications, WORK_CHANNEL } from '@app/database';
import { openJobLoops } from '@app/jobs';
import { sweepRequests } from '@app/requests';
import { BackgroundLoop, type LoopGroup, type Runtime } from '@app/runtime';
import { openScrapeLoops } from '@app/scrape';
import type { LiveJobs } from '../jobs/results/live-jobs.js';
import { presentEvent } from '../jobs/webhooks/present-event.js';

/** Followers of a job get at most one update in this period. */
const LIVE_GAP_MS = 200;
const SWEEP_BATCH = 5_000;

/** Starts the background loops of an API process; returns how to stop them. */
export function startLoops(
  runtime: Pick<
    Runtime,
    'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs' | 'downloadSecret' | 'publicUrl'
  >,
  liveJobs: LiveJobs,
  runners: readonly LoopGroup[],
): { stop(): Promise<void> } {
  const { database, log, publicUrl } = runtime;
  const groups = [
    openJobLoops(runtime, (job, resultUrl) => presentEvent(job, { resultUrl, publicUrl })),
    openAccountLoops(runtime),
    openBillingLoops(runtime),
    openScrapeLoops(runtime),
    ...runners,
  ];
  const live = new BackgroundLoop({
    ...{ name: 'live jobs', intervalMs: 1_000, minGapMs: LIVE_GAP_MS },
    ...{ wokenBy: WORK_CHANNEL, log },
    round: () => liveJobs.round(),
  });
  const requests = new BackgroundLoop({
    ...{ name: 'request log', intervalMs: 60_000, log },
    round: async () => {
      await sweepRequests(database, { limit: SWEEP_BATCH });
      return null;
    },
  });
  const loops = [live, requests, ...groups.flatMap((group) => group.loops)];
  const wake = (channel: Channel) => () => {
    for (const loop of loops) if (loop.wokenBy === channel) loop.wake();
  };
  const channels = loops.flatMap(({ wokenBy }) => wokenBy ?? []);
  const handlers = Object.fromEntries(channels.map((channel) => [channel, wake(channel)]));
  const notifications = new Notifications(database.url, handlers);
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
