import { sweepTaskKeys, type Runtime } from '@app/runtime';
import { expireCompanyContacts } from '@app/graph';
import { HostSweep } from '@app/scrape';
import { sweepIdempotencyKeys } from '@app/idempotency';
import { sweepKeyProvisions } from '@app/accounts';
import { sweepDeliveries } from '@app/webhooks';
import { sweepProfiles } from '@app/profiles';
import { sweepConversations, sweepFeedEvents, sweepPulls } from '@app/runs';
import { dayOfScreenshot, SCREENSHOT_FOLDER, type BlobStore } from '@app/blobs';
import { continuePurge, endPurge, expireJobs, forgetJobs, takePurge } from './expire-jobs.js';
import { forgetDeletions } from './data-deletion.js';
import { purgeJob } from './purge-job.js';
import { deleteBelow, type Deleted } from './delete-below.js';

const DAY_MS = 86_400_000;
const BATCH = 500;
/** Each takes its counts and its webhook with it. */
const FORGET_BATCH = 100;
/** Its Crawl-delay, how fast it answers and how much it bears: to be learned again after that. */
const HOST_DAYS = 30;
/** Jobs read in one round. */
const HOST_BATCH = 5_000;
/** An event of a feed is kept at least so long: its delivery may take three days. */
const MIN_EVENT_DAYS = 7;
/** How long a failed purge waits, while others have their turn. */
const PURGE_LEASE_MS = 5 * 60_000;

/**
 * One bounded round of retention, except for charges: those are never deleted. Returns 0 when there
 * may be more.
 * @param hosts continues at each round where the one before ended
 */
export async function retain(
  { database, blobs, settings }: Pick<Runtime, 'database' | 'blobs' | 'settings'>,
  now = new Date(),
  hosts = new HostSweep(database),
): Promise<number | null> {
  const { resultDays, jobDays, companyContactsDays } = settings;
  const contacts = { before: daysBefore(now, companyContactsDays), limit: BATCH };
  const results = { before: daysBefore(now, resultDays), limit: BATCH };
  const jobs = { before: daysBefore(now, Math.max(resultDays, jobDays)), limit: FORGET_BATCH };
  // Longer than the schedule of a delivery.
  const days = Math.max(resultDays, MIN_EVENT_DAYS);
  const feedEvents = { before: daysBefore(now, days), limit: BATCH };
  await hosts.next({ before: daysBefore(now, HOST_DAYS), limit: HOST_BATCH });
  await sweepTaskKeys(database, now);
  const isMore = [
    (await expireJobs(database, results)) === BATCH,
    (await sweepDeliveries(database, results)) === BATCH,
    (await expireCompanyContacts(database, contacts)) === BATCH,
    (await sweepIdempotencyKeys(database, BATCH, now)) === BATCH,
    (await sweepKeyProvisions(database, BATCH, now)) === BATCH,
    // Each takes its rows with it.
    (await sweepPulls(database, FORGET_BATCH, now)) === FORGET_BATCH,
    (await sweepProfiles(database, BATCH, now)) === BATCH,
    (await sweepConversations(database, BATCH, now)) === BATCH,
    (await sweepFeedEvents(database, feedEvents)) === BATCH,
    (await forgetJobs(database, jobs)) === FORGET_BATCH,
    (await forgetDeletions(database, jobs)) === FORGET_BATCH,
    // Last: storage that is away holds up nothing else.
    (await sweepScreenshots(blobs, results)).isMore,
  ];
  return isMore.includes(true) ? 0 : null;
}

/** One round of purging one expired job. Returns 0 when there may be more. */
export async function purgeNext(
  runtime: Pick<Runtime, 'database' | 'blobs' | 'log'>,
): Promise<number | null> {
  const { database, log } = runtime;
  const job = await takePurge(database, PURGE_LEASE_MS);
  if (!job) return null;
  const { isMore, ...deleted } = await purgeJob(runtime, job);
  if (isMore) await continuePurge(database, job.id);
  else await endPurge(database, job);
  log.info({ jobId: job.id, ...deleted, isMore }, 'expired results were deleted');
  return 0;
}

function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}

/**
 * Deletes screenshots of days that ended before a moment. They are listed by day, oldest first, so
 * of the young ones only the first is listed.
 */
export async function sweepScreenshots(
  blobs: Pick<BlobStore, 'list' | 'delete'>,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<Deleted> {
  const firstKept = before.toISOString().slice(0, 10);
  const isOver = (key: string): boolean => {
    const day = dayOfScreenshot(key);
    return day !== null && day < firstKept;
  };
  const list = (prefix: string) => listedUntil(blobs.list(prefix), ({ key }) => isOver(key));
  const store = { list, delete: (key: string) => blobs.delete(key) };
  return deleteBelow(store, SCREENSHOT_FOLDER, { limit });
}

async function* listedUntil<T>(
  items: AsyncIterable<T>,
  isListed: (item: T) => boolean,
): AsyncGenerator<T> {
  for await (const item of items) {
    if (!isListed(item)) return;
    yield item;
  }
}
