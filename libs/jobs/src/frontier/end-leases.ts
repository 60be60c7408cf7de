import { isTerminal, newId, type ErrorClass, type JobStatus } from '@app/contracts';
import { run, type Statement, type Database, type Transaction, type Row } from '@app/database';
import { announcingEnd } from './announce-end.js';
import { OPTIONS_WITHOUT_SECRETS } from '../create/crawl-options.js';
import { settleJobCredits } from '@app/accounts';
import { closeJob } from './close-job.js';

const EXPIRED_JOBS: Statement = {
  name: 'expired_jobs',
  text: `SELECT DISTINCT job_id AS "jobId" FROM (
           SELECT job_id FROM pages WHERE state = 'leased' AND lease_until < now() LIMIT $1) expired`,
};

const LOCK_JOB: Statement = {
  name: 'end_leases_lock_job',
  text: 'SELECT status FROM jobs WHERE id = $1 FOR NO KEY UPDATE',
};

const RELEASE: Statement = {
  name: 'release_expired',
  text: `
    UPDATE pages SET lease_until = NULL,
           state = CASE WHEN attempts >= $2 THEN 'failed' ELSE 'pending' END,
           reason = CASE WHEN attempts >= $2 THEN $3 END,
           finished_at = CASE WHEN attempts >= $2 THEN now() END
    WHERE job_id = $1 AND state = 'leased' AND lease_until < now()
    RETURNING state, host`,
};

/**
 * The time of the last request to the host is unknown, or the request is being aborted at this
 * moment: a Crawl-delay starts again.
 */
const PACED_ANEW = `next_at = CASE WHEN h.crawl_delay_ms > 0
  THEN greatest(h.next_at, now() + h.crawl_delay_ms * interval '1 millisecond') ELSE h.next_at END`;

const COUNT_RELEASED: Statement = {
  name: 'count_released',
  text: `
    WITH host AS (
      UPDATE hosts h SET in_flight = h.in_flight - t.pages, ${PACED_ANEW}
      FROM unnest($2::text[], $3::int[]) AS t (host, pages) WHERE h.host = t.host
    ), job_host AS (
      UPDATE job_hosts SET next_at = now() WHERE job_id = $1 AND next_at > now()
    ), reason AS (
      INSERT INTO job_reasons AS r (job_id, state, reason, pages) SELECT $1, 'failed', $6, $5 WHERE $5 > 0
      ON CONFLICT (job_id, state, reason) DO UPDATE SET pages = r.pages + excluded.pages
    )
    UPDATE jobs SET leased = leased - $4 - $5, pending = pending + $4, failed = failed + $5 WHERE id = $1
    RETURNING leased = 0 AND (pending = 0 OR scraped >= page_limit) AS done, pg_notify('trawl_work', '')`,
};

/** Every claim of the page ended with its worker: it is not offered again. */
const LOST_WORKERS: ErrorClass = 'unknown';

/** Called for a job that failed; the others continue. */
type JobErrorHandler = (jobId: string, error: unknown) => void;

/**
 * Ends the leases of dead workers: their pages are dispatched again, or failed once `maxAttempts`
 * claims were used up. Returns how many leases ended. Bounded by `batch` per call.
 */
export async function releaseExpiredLeases(
  database: Database,
  options: {
    readonly maxAttempts: number;
    readonly batch: number;
    readonly onError: JobErrorHandler;
  },
): Promise<number> {
  const jobs = await database.query<{ jobId: string }>(EXPIRED_JOBS, [options.batch]);
  let released = 0;
  for (const { jobId } of jobs) {
    try {
      released += await database.transaction(async (tx) => {
        const [job] = await run<{ status: JobStatus }>(tx, LOCK_JOB, [jobId]);
        return job?.status === 'running' ? releaseOf(tx, jobId, options.maxAttempts) : 0;
      });
    } catch (error) {
      options.onError(jobId, error);
    }
  }
  return released;
}

interface Released {
  readonly state: 'pending' | 'failed';
  readonly host: string;
}

async function releaseOf(tx: Transaction, jobId: string, maxAttempts: number): Promise<number> {
  const rows = await run<Released & Row>(tx, RELEASE, [jobId, maxAttempts, LOST_WORKERS]);
  if (rows.length === 0) return 0;
  const hosts = countByHost(rows);
  const failed = rows.filter((row) => row.state === 'failed').length;
  const [job] = await run<{ done: boolean }>(tx, COUNT_RELEASED, [
    jobId,
    [...hosts.keys()],
    [...hosts.values()],
    rows.length - failed,
    failed,
    LOST_WORKERS,
  ]);
  if (job?.done) await closeJob(tx, jobId, 'limit');
  return rows.length;
}

function countByHost(rows: readonly { readonly host: string }[]): Map<string, number> {
  const hosts = new Map<string, number>();
  for (const row of rows) hosts.set(row.host, (hosts.get(row.host) ?? 0) + 1);
  // Rows of `hosts` are always locked in this order.
  return new Map([...hosts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const LOCK_OWN_JOB: Statement = {
  name: 'cancel_lock_job',
  text: `SELECT status, credits_held IS NOT NULL AS "isHeld" FROM jobs
         WHERE id = $1 AND tenant_id = $2 FOR NO KEY UPDATE`,
};
const STOP_LEASED: Statement = {
  name: 'stop_leased',
  text: `UPDATE pages SET state = $2, reason = $3, lease_until = NULL, finished_at = now()
         WHERE job_id = $1 AND state = 'leased' RETURNING host`,
};
const FREE_HOSTS: Statement = {
  name: 'free_hosts',
  text: `UPDATE hosts h SET in_flight = h.in_flight - t.pages, ${PACED_ANEW}
         FROM unnest($1::text[], $2::int[]) AS t (host, pages) WHERE h.host = t.host`,
};
const CANCEL: Statement = {
  name: 'cancel_job',
  text: announcingEnd(
    `UPDATE jobs SET status = 'cancelled', completed_at = now(), closed_at = coalesce(closed_at, now()), options = ${OPTIONS_WITHOUT_SECRETS},
                cancelled = cancelled + pending + leased,
            rest_reason = CASE WHEN pending > 0 THEN 'cancelled' ELSE rest_reason END, pending = 0, leased = 0
     WHERE id = $1`,
    '$2',
  ),
};

/**
 * Cancels a tenant's job in one transaction, whatever its size: counters move at once, the rows of
 * waiting pages follow in the background, and credits that were held and not spent go back. Returns the
 * state the job is in afterwards, or null when the tenant has no such job.
 */
export async function cancelJob(
  database: Database,
  tenantId: string,
  jobId: string,
): Promise<{ readonly status: JobStatus; readonly changed: boolean } | null> {
  return database.transaction(async (tx) => {
    const own = [jobId, tenantId];
    const [job] = await run<{ status: JobStatus; isHeld: boolean }>(tx, LOCK_OWN_JOB, own);
    if (!job) return null;
    if (isTerminal(job.status)) return { status: job.status, changed: false };
    await stopLeased(tx, jobId, 'cancelled', null);
    await run(tx, CANCEL, [jobId, newId()]);
    if (job.isHeld) await settleJobCredits(tx, { tenantId, chargeId: jobId });
    return { status: 'cancelled', changed: true };
  });
}

async function stopLeased(
  tx: Transaction,
  jobId: string,
  state: 'cancelled' | 'skipped',
  reason: string | null,
): Promise<number> {
  const rows = await run<{ host: string }>(tx, STOP_LEASED, [jobId, state, reason]);
  const hosts = countByHost(rows);
  if (hosts.size > 0) await run(tx, FREE_HOSTS, [[...hosts.keys()], [...hosts.values()]]);
  return rows.length;
}

const OVERDUE: Statement = {
  name: 'overdue_jobs',
  text: `SELECT id FROM jobs WHERE status IN ('queued', 'running') AND deadline_at <= now() LIMIT $1`,
};
const COUNT_STOPPED: Statement = {
  name: 'count_stopped',
  text: `UPDATE jobs SET leased = leased - $2, pending = pending + $2,
                error = 'The crawl reached its deadline before every page was fetched.'
         WHERE id = $1`,
};

/** Ends jobs past their deadline: pages not fetched are skipped for that reason. */
export async function closeOverdueJobs(
  database: Database,
  { batch, onError }: { readonly batch: number; readonly onError: JobErrorHandler },
): Promise<number> {
  const jobs = await database.query<{ id: string }>(OVERDUE, [batch]);
  let closed = 0;
  for (const { id } of jobs) {
    try {
      await database.transaction((tx) => closeOverdue(tx, id));
      closed++;
    } catch (error) {
      onError(id, error);
    }
  }
  return closed;
}

async function closeOverdue(tx: Transaction, id: string): Promise<void> {
  const [job] = await run<{ status: JobStatus }>(tx, LOCK_JOB, [id]);
  if (job?.status !== 'queued' && job?.status !== 'running') return;
  const stopped = await stopLeased(tx, id, 'skipped', 'deadline');
  await run(tx, COUNT_STOPPED, [id, stopped]);
  await closeJob(tx, id, 'deadline');
}

const UNSETTLED: Statement = {
  name: 'unsettled_jobs',
  text: `SELECT id, rest_reason AS "restReason", coalesce(closed_at, completed_at, now()) AS "closedAt"
         FROM jobs WHERE rest_reason IS NOT NULL ORDER BY id LIMIT $1`,
};
const SETTLE: Statement = {
  name: 'settle_rows',
  text: `
    UPDATE pages SET state = CASE WHEN $2 = 'cancelled' THEN 'cancelled' ELSE 'skipped' END,
           reason = nullif($2, 'cancelled'), finished_at = $4
    WHERE job_id = $1 AND state = 'pending' AND url_key = ANY (ARRAY(
      SELECT url_key FROM pages WHERE job_id = $1 AND state = 'pending' LIMIT $3
      FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING 1`,
};
const SETTLED: Statement = {
  name: 'settled_job',
  text: `UPDATE jobs SET rest_reason = NULL WHERE id = $1
           AND NOT EXISTS (SELECT FROM pages WHERE job_id = $1 AND state = 'pending')`,
};

/** Brings the rows of ended jobs in line with their counters, `batch` rows at a time. Returns rows changed. */
export async function settleRows(database: Database, batch: number): Promise<number> {
  const [job] = await database.query<{ id: string; restReason: string; closedAt: Date }>(
    UNSETTLED,
    [1],
  );
  if (!job) return 0;
  const rows = await database.query(SETTLE, [job.id, job.restReason, batch, job.closedAt]);
  if (rows.length < batch) await database.query(SETTLED, [job.id]);
  return rows.length;
}
