import type { Runtime } from '@app/runtime';
import {
  closeOverdueJobs,
  FINISH_CHANNEL,
  Notifications,
  outboxBacklog,
  relayOutbox,
  releaseExpiredLeases,
  settleRows,
  WORK_CHANNEL,
} from '@app/store';
import { BackgroundLoop } from './background-loop.js';
import { Dispatcher } from './dispatcher.js';
import { Finisher } from './finisher.js';

const REAP_BATCH = 500;
const SETTLE_BATCH = 5_000;
const RELAY_BATCH = 100;
/** Younger entries are on their way by the hand that wrote them; a slow broker takes its time to confirm. */
const RELAY_AFTER_MS = 12_000;
const RELAY_INTERVAL_MS = 2_000;
/** Result files written at a time by one process: a huge one does not hold up all others. */
const FINISHERS = 2;

/** Starts the background work of an API process; returns how to stop it. */
export function startLoops(runtime: Runtime): { stop(): Promise<void> } {
  const { store, queue, settings, metrics, log } = runtime;
  const dispatcher = new Dispatcher(runtime);
  const finishers = Array.from({ length: FINISHERS }, () => new Finisher(runtime));
  const dispatch = new BackgroundLoop({
    name: 'dispatch',
    log,
    intervalMs: 1_000,
    minGapMs: 15,
    round: () => dispatcher.round(),
  });
  const finish = finishers.map(
    (finisher) =>
      new BackgroundLoop({
        name: 'finish',
        log,
        intervalMs: 1_000,
        minGapMs: 0,
        round: () => finisher.round(),
      }),
  );
  const reap = new BackgroundLoop({
    name: 'reap',
    log,
    intervalMs: Math.min(5_000, settings.leaseMs / 3),
    minGapMs: 0,
    round: async () => {
      const released = await releaseExpiredLeases(store, {
        maxAttempts: settings.pageAttempts,
        batch: REAP_BATCH,
        onError: (jobId, err) => log.error({ err, jobId }, 'expired leases were not released'),
      });
      metrics.leasesExpired.inc(released);
      return released > 0 ? 0 : null;
    },
  });
  const overdue = new BackgroundLoop({
    name: 'overdue',
    log,
    intervalMs: 5_000,
    minGapMs: 0,
    round: async () => ((await closeOverdueJobs(store, REAP_BATCH)) > 0 ? 0 : null),
  });
  const settle = new BackgroundLoop({
    name: 'settle',
    log,
    intervalMs: 2_000,
    minGapMs: 0,
    round: async () => ((await settleRows(store, SETTLE_BATCH)) > 0 ? 0 : null),
  });
  const relay = new BackgroundLoop({
    name: 'relay',
    log,
    intervalMs: RELAY_INTERVAL_MS,
    minGapMs: 0,
    round: async () => {
      const backlog = await outboxBacklog(store);
      metrics.outboxPending.set(backlog.pending);
      metrics.outboxOldestSeconds.set(backlog.oldestSeconds);
      if (!queue.isConnected || backlog.pending === 0) return null;
      const relayed = await relayOutbox(
        store,
        { olderThanMs: RELAY_AFTER_MS, batch: RELAY_BATCH },
        (entry) => queue.publishMany(entry.queue, entry.messages, { ttlMs: settings.leaseMs }),
      );
      return relayed === RELAY_BATCH ? 0 : null;
    },
  });
  const loops = [dispatch, ...finish, reap, overdue, settle, relay];
  const notifications = new Notifications(store.url, {
    [WORK_CHANNEL]: () => dispatch.wake(),
    [FINISH_CHANNEL]: () => finish.forEach((loop) => loop.wake()),
  });
  for (const loop of loops) loop.start();
  notifications.start();
  return {
    async stop() {
      for (const finisher of finishers) finisher.abort();
      await notifications.close();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
