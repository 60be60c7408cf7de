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
/** Younger entries are on their way by the hand that wrote them. */
const RELAY_AFTER_MS = 2_000;

/** Starts the background work of an API process; returns how to stop it. */
export function startLoops(runtime: Runtime): { stop(): Promise<void> } {
  const { store, queue, settings, metrics, log } = runtime;
  const dispatcher = new Dispatcher(runtime);
  const finisher = new Finisher(runtime);
  const dispatch = new BackgroundLoop({
    name: 'dispatch',
    log,
    intervalMs: 1_000,
    minGapMs: 10,
    round: () => dispatcher.round(),
  });
  const finish = new BackgroundLoop({
    name: 'finish',
    log,
    intervalMs: 1_000,
    minGapMs: 0,
    round: () => finisher.round(),
  });
  const reap = new BackgroundLoop({
    name: 'reap',
    log,
    intervalMs: Math.min(5_000, settings.leaseMs / 3),
    minGapMs: 0,
    round: async () => {
      const released = await releaseExpiredLeases(store, {
        maxAttempts: settings.pageAttempts,
        batch: REAP_BATCH,
      });
      metrics.leasesExpired.inc(released);
      await closeOverdueJobs(store, REAP_BATCH);
      return released > 0 ? 0 : null;
    },
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
    intervalMs: RELAY_AFTER_MS,
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
  const loops = [dispatch, finish, reap, settle, relay];
  const notifications = new Notifications(store.url, {
    [WORK_CHANNEL]: () => dispatch.wake(),
    [FINISH_CHANNEL]: () => finish.wake(),
  });
  for (const loop of loops) loop.start();
  notifications.start();
  return {
    async stop() {
      await notifications.close();
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}
