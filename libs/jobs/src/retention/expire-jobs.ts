import type { Statement, Database, SweepOptions } from '@app/database';

/** A job whose results are hidden and whose blobs and rows are to be deleted. */
export interface PurgeJob {
  readonly id: string;
  readonly tenantId: string;
  /** Its documents are part of the results of the crawl after it, and go when those have gone. */
  readonly isInherited: boolean;
}

/**
 * Readers are notified at once, so none finds half of the results. The key of the result file is
 * dropped because it follows from the job: blobs are deleted by prefix.
 */
const EXPIRE: Statement = {
  name: 'expire_jobs',
  text: `
    UPDATE jobs SET expired_at = now(), purge_due_at = now(), result_key = NULL
    WHERE id = ANY (ARRAY (
      SELECT id FROM jobs WHERE completed_at < $1 AND expired_at IS NULL
      ORDER BY completed_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Ends the time of results: returns how many jobs' it was. They are purged after. */
export async function expireJobs(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return (await database.query(EXPIRE, [before, limit])).length;
}

const TAKE: Statement = {
  name: 'take_purge',
  text: `
    UPDATE jobs SET purge_due_at = now() + $1::int * interval '1 millisecond'
    WHERE id = (
      SELECT id FROM jobs WHERE purge_due_at <= now()
      ORDER BY purge_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, tenant_id AS "tenantId", EXISTS (
      SELECT FROM jobs later WHERE later.base_id = jobs.id AND (later.expired_at IS NULL OR later.purge_due_at IS NOT NULL)
    ) AS "isInherited"`,
};
const AGAIN: Statement = {
  name: 'continue_purge',
  text: 'UPDATE jobs SET purge_due_at = now() WHERE id = $1 AND purge_due_at IS NOT NULL',
};
const END: Statement = {
  name: 'end_purge',
  text: `UPDATE jobs SET purge_due_at = CASE WHEN $2 THEN now() + interval '1 day' END WHERE id = $1`,
};

/**
 * A job to purge, for `leaseMs`: one whose purge fails is retried after that, behind all others.
 */
export async function takePurge(database: Database, leaseMs: number): Promise<PurgeJob | null> {
  const [job] = await database.query<PurgeJob & Record<string, unknown>>(TAKE, [leaseMs]);
  return job ?? null;
}

/** There is more of it: it comes again, in turn. */
export async function continuePurge(database: Database, jobId: string): Promise<void> {
  await database.query(AGAIN, [jobId]);
}

/** Nothing is left but its row; or the documents that another job has, for which it comes again. */
export async function endPurge(
  database: Database,
  { id, isInherited }: Pick<PurgeJob, 'id' | 'isInherited'>,
): Promise<void> {
  await database.query(END, [id, isInherited]);
}

const DELETE_PAGES: Statement = {
  name: 'purge_pages',
  text: `DELETE FROM pages WHERE job_id = $1 AND url_key = ANY (ARRAY (
           SELECT url_key FROM pages WHERE job_id = $1 LIMIT $2)) RETURNING 1`,
};
const DELETE_SHAPES: Statement = {
  name: 'purge_job_shapes',
  text: `DELETE FROM job_shapes WHERE job_id = $1 AND shape = ANY (ARRAY (
           SELECT shape FROM job_shapes WHERE job_id = $1 LIMIT $2)) RETURNING 1`,
};
const DELETE_HOSTS: Statement = {
  name: 'purge_job_hosts',
  text: `DELETE FROM job_hosts WHERE job_id = $1 AND host = ANY (ARRAY (
           SELECT host FROM job_hosts WHERE job_id = $1 LIMIT $2)) RETURNING 1`,
};

/** At most an index of many thousand words each: a part of the rows that others have. */
const MAX_TEXTS = 500;
const DELETE_TEXTS: Statement = {
  name: 'purge_page_texts',
  text: `DELETE FROM page_texts t
         USING (SELECT language, url_key, fence FROM page_texts WHERE job_id = $1 LIMIT $2) AS old
         WHERE t.job_id = $1 AND t.language = old.language AND t.url_key = old.url_key AND t.fence = old.fence`,
};

/** Another transaction on the same rows changes the count, not the deletion. */
const LEFT: Statement = {
  name: 'purge_rows_left',
  text: `SELECT EXISTS (SELECT FROM pages WHERE job_id = $1) OR EXISTS (SELECT FROM job_shapes WHERE job_id = $1)
           OR EXISTS (SELECT FROM job_hosts WHERE job_id = $1)
           OR EXISTS (SELECT FROM page_texts WHERE job_id = $1) AS "isMore"`,
};

/** Deletes rows of an ended job, at most `limit` of a kind. */
export async function purgeRows(
  database: Database,
  jobId: string,
  limit: number,
): Promise<{ readonly pages: number; readonly isMore: boolean }> {
  const pages = (await database.query(DELETE_PAGES, [jobId, limit])).length;
  await database.query(DELETE_SHAPES, [jobId, limit]);
  await database.query(DELETE_HOSTS, [jobId, limit]);
  await database.query(DELETE_TEXTS, [jobId, Math.min(limit, MAX_TEXTS)]);
  const [left] = await database.query<{ isMore: boolean }>(LEFT, [jobId]);
  return { pages, isMore: left?.isMore ?? false };
}

/** With the counters of its pages and its webhook, both bounded. Never its charges. */
const FORGET: Statement = {
  name: 'forget_jobs',
  text: `
    DELETE FROM jobs WHERE id = ANY (ARRAY (
      SELECT id FROM jobs WHERE completed_at < $1 AND expired_at IS NOT NULL AND purge_due_at IS NULL
      ORDER BY completed_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Deletes jobs of which nothing is left but their counts. */
export async function forgetJobs(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return (await database.query(FORGET, [before, limit])).length;
}
