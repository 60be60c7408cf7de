import { JobEntity } from './job.entity.js';
import { run, type Statement, type Store } from './open-store.js';
import type { CrawlOptions } from './crawl-options.js';

export interface NewCrawl {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  readonly urlKey: string;
  readonly host: string;
  readonly pageLimit: number;
  readonly options: CrawlOptions;
  readonly webhookUrl: string | null;
  readonly deadlineAt: Date;
  /** Requests a host not seen before may have in flight. */
  readonly hostWindowStart: number;
}

const INSERT_JOB: Statement = {
  name: 'create_crawl_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at, discovered, pending)
         VALUES ($1, $2, 'crawl', $3, 'queued', $4, $5, $6, $7, 1, 1) ON CONFLICT (id) DO NOTHING RETURNING 1`,
};
const INSERT_SEED: Statement = {
  name: 'create_crawl_seed',
  text: `WITH known_host AS (
           INSERT INTO hosts (host, window_size) VALUES ($3, $5) ON CONFLICT (host) DO NOTHING
         ), job_host AS (
           INSERT INTO job_hosts (job_id, host) VALUES ($1, $3)
         ), woken AS (
           SELECT pg_notify('trawl_work', '')
         )
         INSERT INTO pages (job_id, url_key, url, host, depth, state)
         SELECT $1, $2, $4, $3, 0, 'pending' FROM woken`,
};

/**
 * Writes job and seed page in one transaction; the dispatchers are woken when it commits. False when
 * there is a job of that id already, as when a request is repeated whose answer was lost.
 */
export async function createCrawl(store: Store, crawl: NewCrawl): Promise<boolean> {
  return store.transaction(async (tx) => {
    const made = await run(tx, INSERT_JOB, [
      crawl.id,
      crawl.tenantId,
      crawl.url,
      JSON.stringify(crawl.options),
      crawl.webhookUrl,
      crawl.pageLimit,
      crawl.deadlineAt,
    ]);
    if (made.length === 0) return false;
    await run(tx, INSERT_SEED, [
      crawl.id,
      crawl.urlKey,
      crawl.host,
      crawl.url,
      crawl.hostWindowStart,
    ]);
    return true;
  });
}

/** The newest jobs of a tenant, newest first. */
export async function recentJobs(
  store: Store,
  tenantId: string,
  count: number,
): Promise<JobEntity[]> {
  return store
    .repository(JobEntity)
    .find({ where: { tenantId }, order: { createdAt: 'DESC', id: 'DESC' }, take: count });
}

/** A tenant's job, or null when it does not exist or belongs to another tenant. */
export async function findJob(
  store: Store,
  tenantId: string,
  id: string,
): Promise<JobEntity | null> {
  return store.repository(JobEntity).findOneBy({ id, tenantId });
}

export interface ReasonCount {
  readonly state: 'failed' | 'skipped';
  readonly reason: string;
  readonly pages: number;
}

const JOB_REASONS: Statement = {
  name: 'job_reasons',
  text: 'SELECT state, reason, pages FROM job_reasons WHERE job_id = $1 AND pages > 0 ORDER BY state, reason',
};

export async function jobReasons(store: Store, jobId: string): Promise<ReasonCount[]> {
  return store.query<ReasonCount>(JOB_REASONS, [jobId]);
}
