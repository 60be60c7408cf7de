import { newId, type JobType } from '@app/contracts';
import { run, type Statement, type Database } from '@app/database';
import { forgetStored } from '@app/accounts';
import { STORED_ANSWERS } from '@app/idempotency';
import type { SweepOptions, TenantData } from '@app/database';

/** A tenant's wish that everything kept of it until then be deleted. */
export interface DataDeletion {
  readonly id: string;
  readonly tenantId: string;
  /** Later data is kept. */
  readonly requestedAt: Date;
  readonly completedAt: Date | null;
  /** Deleted so far. */
  readonly jobs: number;
  readonly pages: number;
  readonly blobs: number;
}

const COLUMNS = `id, tenant_id AS "tenantId", requested_at AS "requestedAt",
  completed_at AS "completedAt", jobs::float8 AS jobs, pages::float8 AS pages, blobs::float8 AS blobs`;

/**
 * One at a time: requested again while it runs, it covers later data, too. Whole milliseconds, as
 * in JavaScript: rounded up, so that no earlier data is missed.
 */
const REQUEST: Statement = {
  name: 'request_data_deletion',
  text: `
    INSERT INTO data_deletions AS d (id, tenant_id, requested_at, due_at)
    VALUES ($1, $2, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond', now())
    ON CONFLICT (tenant_id) WHERE completed_at IS NULL
      DO UPDATE SET requested_at = excluded.requested_at, due_at = least(d.due_at, excluded.due_at)
    RETURNING ${COLUMNS}`,
};
const FIND: Statement = {
  name: 'find_data_deletion',
  text: `SELECT ${COLUMNS} FROM data_deletions WHERE id = $1 AND tenant_id = $2`,
};
const TAKE: Statement = {
  name: 'take_data_deletion',
  text: `
    UPDATE data_deletions SET due_at = now() + $1::int * interval '1 millisecond'
    WHERE id = (
      SELECT id FROM data_deletions WHERE completed_at IS NULL AND due_at <= now()
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING ${COLUMNS}`,
};
const PROGRESS: Statement = {
  name: 'progress_data_deletion',
  text: `
    UPDATE data_deletions SET jobs = jobs + $2, pages = pages + $3, blobs = blobs + $4,
           due_at = now() + $5::int * interval '1 millisecond'
    WHERE id = $1 AND completed_at IS NULL`,
};
/** Not when it was requested again meanwhile. */
const COMPLETE: Statement = {
  name: 'complete_data_deletion',
  text: `UPDATE data_deletions SET completed_at = now(), due_at = NULL
         WHERE id = $1 AND requested_at = $2 AND completed_at IS NULL RETURNING 1`,
};

/** @throws when the insert answers nothing, which it cannot */
export async function requestDeletion(database: Database, tenantId: string): Promise<DataDeletion> {
  const values = [newId(), tenantId];
  const own = database.asTenant(tenantId);
  const [row] = await own.query<DataDeletion & Record<string, unknown>>(REQUEST, values);
  if (!row) throw new Error('a deletion was not recorded');
  return row;
}

/** The tenant's deletion, or null. */
export async function findDeletion(
  database: Database,
  tenantId: string,
  id: string,
): Promise<DataDeletion | null> {
  const reader = database.asReader(tenantId);
  const [row] = await reader.query<DataDeletion & Record<string, unknown>>(FIND, [id, tenantId]);
  return row ?? null;
}

/** A deletion to work on, for `leaseMs`. */
export async function takeDeletion(
  database: Database,
  leaseMs: number,
): Promise<DataDeletion | null> {
  const [row] = await database.query<DataDeletion & Record<string, unknown>>(TAKE, [leaseMs]);
  return row ?? null;
}

export type DeletedCounts = Pick<DataDeletion, 'jobs' | 'pages' | 'blobs'>;

/** Adds the counts deleted by a round; the next comes in `inMs`. */
export async function noteDeleted(
  database: Database,
  id: string,
  { jobs, pages, blobs }: DeletedCounts,
  inMs: number,
): Promise<void> {
  await database.query(PROGRESS, [id, jobs, pages, blobs, inMs]);
}

/** False when there is more to do: it was requested again. */
export async function completeDeletion(
  database: Database,
  { id, requestedAt }: DataDeletion,
): Promise<boolean> {
  return (await database.query(COMPLETE, [id, requestedAt])).length > 0;
}

const FORGET: Statement = {
  name: 'forget_data_deletions',
  text: `
    DELETE FROM data_deletions WHERE id = ANY (ARRAY (
      SELECT id FROM data_deletions WHERE completed_at < $1
      ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Forgets deletions that are long done. Returns how many. */
export async function forgetDeletions(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return (await database.query(FORGET, [before, limit])).length;
}

/** Of a job: documents that it inherits are older than it. */
const OLDEST_DATA = 'coalesce(chain_at, created_at)';

const RUNNING: Statement = {
  name: 'running_jobs_of_tenant',
  text: `SELECT id, type, extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"
         FROM jobs WHERE tenant_id = $1 AND ${OLDEST_DATA} <= $2 AND expired_at IS NULL
           AND status IN ('queued', 'running', 'processing') ORDER BY created_at LIMIT $3`,
};
const EXPIRE: Statement = {
  name: 'expire_jobs_of_tenant',
  text: `
    UPDATE jobs SET expired_at = now(), purge_due_at = now() + interval '5 minutes', result_key = NULL
    WHERE id = ANY (ARRAY (
      SELECT id FROM jobs WHERE tenant_id = $1 AND ${OLDEST_DATA} <= $2 AND expired_at IS NULL
        AND status IN ('completed', 'failed', 'cancelled')
      ORDER BY created_at LIMIT $3 FOR NO KEY UPDATE))
    RETURNING 1`,
};
const OLDEST: Statement = {
  name: 'oldest_job_of_tenant',
  text: `SELECT id, tenant_id AS "tenantId" FROM jobs
         WHERE tenant_id = $1 AND ${OLDEST_DATA} <= $2 AND expired_at IS NOT NULL
         ORDER BY created_at, id LIMIT $3`,
};
const DELETE_JOB: Statement = {
  name: 'delete_expired_job',
  text: 'DELETE FROM jobs WHERE id = $1 AND tenant_id = $2 AND expired_at IS NOT NULL RETURNING 1',
};

export interface RunningJob extends Record<string, unknown> {
  readonly id: string;
  readonly type: JobType;
  readonly ageSeconds: number;
}

export async function runningJobs(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<readonly RunningJob[]> {
  return database.query<RunningJob>(RUNNING, [tenantId, until, limit]);
}

/** Takes results from their readers; returns of how many jobs. */
export async function expireTenantJobs(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  return (await database.query(EXPIRE, [tenantId, until, limit])).length;
}

/** Jobs whose results have expired, oldest first. */
export async function expiredJobs(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<readonly { readonly id: string; readonly tenantId: string }[]> {
  return database.query<{ id: string; tenantId: string }>(OLDEST, [tenantId, until, limit]);
}

/** The row of a purged job, with its webhook. */
export async function deleteJob(
  database: Database,
  job: { readonly id: string; readonly tenantId: string },
): Promise<boolean> {
  return (await database.query(DELETE_JOB, [job.id, job.tenantId])).length > 0;
}

const KEYS: Statement = {
  name: 'delete_idempotency_keys_of_tenant',
  text: `
    DELETE FROM idempotency_keys WHERE tenant_id = $1 AND key = ANY (ARRAY (
      SELECT key FROM idempotency_keys
      WHERE tenant_id = $1 AND created_at <= $2 AND (lease_until IS NULL OR lease_until <= now())
      LIMIT $3))
    RETURNING 1`,
};

/** Keys with their answers, except those in use. Returns how many. */
export async function deleteTenantKeys(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  await forgetStored(database, { ...STORED_ANSWERS, tenantId }, until);
  return (await database.query(KEYS, [tenantId, until, limit])).length;
}

/** Before any entry is touched: see page-cache.ts. */
const LOCK_USAGE: Statement = {
  name: 'lock_cache_usage_of_tenant',
  text: 'SELECT 1 FROM page_cache_usage WHERE tenant_id = $1 FOR UPDATE',
};
const CACHE: Statement = {
  name: 'delete_cache_of_tenant',
  text: `
    WITH gone AS (
      DELETE FROM page_cache WHERE tenant_id = $1 AND variant = ANY (ARRAY (
        SELECT variant FROM page_cache WHERE tenant_id = $1 AND stored_at <= $2 LIMIT $3))
      RETURNING bytes, blob_key
    ), wasted AS (
      INSERT INTO page_cache_waste (blob_key, due_at) SELECT blob_key, now() FROM gone
    ), freed AS (
      UPDATE page_cache_usage SET bytes = bytes - (SELECT coalesce(sum(bytes), 0) FROM gone)
      WHERE tenant_id = $1
    )
    SELECT 1 FROM gone`,
};

/** Cached pages; their blobs are swept with all others that nothing points at. Returns how many. */
export async function deleteTenantCache(
  database: Database,
  { tenantId, until, limit }: TenantData,
): Promise<number> {
  return database.transaction(async (tx) => {
    await run(tx, LOCK_USAGE, [tenantId]);
    return (await run(tx, CACHE, [tenantId, until, limit])).length;
  });
}
