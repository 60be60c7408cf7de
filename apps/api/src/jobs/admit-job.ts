import { utcDay, type Tenant } from '@app/accounts';
import { ApiError, PLAN_LIMITS, type ApiErrorCode } from '@app/contracts';
import { isRefusedValue, type Database } from '@app/database';
import { readStoredBytes } from '@app/jobs';
import { dayUsedUp } from '../accounts/limits/day-used-up.js';

/** The errors of {@link admitJob}. */
export const JOB_ROOM_ERRORS: readonly ApiErrorCode[] = ['storage_full', 'unpaid_quota'];

/**
 * The error of a job that was not started because the queue or the database failed. A value that the database refuses is
 * a fault of ours, which another try would not cure.
 */
export function notStarted(code: `${'crawl' | 'batch' | 'extraction'}_unavailable`) {
  return (cause: unknown): never => {
    if (isRefusedValue(cause)) throw cause;
    throw new ApiError(code, {}, { cause });
  };
}

/**
 * Whether the plan has room for another job, before it is made. Jobs that run grow on: by the pages that they may bring,
 * which are paid for, and the addresses that such a number of pages may discover.
 * @throws ApiError storage_full, unpaid_quota
 */
export async function admitJob(database: Database, { id, plan }: Tenant): Promise<void> {
  const { storageBytes, unpaidPagesPerDay } = PLAN_LIMITS[plan];
  if (storageBytes === null) return;
  const stored = await readStoredBytes(database, id, utcDay());
  if (stored.bytes >= storageBytes) throw storageFull(stored.bytes, storageBytes);
  if (unpaidPagesPerDay !== null && stored.unpaidPages >= unpaidPagesPerDay) {
    throw dayUsedUp('unpaid_quota', unpaidPagesPerDay, plan);
  }
}

export function storageFull(stored: number, limit: number): ApiError {
  const body = { stored, limit };
  return new ApiError('storage_full', body, { body });
}
