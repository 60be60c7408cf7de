import { JOB_TYPES, type JobType } from '@app/contracts';
import type { Database, Statement } from '@app/database';
import type { Runtime } from '@app/runtime';

const ACTIVE: Statement = {
  name: 'job_backlog',
  text: `SELECT type, count(*)::int AS active,
                coalesce(extract(epoch FROM now() - min(created_at) FILTER (WHERE status = 'queued')), 0)::float8
                  AS "oldestSeconds"
         FROM jobs WHERE status IN ('queued', 'running') GROUP BY type`,
};

interface ActiveJobs extends Record<string, unknown> {
  readonly type: JobType;
  readonly active: number;
  /** Age of the oldest that has begun no page; 0: none waits. */
  readonly oldestSeconds: number;
}

/** Jobs that still request pages, by type; types without one are missing. */
export function jobBacklog(database: Database): Promise<readonly ActiveJobs[]> {
  return database.query<ActiveJobs>(ACTIVE);
}

/** A round that counts jobs that are not over; see BackgroundLoop. */
export async function countJobs({
  database,
  metrics,
}: Pick<Runtime, 'database' | 'metrics'>): Promise<null> {
  const backlog = await jobBacklog(database);
  for (const type of JOB_TYPES) {
    const active = backlog.find((row) => row.type === type)?.active ?? 0;
    metrics.jobsActive.set({ type }, active);
  }
  const oldest = Math.max(0, ...backlog.map(({ oldestSeconds }) => oldestSeconds));
  metrics.queueOldestSeconds.set({ queue: 'crawl' }, oldest);
  return null;
}
