import { newId, type JobType } from '@app/contracts';
import type { SegmentRange } from '../frontier/page-outcome.js';
import type { Queries, Statement, Database } from '@app/database';
import { announcingEnd } from '../frontier/announce-end.js';

/** A job whose pages have all ended and whose result file is due. */
export interface ProcessingJob {
  readonly id: string;
  readonly tenantId: string;
  readonly type: JobType;
  readonly scraped: number;
  /** Takes so far, this one included. */
  readonly attempts: number;
  /** Time since it was created. */
  readonly ageSeconds: number;
}

const TAKE: Statement = {
  name: 'take_processing_job',
  text: `
    UPDATE jobs SET finish_lease_until = now() + $1::int * interval '1 millisecond',
           finish_attempts = finish_attempts + 1
    WHERE id = (
      SELECT id FROM jobs
      WHERE status = 'processing' AND coalesce(finish_lease_until, '-infinity') < now()
      ORDER BY id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
    RETURNING id, tenant_id AS "tenantId", type, scraped, finish_attempts AS attempts,
              extract(epoch FROM now() - created_at)::float8 AS "ageSeconds"`,
};
const EXTEND: Statement = {
  name: 'extend_processing_job',
  text: `UPDATE jobs SET finish_lease_until = now() + $2::int * interval '1 millisecond'
         WHERE id = $1 AND status = 'processing' RETURNING id`,
};
const COMPLETE: Statement = {
  name: 'complete_job',
  text: announcingEnd(
    `UPDATE jobs SET status = CASE WHEN scraped > 0 THEN 'completed' ELSE 'failed' END,
            result_key = $2, completed_at = now(), finish_lease_until = NULL,
            error = CASE WHEN scraped > 0 THEN NULL ELSE coalesce(error, $3) END
     WHERE id = $1 AND status = 'processing'`,
    '$4',
  ),
};
const RELEASE: Statement = {
  name: 'release_processing_job',
  text: `UPDATE jobs SET finish_lease_until = NULL, finish_attempts = finish_attempts - 1
         WHERE id = $1 AND status = 'processing'`,
};
const GIVE_UP: Statement = {
  name: 'give_up_job',
  text: announcingEnd(
    `UPDATE jobs SET status = 'failed', completed_at = now(), finish_lease_until = NULL, error = $2
     WHERE id = $1 AND status = 'processing'`,
    '$3',
  ),
};
const SEED: Statement = {
  name: 'seed_outcome',
  text: `SELECT state, reason, status_code AS "statusCode" FROM pages WHERE job_id = $1 AND depth = 0 ORDER BY seq LIMIT 1`,
};
const RESULTS: Statement = {
  name: 'result_rows',
  text: `SELECT result_no AS "resultNo", segment_key AS key, segment_offset AS "offset", segment_bytes AS bytes
         FROM pages WHERE job_id = $1 AND result_no > $2 ORDER BY result_no LIMIT $3`,
};

/** Takes one job to finish, for `leaseMs`; null when none waits. */
export async function takeProcessingJob(
  database: Database,
  leaseMs: number,
): Promise<ProcessingJob | null> {
  const [job] = await database.query<ProcessingJob & Record<string, unknown>>(TAKE, [leaseMs]);
  return job ?? null;
}

/** Keeps a job while its result file is written; false when it was cancelled meanwhile. */
export async function extendProcessingJob(
  database: Database,
  id: string,
  leaseMs: number,
): Promise<boolean> {
  return (await database.query(EXTEND, [id, leaseMs])).length > 0;
}

/** The terminal move of a job that ran to its end. Returns false when it was cancelled meanwhile. */
export async function completeJob(
  database: Database,
  id: string,
  end: { readonly resultKey: string | null; readonly problem: string },
): Promise<boolean> {
  return (await database.query(COMPLETE, [id, end.resultKey, end.problem, newId()])).length > 0;
}

/** Releases a job that was not finished for an internal reason, such as a shutdown. */
export async function releaseProcessingJob(database: Database, id: string): Promise<void> {
  await database.query(RELEASE, [id]);
}

/** Ends a job whose result file cannot be written; false when it was cancelled meanwhile. */
export async function giveUpJob(database: Database, id: string, problem: string): Promise<boolean> {
  return (await database.query(GIVE_UP, [id, problem, newId()])).length > 0;
}

const FIRST_PAGE: Readonly<Record<JobType, string>> = {
  crawl: 'start page',
  batch: 'first address',
  extract: 'first stored page',
};

/** The end of the first page, as text, for a job without results. */
export async function firstPageProblem(
  database: Database,
  { id, type }: Pick<ProcessingJob, 'id' | 'type'>,
): Promise<string> {
  const page = FIRST_PAGE[type];
  const [seed] = await database.query<{
    state: string;
    reason: string | null;
    statusCode: number | null;
  }>(SEED, [id]);
  if (!seed) return `The ${page} was not fetched.`;
  if (seed.state === 'failed' && seed.reason === 'robots') {
    const why = seed.statusCode === null ? '' : ` (HTTP ${seed.statusCode})`;
    return `No page could be scraped: robots.txt of the site could not be read${why}, so the ${page} was not requested.`;
  }
  const status = seed.statusCode === null ? '' : `, HTTP ${seed.statusCode}`;
  return `No page could be scraped: the ${page} was ${seed.state} (${seed.reason ?? 'unknown'}${status}).`;
}

export interface ResultRow extends SegmentRange {
  /** 1 for the first page that was scraped, without gaps: the cursor of a reader. */
  readonly resultNo: number;
}

/** Result references after a position, in the order the pages were scraped. */
export async function resultRows(
  database: Queries,
  jobId: string,
  after: number,
  most: number,
): Promise<ResultRow[]> {
  return database.query<ResultRow & Record<string, unknown>>(RESULTS, [jobId, after, most]);
}
