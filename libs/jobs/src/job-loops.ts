import { FINISH_CHANNEL, WEBHOOK_CHANNEL, WORK_CHANNEL } from '@app/database';
import { BackgroundLoop, type Loop, type LoopGroup, type Runtime } from '@app/runtime';
import { HostSweep } from '@app/scrape';
import { countBacklog, openDeliverer, type DelivererOptions } from '@app/webhooks';
import { Dispatcher } from './frontier/dispatcher.js';
import { closeOverdueJobs, releaseExpiredLeases, settleRows } from './frontier/end-leases.js';
import { countJobs } from './frontier/job-backlog.js';
import { outboxBacklog, relayOutbox } from './frontier/outbox.js';
import { Finisher } from './results/finisher.js';
import { resultUrl } from './results/result-url.js';
import { eraseNext } from './retention/erase-data.js';
import { purgeNext, retain } from './retention/retain.js';

const LEASE_BATCH = 500;
const SETTLE_BATCH = 5_000;
const RELAY_BATCH = 100;
/** Younger entries are being published by the process that wrote them; a slow broker takes its time to confirm. */
const RELAY_AFTER_MS = 12_000;
/** Result files written at a time by one process: a huge one does not hold up all others. */
const FINISHERS = 2;

/**
 * The background work on jobs: dispatch, leases, results, webhooks, retention.
 * @param present the body of a webhook, as the wire has it
 */
export function openJobLoops(
  runtime: Pick<
    Runtime,
    'database' | 'settings' | 'log' | 'metrics' | 'queue' | 'blobs' | 'downloadSecret' | 'publicUrl'
  >,
  present: DelivererOptions['present'],
): LoopGroup {
  const { database, log } = runtime;
  const open = (loop: Loop): BackgroundLoop => new BackgroundLoop({ ...loop, log });
  const dispatcher = new Dispatcher(runtime);
  const dispatch = open({
    ...{ name: 'dispatch', intervalMs: 1_000, minGapMs: 15, wokenBy: WORK_CHANNEL },
    round: () => dispatcher.round(),
  });
  const finishers = Array.from({ length: FINISHERS }, () => new Finisher(runtime));
  const finish = finishers.map((finisher) =>
    open({
      ...{ name: 'finish', intervalMs: 1_000, wokenBy: FINISH_CHANNEL },
      round: () => finisher.round(),
    }),
  );
  const webhooks = openDeliverer(runtime, {
    ...{ present, resultUrl: (job) => resultUrl(runtime, job) },
    onRoom: () => deliver.wake(),
  });
  const deliver = open({
    ...{ name: 'webhooks', intervalMs: 1_000, wokenBy: WEBHOOK_CHANNEL },
    round: () => webhooks.deliverer.round(),
  });
  const others = [...leaseLoops(runtime), ...retentionLoops(runtime, new HostSweep(database))];
  return {
    loops: [dispatch, ...finish, deliver, ...others.map(open)],
    abort: () => finishers.forEach((finisher) => finisher.abort()),
    close: () => webhooks.stop(),
  };
}

function leaseLoops(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'queue'>,
): Loop[] {
  const { database, settings } = runtime;
  const reapIntervalMs = Math.min(5_000, settings.leaseMs / 3);
  return [
    { name: 'reap', intervalMs: reapIntervalMs, round: () => reap(runtime) },
    { name: 'overdue', intervalMs: 5_000, round: () => closeOverdue(runtime) },
    {
      ...{ name: 'settle', intervalMs: 2_000 },
      round: async () => againIf((await settleRows(database, SETTLE_BATCH)) > 0),
    },
    { name: 'relay', intervalMs: 2_000, round: () => relay(runtime) },
  ];
}

/** @param hosts continues at each round where the previous one ended */
function retentionLoops(
  runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'blobs'>,
  hosts: HostSweep,
): Loop[] {
  return [
    { name: 'job backlog', intervalMs: 10_000, round: () => countJobs(runtime) },
    { name: 'webhook backlog', intervalMs: 10_000, round: () => countBacklog(runtime) },
    { name: 'retain', intervalMs: 60_000, round: () => retain(runtime, new Date(), hosts) },
    { name: 'purge', intervalMs: 10_000, round: () => purgeNext(runtime) },
    { name: 'erase', intervalMs: 2_000, round: () => eraseNext(runtime) },
  ];
}

function againIf(isMore: boolean): number | null {
  return isMore ? 0 : null;
}

async function reap({
  database,
  settings,
  metrics,
  log,
}: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics'>): Promise<number | null> {
  const released = await releaseExpiredLeases(database, {
    maxAttempts: settings.pageAttempts,
    batch: LEASE_BATCH,
    onError: (jobId, err) => log.error({ err, jobId }, 'expired leases were not released'),
  });
  metrics.leasesExpired.inc(released);
  return againIf(released > 0);
}

async function closeOverdue({
  database,
  log,
}: Pick<Runtime, 'database' | 'log'>): Promise<number | null> {
  const closed = await closeOverdueJobs(database, {
    batch: LEASE_BATCH,
    onError: (jobId, err) => log.error({ err, jobId }, 'an overdue job was not closed'),
  });
  return againIf(closed > 0);
}

async function relay({
  database,
  queue,
  settings,
  metrics,
}: Pick<Runtime, 'database' | 'settings' | 'metrics' | 'queue'>): Promise<number | null> {
  const backlog = await outboxBacklog(database);
  metrics.outboxPending.set(backlog.pending);
  metrics.outboxOldestSeconds.set(backlog.oldestSeconds);
  if (!queue.isConnected || backlog.pending === 0) return null;
  const relayed = await relayOutbox(
    database,
    { olderThanMs: RELAY_AFTER_MS, batch: RELAY_BATCH },
    (entry) => queue.publishMany(entry.queue, entry.messages, { ttlMs: settings.leaseMs }),
  );
  return againIf(relayed === RELAY_BATCH);
}
