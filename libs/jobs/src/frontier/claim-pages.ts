import type { JobType, PageKind, Plan } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import { readCrawlOptions, type CrawlOptions } from '../create/crawl-options.js';
import type { Validators } from '@app/fetch';
import type { SegmentRange } from './page-outcome.js';

/** A page this worker may now fetch. Its fence voids every earlier claim of the same page. */
export interface ClaimedPage {
  readonly jobId: string;
  readonly urlKey: string;
  readonly url: string;
  readonly depth: number;
  readonly kind: PageKind;
  /** Place of the address in its batch; null in a crawl. */
  readonly position: number | null;
  /**
   * Where the stored document lies: that a page of type `extract` is made of, or that the crawl before has of the page; null:
   * there is none.
   */
  readonly stored: SegmentRange | null;
  /** Of the answer that brought `stored`; null: it is not asked whether that is still current. */
  readonly validators: Validators | null;
  /** Of the content of `stored`: see `contentHash`. */
  readonly baseHash: string | null;
  /** Of the attempt before; null: there was none, or it brought no answer. */
  readonly lastStatus: number | null;
  readonly fence: number;
  /** Claims so far, this one included. */
  readonly attempts: number;
  readonly tenantId: string;
  readonly jobType: JobType;
  readonly plan: Plan;
  readonly seed: string;
  /** URL whose host and path bound the crawl: the seed, or where it ended. */
  readonly scopeUrl: string;
  readonly options: CrawlOptions;
  readonly pageLimit: number;
  readonly maxDiscovered: number;
  /**
   * Milliseconds until the next request to the host: its Crawl-delay, or a Retry-After that came
   * meanwhile.
   */
  readonly dueInMs: number;
}

/** Bytes as they are stored, compressed: only long lists of patterns take more. */
const MAX_SENT_OPTIONS = 4_096;

/** A page that has longer than this to wait goes back, and its claim is no attempt. */
export const MAX_HELD_DUE_MS = 1_000;

const CLAIM: Statement = {
  name: 'claim_pages',
  text: `
    WITH task AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS t (job_id, url_key, epoch))
    UPDATE pages p SET fence = p.fence + 1,
           attempts = p.attempts + CASE WHEN h.next_at > now() + $5::int * interval '1 millisecond' THEN 0 ELSE 1 END,
           lease_until = now() + $4::int * interval '1 millisecond'
    FROM task, jobs j, tenants t, hosts h
    WHERE p.job_id = task.job_id AND p.url_key = task.url_key AND p.epoch = task.epoch
      AND p.state = 'leased' AND j.id = task.job_id AND j.status = 'running' AND t.id = j.tenant_id
      AND h.host = p.host
    RETURNING p.job_id AS "jobId", replace(p.url_key::text, '-', '') AS "urlKey", p.url, p.depth, p.kind, p.position, p.fence,
              CASE WHEN p.segment_key IS NOT NULL THEN jsonb_build_object(
                'key', p.segment_key, 'offset', p.segment_offset, 'bytes', p.segment_bytes) END AS stored,
              p.validators, replace(p.base_hash::text, '-', '') AS "baseHash",
              p.status_code AS "lastStatus", p.attempts, j.tenant_id AS "tenantId", j.type AS "jobType", t.plan, j.url AS seed,
              coalesce(j.scope_url, j.url) AS "scopeUrl",
              CASE WHEN pg_column_size(j.options) <= ${MAX_SENT_OPTIONS} THEN j.options END AS options,
              j.page_limit AS "pageLimit",
              greatest(0, extract(epoch FROM h.next_at - now()) * 1000)::float8 AS "dueInMs"`,
};

/** Null: too large to come with each page. */
type ClaimRow = Omit<ClaimedPage, 'maxDiscovered' | 'options' | 'validators'> & {
  readonly options: CrawlOptions | null;
  readonly validators: string | null;
};

/**
 * Takes the pages of the messages. A message of an older dispatch, of a page already finished or of
 * a job that was cancelled yields nothing, so no request leaves for it.
 */
export async function claimPages(
  database: Database,
  tasks: readonly CrawlTask[],
  {
    leaseMs,
    discoveryBound,
    large = new LargeOptions(),
  }: {
    readonly leaseMs: number;
    readonly discoveryBound: (pageLimit: number) => number;
    /** @default read again for each claim */
    readonly large?: LargeOptions;
  },
): Promise<ClaimedPage[]> {
  const ordered = inLockOrder(tasks);
  const rows = await database.query<ClaimRow>(CLAIM, [
    ordered.map((task) => task.jobId),
    ordered.map((task) => task.urlKey),
    ordered.map((task) => task.epoch),
    leaseMs,
    MAX_HELD_DUE_MS,
  ]);
  return Promise.all(
    rows.map(async (row) => ({
      ...row,
      validators: readValidators(row.validators),
      options: readCrawlOptions(row.options ?? (await large.of(database, row.jobId))),
      maxDiscovered: discoveryBound(row.pageLimit),
    })),
  );
}

/** As `pages.validators` has them. */
export function validatorsText({ etag = '', lastModified = '' }: Validators): string | null {
  const text = `${etag}\n${lastModified}`;
  return text === '\n' || text.length > MAX_VALIDATORS_CHARS ? null : text;
}

function readValidators(text: string | null): Validators | null {
  if (text === null) return null;
  const [etag = '', lastModified = ''] = text.split('\n');
  return { ...(etag === '' ? {} : { etag }), ...(lastModified === '' ? {} : { lastModified }) };
}

/** Longer ones are not kept. */
const MAX_VALIDATORS_CHARS = 300;

const OPTIONS: Statement = {
  name: 'claim_job_options',
  text: 'SELECT options FROM jobs WHERE id = $1',
};
/** A thousand long patterns are megabytes. */
const MAX_KEPT_OPTIONS = 8;

/** Large options of the jobs in work: read once by each fetcher, since a running job's never change. */
export class LargeOptions {
  private readonly kept = new Map<string, Promise<CrawlOptions>>();

  of(database: Database, jobId: string): Promise<CrawlOptions> {
    const known = this.kept.get(jobId);
    if (known) return known;
    const options = this.read(database, jobId);
    this.kept.set(jobId, options);
    options.catch(() => this.kept.delete(jobId));
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT_OPTIONS && oldest !== undefined) this.kept.delete(oldest);
    return options;
  }

  private async read(database: Database, jobId: string): Promise<CrawlOptions> {
    const [job] = await database.query<{ options: CrawlOptions }>(OPTIONS, [jobId]);
    if (job === undefined) throw new Error('a claimed job is gone');
    return job.options;
  }
}

/** Statements over many pages name them in one order, which makes deadlocks between them rare. */
function inLockOrder<T extends { readonly jobId: string; readonly urlKey: string }>(
  pages: readonly T[],
): T[] {
  const keyOf = ({ jobId, urlKey }: T): string => `${jobId}${urlKey}`;
  return pages.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

export interface HeldLease {
  readonly jobId: string;
  readonly urlKey: string;
  readonly fence: number;
}

const EXTEND: Statement = {
  name: 'extend_leases',
  text: `
    WITH held AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS t (job_id, url_key, fence))
    UPDATE pages p SET lease_until = now() + $4::int * interval '1 millisecond'
    FROM held
    WHERE p.job_id = held.job_id AND p.url_key = held.url_key AND p.fence = held.fence AND p.state = 'leased'
    RETURNING p.job_id AS "jobId", replace(p.url_key::text, '-', '') AS "urlKey", p.fence`,
};

/** Heartbeat. Returns the leases still held; the others were cancelled or reassigned. */
export async function extendLeases(
  database: Database,
  held: readonly HeldLease[],
  leaseMs: number,
): Promise<HeldLease[]> {
  const ordered = inLockOrder(held);
  return database.query<HeldLease & Record<string, unknown>>(EXTEND, [
    ordered.map((lease) => lease.jobId),
    ordered.map((lease) => lease.urlKey),
    ordered.map((lease) => lease.fence),
    leaseMs,
  ]);
}

const STOPPED_JOBS: Statement = {
  name: 'stopped_jobs',
  text: `SELECT t.id FROM unnest($1::uuid[]) AS t (id)
         WHERE NOT EXISTS (SELECT FROM jobs j WHERE j.id = t.id AND j.status = 'running')`,
};

/** Which of these jobs no longer run (cancelled, deadline, deleted): their pages in flight are to be aborted. */
export async function stoppedJobs(
  database: Database,
  jobIds: readonly string[],
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(STOPPED_JOBS, [[...jobIds]]);
  return rows.map((row) => row.id);
}

/** Message of the `crawl` queue: names a leased page. The fetcher claims it in SQL before it sends a request. */
export interface CrawlTask {
  readonly jobId: string;
  /** The page's URL key: 32 hexadecimal digits. */
  readonly urlKey: string;
  /** Dispatch number of the lease; a later dispatch makes this message void. */
  readonly epoch: number;
}
