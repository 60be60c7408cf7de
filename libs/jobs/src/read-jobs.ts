import { type Queries, type Statement, type Database } from '@app/database';
import { JOB_COLUMNS, type JobEntity } from './job.entity.js';

/** One row of a list of jobs. */
export type RecentJob = Pick<
  JobEntity,
  'id' | 'type' | 'url' | 'status' | 'scraped' | 'createdAt' | 'completedAt'
>;

const RECENT_JOBS: Statement = {
  name: 'recent_jobs',
  text: `SELECT id, type, url, status, scraped, created_at AS "createdAt", completed_at AS "completedAt"
         FROM jobs WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
};

/** The newest jobs of a tenant, newest first. */
export async function recentJobs(
  database: Database,
  tenantId: string,
  count: number,
): Promise<RecentJob[]> {
  const values = [tenantId, count];
  return database
    .asReader(tenantId)
    .query<RecentJob & Record<string, unknown>>(RECENT_JOBS, values);
}

/** SQL, not a repository: clients poll a job every second, and building an entity costs more than reading the row. */
const FIND_JOB: Statement = {
  name: 'find_job',
  text: `SELECT ${JOB_COLUMNS} FROM jobs WHERE id = $1 AND tenant_id = $2`,
};

/** A tenant's job, or null when it does not exist or belongs to another tenant. */
export async function findJob(
  database: Database,
  tenantId: string,
  id: string,
): Promise<JobEntity | null> {
  const reader = database.asReader(tenantId);
  const [job] = await reader.query<JobEntity & Record<string, unknown>>(FIND_JOB, [id, tenantId]);
  return job ?? null;
}

export interface ReasonCount {
  /** Of a recrawl `scraped`: pages by how they differ; `gone`: how many of those that failed or were skipped the crawl before has. */
  readonly state: 'failed' | 'skipped' | 'scraped' | 'gone';
  readonly reason: string;
  readonly pages: number;
}

const JOB_REASONS: Statement = {
  name: 'job_reasons',
  text: 'SELECT state, reason, pages FROM job_reasons WHERE job_id = $1 AND pages > 0 ORDER BY state, reason',
};

export async function jobReasons(database: Queries, jobId: string): Promise<ReasonCount[]> {
  return database.query<ReasonCount>(JOB_REASONS, [jobId]);
}
