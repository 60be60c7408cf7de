import type { CrawlOptions } from './crawl-options.js';
import type { CreditTenant } from '@app/accounts';
import { knownJob, payForJob, unlessUnpaid, type MadeJob } from '@app/accounts';
import { run, type Queryable, type Statement, type Database } from '@app/database';

/** An address of a batch. */
export interface BatchPage {
  /** 32 hexadecimal digits, unique within the batch. */
  readonly urlKey: string;
  readonly url: string;
  readonly host: string;
  /** Index of its first place in the list that was sent. */
  readonly position: number;
}

export interface NewBatch {
  readonly id: string;
  /** Who pays. */
  readonly tenant: CreditTenant;
  /** At least one, in the order of the list. */
  readonly pages: readonly BatchPage[];
  /** Pages that may be in flight at a time. */
  readonly workers: number;
  readonly options: CrawlOptions;
  readonly webhookUrl: string | null;
  readonly deadlineAt: Date;
  /** Requests a host not seen before may have in flight. */
  readonly hostWindowStart: number;
}

const INSERT_JOB: Statement = {
  name: 'create_batch_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, workers, deadline_at,
                           discovered, pending, link_bytes)
         VALUES ($1, $2, 'batch', $3, 'queued', $4, $5, $6, $7, $8, $6, $6, $9)
         ON CONFLICT (id) DO NOTHING RETURNING 1`,
};
/** Rows of `hosts` are always locked in the order of their names. */
const INSERT_PAGES: Statement = {
  name: 'create_batch_pages',
  text: `WITH page AS (
           SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[], $5::int[]) AS t (url_key, url, host, position)
         ), host AS (
           SELECT DISTINCT host FROM page
         ), known_host AS (
           INSERT INTO hosts (host, window_size) SELECT host, $6 FROM host ORDER BY host ON CONFLICT (host) DO NOTHING
         ), job_host AS (
           INSERT INTO job_hosts (job_id, host) SELECT $1, host FROM host ORDER BY host
         ), woken AS (
           SELECT pg_notify('trawl_work', '')
         )
         INSERT INTO pages (job_id, url_key, url, host, depth, state, position)
         SELECT $1, url_key, url, host, 0, 'pending', position FROM page, woken ORDER BY position`,
};

/**
 * Writes job and pages, and reserves its credits, in one transaction; the dispatchers are woken when it
 * commits. With fewer credits than pages it brings as many pages as there are credits for, and skips the
 * others.
 */
export async function createBatch(database: Database, batch: NewBatch): Promise<MadeJob> {
  return unlessUnpaid(database.transaction((tx) => writeBatch(tx, batch)));
}

async function writeBatch(tx: Queryable, batch: NewBatch): Promise<MadeJob> {
  const { id, tenant, pages } = batch;
  const made = await run(tx, INSERT_JOB, [
    id,
    tenant.id,
    pages[0]?.url,
    JSON.stringify(batch.options),
    batch.webhookUrl,
    pages.length,
    batch.workers,
    batch.deadlineAt,
    pages.reduce((sum, { url }) => sum + url.length, 0),
  ]);
  if (made.length === 0) return knownJob(tx, id);
  await run(tx, INSERT_PAGES, [
    id,
    pages.map(({ urlKey }) => urlKey),
    pages.map(({ url }) => url),
    pages.map(({ host }) => host),
    pages.map(({ position }) => position),
    batch.hostWindowStart,
  ]);
  const paid = { tenant, chargeId: id, operation: 'batch', credits: pages.length } as const;
  return { kind: 'created', isNew: true, pageLimit: await payForJob(tx, paid) };
}
