import { screenshotFolder } from '@app/blobs';
import { forgetStored } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { storedScreenshots } from '../create/stored-bytes.js';
import { deleteTenantRequests, deleteTenantSchemas } from '@app/requests';
import { deleteTenantFeeds, deleteTenantPulls, deleteTenantSites } from '@app/runs';
import { deleteTenantProfiles } from '@app/profiles';
import { cancelJob } from '../frontier/end-leases.js';
import {
  completeDeletion,
  deleteJob,
  deleteTenantCache,
  deleteTenantKeys,
  expiredJobs,
  expireTenantJobs,
  noteDeleted,
  runningJobs,
  takeDeletion,
  type DataDeletion,
  type DeletedCounts,
} from './data-deletion.js';
import { deleteTenantReadings } from '@app/graph';
import { deleteBelow } from './delete-below.js';
import { purgeJob } from './purge-job.js';

type Ports = Pick<Runtime, 'database' | 'blobs' | 'settings' | 'metrics' | 'log'>;

const DAY_MS = 86_400_000;
/** Of one round. */
const MAX_CANCELLED = 20;
const MAX_EXPIRED = 500;
const MAX_PURGED = 10;
const MAX_ROWS = 1_000;
const MAX_BLOBS = 1_000;
/** Each takes its rows with it. */
const MAX_FEEDS = 20;
/** Longer than a round takes. A deletion with a failed round is retried after it. */
const ROUND_LEASE_MS = 60_000;

/**
 * One bounded round of one deletion; see {@link DataDeletion}. Every step finds the remaining data
 * by itself, so an aborted round is simply repeated.
 * @returns milliseconds until there is more to do, null when no work is known
 */
export async function eraseNext(ports: Ports): Promise<number | null> {
  const deletion = await takeDeletion(ports.database, ROUND_LEASE_MS);
  if (!deletion) return null;
  // Workers of the cancelled jobs have lost their leases by then, and write no more.
  const settlesInMs = deletion.requestedAt.getTime() + 2 * ports.settings.leaseMs - Date.now();
  const { isMore, ...counts } = await eraseSome(ports, deletion);
  const inMs = isMore ? 0 : Math.max(0, settlesInMs);
  await noteDeleted(ports.database, deletion.id, counts, inMs);
  if (isMore || settlesInMs > 0) return inMs;
  const isDone = await completeDeletion(ports.database, deletion);
  ports.log.info({ tenantId: deletion.tenantId, deletionId: deletion.id, isDone }, 'data deleted');
  return 0;
}

interface Erased extends DeletedCounts {
  readonly isMore: boolean;
}

const NOTHING: Erased = { jobs: 0, pages: 0, blobs: 0, isMore: false };
const MORE: Erased = { ...NOTHING, isMore: true };

/** In this order: running jobs stop, data becomes invisible, then it is deleted. */
async function eraseSome(ports: Ports, deletion: DataDeletion): Promise<Erased> {
  const { database } = ports;
  const { tenantId, requestedAt: until } = deletion;
  if (await cancelSome(ports, deletion)) return MORE;
  const expired = { tenantId, until, limit: MAX_EXPIRED };
  if ((await expireTenantJobs(database, expired)) === MAX_EXPIRED) return MORE;
  const rows = { tenantId, until, limit: MAX_ROWS };
  await deleteTenantSchemas(database, rows);
  await deleteTenantSites(database, rows);
  await deleteTenantProfiles(database, rows);
  const areMoreRows = [
    (await deleteTenantKeys(database, rows)) === MAX_ROWS,
    (await deleteTenantCache(database, rows)) === MAX_ROWS,
    (await deleteTenantReadings(database, rows)) === MAX_ROWS,
    (await deleteTenantRequests(database, rows)) === MAX_ROWS,
    (await deleteTenantPulls(database, rows)) === MAX_ROWS,
    (await deleteTenantFeeds(database, { ...rows, limit: MAX_FEEDS })) === MAX_FEEDS,
  ].includes(true);
  const jobs = await eraseJobs(ports, deletion);
  if (jobs.isMore || areMoreRows) return { ...jobs, isMore: true };
  const rest = await eraseBlobs(ports, deletion);
  return { ...jobs, blobs: jobs.blobs + rest.deleted, isMore: rest.isMore };
}

async function cancelSome(
  { database, metrics }: Ports,
  { tenantId, requestedAt: until }: DataDeletion,
): Promise<boolean> {
  const jobs = await runningJobs(database, { tenantId, until, limit: MAX_CANCELLED });
  for (const { id, type, ageSeconds } of jobs) {
    const end = await cancelJob(database, tenantId, id);
    if (end?.changed) metrics.jobEnded({ type, outcome: 'cancelled' }, ageSeconds);
  }
  return jobs.length > 0;
}

async function eraseJobs(
  ports: Ports,
  { tenantId, requestedAt: until }: DataDeletion,
): Promise<Erased> {
  const found = await expiredJobs(ports.database, { tenantId, until, limit: MAX_PURGED });
  let [jobs, pages, blobs] = [0, 0, 0];
  for (const job of found) {
    // A job that has its documents is among them.
    const purged = await purgeJob(ports, { ...job, isInherited: false });
    pages += purged.pages;
    blobs += purged.blobs;
    if (!purged.isMore && (await deleteJob(ports.database, job))) jobs++;
  }
  return { jobs, pages, blobs, isMore: found.length > 0 };
}

/** Data without rows: late segments of cancelled jobs, screenshots, answers, cached pages. */
async function eraseBlobs(
  { blobs, database, settings }: Ports,
  { tenantId, requestedAt: until }: DataDeletion,
): Promise<{ readonly deleted: number; readonly isMore: boolean }> {
  let deleted = 0;
  for (const folder of foldersOf(tenantId, until, settings.resultDays)) {
    const isDue = (key: string): boolean => !(timeOf(key, folder) > until.getTime());
    const below = await deleteBelow(blobs, folder, { limit: MAX_BLOBS, isDue });
    deleted += below.deleted;
    if (below.isMore) return { deleted, isMore: true };
  }
  await forgetStored(database, { ...storedScreenshots(settings.resultDays), tenantId }, until);
  return { deleted, isMore: false };
}

/** Older screenshots are swept for all tenants. */
function foldersOf(tenantId: string, until: Date, days: number): string[] {
  const pictures = Array.from({ length: days + 2 }, (_, back) => {
    const day = new Date(until.getTime() - back * DAY_MS).toISOString().slice(0, 10);
    return screenshotFolder(tenantId, day);
  });
  return [`jobs/${tenantId}/`, `tenants/${tenantId}/`, ...pictures];
}

/** A UUIDv7, which begins with its time (RFC 9562, 5.7). */
const ID = /\b([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/;

/** When the first blob below the folder was created: for a job's blobs, the job. NaN: unknown. */
export function timeOf(key: string, folder: string): number {
  const [, high, low] = ID.exec(key.slice(folder.length)) ?? [];
  return high && low ? parseInt(high + low, 16) : NaN;
}
