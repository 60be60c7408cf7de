import type { Runtime } from '@app/runtime';
import {
  closeOverdueJobs,
  outboxBacklog,
  relayOutbox,
  releaseExpiredLeases,
  settleRows,
} from '@app/jobs';
import { FINISH_CHANNEL, Notifications, WEBHOOK_CHANNEL, WORK_CHANNEL } from '@app/database';
import { HostSweep, sweepDailyQuotas, sweepHostRungs, sweepPageCache, utcDay } from '@app/scrape';
import { sweepSessions, sweepSignInAsks, sweepSignInLinks } from '@app/accounts';
import { openEventLoops } from '../billing/open-event-loops.js';
import { countBacklog, openDeliverer } from '../webhooks/open-deliverer.js';
import type { LiveJobs } from '../results/live-jobs.js';
import { paymentLoops } from '../pay-per-call/payment-loops.js';
import { eraseNext } from '../retention/erase-data.js';
import { purgeNext, retain } from '../retention/retain.js';
import { BackgroundLoop } from './background-loop.js';
import { CreditRounds } from './credit-rounds.js';
import { Dispatcher } from './dispatcher.js';
import { Finisher } from './finisher.js';
import { sweepReplies } from './sweep-replies.js';

const REAP_BATCH = 500;
const SETTLE_BATCH = 5_000;
const RELAY_BATCH = 100;
/** Younger entries are on their way by the hand that wrote them; a slow broker takes its time to confirm. */
const RELAY_AFTER_MS = 12_000;
const RELAY_INTERVAL_MS = 2_000;
const SWEEP_BATCH = 500;
const SWEEP_INTERVAL_MS = 60_000;
const PURGE_INTERVAL_MS = 10_000;
const ERASE_INTERVAL_MS = 2_000;
const HOLDS_INTERVAL_MS = 10_000;
const RECONCILE_INTERVAL_MS = 60_000;
const ROLL_UP_INTERVAL_MS = 30_000;
const DAY_MS = 86_400_000;
const BACKLOG_INTERVAL_MS = 10_000;
/** Followers of a job hear of it this often at most. */
const LIVE_GAP_MS = 200;
/** Result files written at a time by one process: a huge one does not hold up all others. */
const FINISHERS = 2;

/** Starts the background work of an API process; returns how to stop it. */
export function startLoops(runtime: Runtime, liveJobs: LiveJobs): { stop(): Promise<void> } {
  const { store, settings, log } = runtime;
  const loop = (name: string, intervalMs: number, round: Round, minGapMs = 0): BackgroundLoop =>
    new BackgroundLoop({ name, log, intervalMs, minGapMs, round });
  const dispatcher = new Dispatcher(runtime);
  const finishers = Array.from({ length: FINISHERS }, () => new Finisher(runtime));
  const dispatch = loop('dispatch', 1_000, () => dispatcher.round(), 15);
  const finish = finishers.map((finisher) => loop('finish', 1_000, () => finisher.round()));
  const hosts = new HostSweep(store);
  const credits = new CreditRounds(runtime);
  const webhooks = openDeliverer(runtime, () => deliver.wake());
  const deliver = loop('webhooks', 1_000, () => webhooks.deliverer.round());
  const live = loop('live jobs', 1_000, () => liveJobs.round(), LIVE_GAP_MS);
  const payments = openEventLoops(runtime);
  const loops = [
    dispatch,
    ...finish,
    deliver,
    live,
    loop('webhook backlog', BACKLOG_INTERVAL_MS, () => countBacklog(runtime)),
    loop('reap', Math.min(5_000, settings.leaseMs / 3), () => reap(runtime)),
    loop('overdue', 5_000, () => closeOverdue(runtime)),
    loop('settle', 2_000, async () => againIf((await settleRows(store, SETTLE_BATCH)) > 0)),
    loop('relay', RELAY_INTERVAL_MS, () => relay(runtime)),
    loop('sweep', SWEEP_INTERVAL_MS, () => sweep(runtime)),
    loop('retain', SWEEP_INTERVAL_MS, () => retain(runtime, new Date(), hosts)),
    loop('purge', PURGE_INTERVAL_MS, () => purgeNext(runtime)),
    loop('erase', ERASE_INTERVAL_MS, () => eraseNext(runtime)),
    loop('credit holds', HOLDS_INTERVAL_MS, () => credits.releaseHolds()),
    loop('reconcile', RECONCILE_INTERVAL_MS, () => credits.reconcile()),
    loop('usage', ROLL_UP_INTERVAL_MS, () => credits.rollUp()),
    ...[...payments.rounds, ...paymentLoops(runtime)].map(({ name, intervalMs, round }) =>
      loop(name, intervalMs, round),
    ),
  ];
  const notifications = new Notifications(store.url, {
    [WORK_CHANNEL]: () => {
      dispatch.wake();
      live.wake();
    },
    [FINISH_CHANNEL]: () => finish.forEach((one) => one.wake()),
    [WEBHOOK_CHANNEL]: () => deliver.wake(),
  });
  for (const one of loops) one.start();
  notifications.start();
  return {
    async stop() {
      for (const finisher of finishers) finisher.abort();
      payments.abort();
      await notifications.close();
      await Promise.all(loops.map((one) => one.stop()));
      await webhooks.stop();
      await payments.close();
    },
  };
}

type Round = () => Promise<number | null>;

function againIf(isMore: boolean): number | null {
  return isMore ? 0 : null;
}

async function reap({ store, settings, metrics, log }: Runtime): Promise<number | null> {
  const released = await releaseExpiredLeases(store, {
    maxAttempts: settings.pageAttempts,
    batch: REAP_BATCH,
    onError: (jobId, err) => log.error({ err, jobId }, 'expired leases were not released'),
  });
  metrics.leasesExpired.inc(released);
  return againIf(released > 0);
}

async function closeOverdue({ store, log }: Runtime): Promise<number | null> {
  const closed = await closeOverdueJobs(store, {
    batch: REAP_BATCH,
    onError: (jobId, err) => log.error({ err, jobId }, 'an overdue job was not closed'),
  });
  return againIf(closed > 0);
}

/** Forgets what has expired: memory of hosts, cached pages, replies nobody read, counts of past days, sessions and links. */
async function sweep({ store, blobs }: Runtime): Promise<number | null> {
  await sweepHostRungs(store, SWEEP_BATCH);
  const yesterday = new Date(Date.now() - DAY_MS);
  await sweepDailyQuotas(store, { beforeDay: utcDay(yesterday), limit: SWEEP_BATCH });
  await sweepReplies(blobs, { nowMs: Date.now(), limit: SWEEP_BATCH });
  await sweepSessions(store, { limit: SWEEP_BATCH });
  await sweepSignInLinks(store, { limit: SWEEP_BATCH });
  await sweepSignInAsks(store, { limit: SWEEP_BATCH });
  const { expired, deleted } = await sweepPageCache(store, blobs, SWEEP_BATCH);
  // Where storage is away nothing is deleted, and coming back at once would not help.
  return againIf(expired === SWEEP_BATCH || deleted === SWEEP_BATCH);
}

async function relay({ store, queue, settings, metrics }: Runtime): Promise<number | null> {
  const backlog = await outboxBacklog(store);
  metrics.outboxPending.set(backlog.pending);
  metrics.outboxOldestSeconds.set(backlog.oldestSeconds);
  if (!queue.isConnected || backlog.pending === 0) return null;
  const relayed = await relayOutbox(
    store,
    { olderThanMs: RELAY_AFTER_MS, batch: RELAY_BATCH },
    (entry) => queue.publishMany(entry.queue, entry.messages, { ttlMs: settings.leaseMs }),
  );
  return againIf(relayed === RELAY_BATCH);
}
