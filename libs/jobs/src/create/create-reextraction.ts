import type { JobStatus } from '@app/contracts';
import type { CrawlOptions } from './crawl-options.js';
import type { CreditTenant } from '@app/accounts';
import { payForJob, unlessUnpaid, type UnpaidJob } from '@app/accounts';
import { run, type Statement, type Database, type Transaction, type Row } from '@app/database';

/** A job that makes new results from the stored documents of another job. */
export interface NewReextraction {
  readonly id: string;
  /** Who pays. */
  readonly tenant: CreditTenant;
  /** A model runs for each page, which costs a credit where it finds data. */
  readonly usesModel: boolean;
  readonly sourceJobId: string;
  /** Most pages, from the first that was scraped; null: all. */
  readonly mostPages: number | null;
  /** Pages that may be in work at a time; null: only the tenant's plan bounds them. */
  readonly workers: number | null;
  readonly options: CrawlOptions;
  readonly webhookUrl: string | null;
  readonly deadlineAt: Date;
}

export type Reextraction =
  | {
      readonly kind: 'created';
      /** False: a job with that id existed, e.g. when a request is repeated after a lost answer. */
      readonly isNew: boolean;
      readonly pages: number;
      /** Maximum number of pages: all, or the number the credits cover. */
      readonly pageLimit: number;
    }
  | UnpaidJob
  | { readonly kind: 'unknown' | 'expired' | 'empty' }
  | { readonly kind: 'running'; readonly status: JobStatus };

/** The source may neither expire nor go while its pages are copied. */
const LOCK_SOURCE: Statement = {
  name: 'reextraction_source',
  text: `SELECT url, status, scraped, expired_at IS NOT NULL AS "isExpired",
                status IN ('completed', 'failed', 'cancelled') AS "isEnded"
         FROM jobs WHERE id = $1 AND tenant_id = $2 FOR SHARE`,
};
const FIND: Statement = {
  name: 'find_reextraction',
  text: `SELECT discovered AS pages, page_limit AS "pageLimit" FROM jobs
         WHERE id = $1 AND tenant_id = $2 AND type = 'extract'`,
};
const INSERT_JOB: Statement = {
  name: 'create_reextraction_job',
  text: `INSERT INTO jobs (id, tenant_id, type, url, status, options, webhook_url, page_limit, workers, deadline_at)
         VALUES ($1, $2, 'extract', $3, 'queued', $4, $5, $6, $7, $8)
         ON CONFLICT (id) DO NOTHING RETURNING 1`,
};
/**
 * Every page has the segment of its stored document. The pages wait on a pseudo host: no pace
 * applies but that of the tenant, shared by its jobs.
 */
const INSERT_PAGES: Statement = {
  name: 'create_reextraction_pages',
  text: `
    WITH page AS (
      INSERT INTO pages (job_id, url_key, url, host, depth, state, position, segment_key, segment_offset, segment_bytes)
      SELECT $1, url_key, url, $3, 0, 'pending', position, segment_key, segment_offset, segment_bytes
      FROM pages WHERE job_id = $2 AND result_no > $4 AND result_no <= $5 ORDER BY result_no
      RETURNING 1
    )
    SELECT count(*)::int AS pages FROM page`,
};
/** A Crawl-delay of 0 counts as known: nothing waits for a first answer. */
const OPEN_JOB: Statement = {
  name: 'open_reextraction_job',
  text: `
    WITH host AS (
      INSERT INTO hosts (host, window_size, crawl_delay_ms) VALUES ($2, $3, 0) ON CONFLICT (host) DO NOTHING
    ), job_host AS (
      INSERT INTO job_hosts (job_id, host) VALUES ($1, $2)
    )
    UPDATE jobs SET page_limit = $4, discovered = $4, pending = $4,
           link_bytes = (SELECT link_bytes FROM jobs WHERE id = $5)
    WHERE id = $1
    RETURNING pg_notify('trawl_work', '')`,
};

/** More than a plan lets a tenant have in work at a time, and than a cluster has workers. */
const WINDOW = 10_000;
/** Pages copied by one statement; a hundred thousand take a few seconds. */
const COPIED_AT_ONCE = 50_000;

interface Source {
  readonly url: string;
  readonly status: JobStatus;
  readonly scraped: number;
  readonly isExpired: boolean;
  readonly isEnded: boolean;
}

/**
 * Inserts the job with its pages and reserves its credits, in one transaction; the commit wakes the
 * dispatchers. The pages are the documents of the source in the order they were scraped, limited to
 * the number the credits cover.
 */
export async function createReextraction(
  database: Database,
  job: NewReextraction,
): Promise<Reextraction> {
  return unlessUnpaid(database.transaction((tx) => writeReextraction(tx, job)));
}

async function writeReextraction(tx: Transaction, job: NewReextraction): Promise<Reextraction> {
  const [source] = await run<Source & Row>(tx, LOCK_SOURCE, [job.sourceJobId, job.tenant.id]);
  if (!source) return { kind: 'unknown' };
  if (source.isExpired) return { kind: 'expired' };
  if (!source.isEnded) return { kind: 'running', status: source.status };
  const wanted = Math.min(job.mostPages ?? source.scraped, source.scraped);
  if (wanted === 0) return { kind: 'empty' };
  if (!(await insertJob(tx, job, source.url, wanted))) return found(tx, job);
  const pages = await copyPages(tx, job, wanted);
  await run(tx, OPEN_JOB, [job.id, hostOf(job), WINDOW, pages, job.sourceJobId]);
  const pageLimit = job.usesModel ? await payFor(tx, job, pages) : pages;
  return { kind: 'created', isNew: true, pages, pageLimit };
}

function payFor(tx: Transaction, { id, tenant }: NewReextraction, pages: number): Promise<number> {
  return payForJob(tx, { tenant, chargeId: id, operation: 'extract', credits: pages });
}

async function insertJob(
  tx: Transaction,
  job: NewReextraction,
  url: string,
  wanted: number,
): Promise<boolean> {
  const made = await run(tx, INSERT_JOB, [
    job.id,
    job.tenant.id,
    url,
    JSON.stringify(job.options),
    job.webhookUrl,
    wanted,
    job.workers,
    job.deadlineAt,
  ]);
  return made.length > 0;
}

async function found(tx: Transaction, { id, tenant }: NewReextraction): Promise<Reextraction> {
  const [known] = await run<{ pages: number; pageLimit: number }>(tx, FIND, [id, tenant.id]);
  if (!known) return { kind: 'unknown' };
  return { kind: 'created', isNew: false, pages: known.pages, pageLimit: known.pageLimit };
}

/** Numbers of results have no gaps. @throws when nothing was copied, which rolls all of it back */
async function copyPages(tx: Transaction, job: NewReextraction, wanted: number): Promise<number> {
  let copied = 0;
  for (let after = 0; after < wanted; after += COPIED_AT_ONCE) {
    const last = Math.min(wanted, after + COPIED_AT_ONCE);
    const [row] = await run<{ pages: number }>(tx, INSERT_PAGES, [
      job.id,
      job.sourceJobId,
      hostOf(job),
      after,
      last,
    ]);
    copied += row?.pages ?? 0;
  }
  if (copied === 0) throw new Error(`job ${job.sourceJobId} counts pages that it has not`);
  return copied;
}

/** No address has such a host: a port is a number. */
function hostOf({ tenant }: Pick<NewReextraction, 'tenant'>): string {
  return `stored:${tenant.id}`;
}
