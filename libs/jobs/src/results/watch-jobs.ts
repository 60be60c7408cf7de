import type { ReasonCount } from '../read-jobs.js';
import { JOB_COLUMNS, type JobEntity } from '../job.entity.js';
import type { Statement, Database } from '@app/database';

const REASONS: Statement = {
  name: 'reasons_of_jobs',
  text: `SELECT job_id AS "jobId", state, reason, pages FROM job_reasons
         WHERE job_id = ANY ($1::uuid[]) AND pages > 0 ORDER BY job_id, state, reason`,
};

const BY_ID: Statement = {
  name: 'jobs_by_id',
  text: `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = ANY ($1::uuid[])`,
};

/** Jobs by id, of any tenant: for callers that checked the tenant of each before. */
export async function jobsById(database: Database, ids: readonly string[]): Promise<JobEntity[]> {
  return database.query<JobEntity & Record<string, unknown>>(BY_ID, [[...ids]]);
}

/** Reasons of several jobs at once; a job without any is not in the map. */
export async function reasonsOfJobs(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, ReasonCount[]>> {
  const rows = await database.query<ReasonCount & { readonly jobId: string }>(REASONS, [[...ids]]);
  return Map.groupBy(rows, ({ jobId }) => jobId);
}
