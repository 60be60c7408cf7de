import { run, type Queryable, type Statement, type Database } from '@app/database';
import type { CrawlOptions } from './crawl-options.js';
import { type CreditTenant, knownJob, payForJob, unlessUnpaid, type MadeJob } from '@app/accounts';

/** Pages of a crawl that names no limit (specification: `maxPages`). */
export const DEFAULT_CRAWL_PAGES = 10;

export interface NewCrawl {
  readonly id: string;
  /** Who pays. */
  readonly tenant: CreditTenant;
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

/** Longer options, with long lists of patterns, count as what the tenant stores. */
const FREE_OPTIONS_BYTES = 16_384;

const INSERT_JOB: Statement = {
  name: 'create_crawl_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, deadline_at, discovered, pending,
                           result_bytes)
         VALUES ($1, $2, 'crawl', $3, 'queued', $4, $5, $6, $7, 1, 1, $8) ON CONFLICT (id) DO NOTHING RETURNING 1`,
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
 * Writes job and seed page, and reserves its credits, in one transaction; the dispatchers are woken when it
 * commits. With fewer credits than pages it brings as many pages as there are credits for.
 */
export async function createCrawl(database: Database, crawl: NewCrawl): Promise<MadeJob> {
  return unlessUnpaid(database.transaction((tx) => writeCrawl(tx, crawl)));
}

async function writeCrawl(tx: Queryable, crawl: NewCrawl): Promise<MadeJob> {
  const { id, tenant, pageLimit } = crawl;
  const options = JSON.stringify(crawl.options);
  const made = await run(tx, INSERT_JOB, [
    id,
    tenant.id,
    crawl.url,
    options,
    crawl.webhookUrl,
    pageLimit,
    crawl.deadlineAt,
    Math.max(0, Buffer.byteLength(options) - FREE_OPTIONS_BYTES),
  ]);
  if (made.length === 0) return knownJob(tx, id);
  await run(tx, INSERT_SEED, [id, crawl.urlKey, crawl.host, crawl.url, crawl.hostWindowStart]);
  const paid = { tenant, chargeId: id, operation: 'crawl', credits: pageLimit } as const;
  return { kind: 'created', isNew: true, pageLimit: await payForJob(tx, paid) };
}
