import type { JobStatus, PageKind, PageState } from '@app/contracts';
import type { ResultRow } from './finish-job.js';
import type { Queries, Statement } from '@app/database';

/** A URL's entry in the report of a job. */
export interface UrlReportEntry {
  readonly url: string;
  readonly state: PageState;
  /** Error class of a failure, reason of a skip. */
  readonly reason: string | null;
  readonly kind: PageKind;
  readonly rung: string | null;
  readonly statusCode: number | null;
  readonly attempts: number;
  readonly depth: number;
  /** Address of the page it was first found on. */
  readonly parent: string | null;
  readonly latencyMs: number | null;
  readonly finishedAt: Date | null;
  /** Place among the stored results, from 1; null where nothing is stored. */
  readonly resultNo: number | null;
}

export interface UrlReportCounts extends Readonly<Record<PageState, number>> {
  readonly status: JobStatus;
  readonly discovered: number;
}

export interface UrlReportQuery {
  /** Position after which entries are wanted; 0n for the first. */
  readonly after: bigint;
  readonly most: number;
  readonly state: PageState | null;
  readonly reason: string | null;
  /** Text that addresses contain, in any case. @default null: all */
  readonly search?: string | null;
  /** Rows scanned for matches, where not all match. */
  readonly window: number;
}

export interface UrlReportSlice {
  readonly entries: readonly UrlReportEntry[];
  readonly counts: UrlReportCounts;
  /** Position up to which rows were scanned; null when there are no more now. */
  readonly next: bigint | null;
}

/**
 * Rows of ended jobs that still wait already count, and are shown, with the reason their job ended:
 * entries and counts come from one snapshot and always agree.
 */
const URL_REPORT: Statement = {
  name: 'page_ledger',
  text: `
    WITH job AS MATERIALIZED (SELECT * FROM jobs WHERE id = $1), looked AS MATERIALIZED (
      SELECT p.seq, p.url, p.state, p.reason, p.kind, p.rung, p.status_code, p.attempts, p.depth, p.parent_key,
             p.latency_ms, p.finished_at, p.result_no,
             CASE WHEN p.state = 'pending' THEN job.rest_reason END AS rest_reason
      FROM pages p, job WHERE p.job_id = $1 AND p.seq > $2 ORDER BY p.seq LIMIT $6
    ), shown AS (
      SELECT looked.*,
             CASE WHEN rest_reason IS NULL THEN state WHEN rest_reason = 'cancelled' THEN rest_reason
                  ELSE 'skipped' END AS ends,
             CASE WHEN rest_reason IS NULL THEN reason ELSE nullif(rest_reason, 'cancelled') END AS because
      FROM looked
    ), hit AS (
      SELECT * FROM shown WHERE ($4::text IS NULL OR ends = $4) AND ($5::text IS NULL OR because = $5)
        AND ($7::text IS NULL OR strpos(lower(url), lower($7)) > 0)
      ORDER BY seq LIMIT $3
    )
    SELECT job.status, job.discovered, job.pending, job.leased, job.scraped, job.failed, job.skipped, job.cancelled,
           coalesce(job.closed_at, job.completed_at) AS "closedAt", looked_at.rows, looked_at.last, hit.seq, hit.url, hit.ends AS state, hit.because AS reason,
           hit.kind, hit.rung, hit.status_code AS "statusCode", hit.attempts, hit.depth, parent.url AS parent,
           hit.latency_ms AS "latencyMs", hit.finished_at AS "finishedAt", hit.result_no AS "resultNo", hit.rest_reason IS NOT NULL AS "isRest"
    FROM job CROSS JOIN (SELECT count(*)::int AS rows, max(seq) AS last FROM looked) looked_at
    LEFT JOIN hit ON true
    LEFT JOIN pages parent ON parent.job_id = $1 AND parent.url_key = hit.parent_key
    ORDER BY hit.seq`,
};

interface UrlReportRow extends UrlReportEntry {
  readonly status: JobStatus;
  readonly discovered: number;
  readonly pending: number;
  readonly leased: number;
  readonly scraped: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cancelled: number;
  readonly closedAt: Date | null;
  readonly rows: number;
  readonly last: string | null;
  readonly seq: string | null;
  readonly isRest: boolean;
}

/**
 * URLs of a job in the order they were discovered. A slice may be short when few of the scanned
 * rows match: `next` says where to continue. Null when there is no such job.
 */
export async function urlReportSlice(
  database: Queries,
  jobId: string,
  query: UrlReportQuery,
): Promise<UrlReportSlice | null> {
  const { after, most, state, reason, search = null } = query;
  const isFiltered = state !== null || reason !== null || search !== null;
  const window = !isFiltered ? most : Math.max(most, query.window);
  const rows = await database.query<UrlReportRow & Record<string, unknown>>(URL_REPORT, [
    ...[jobId, String(after), most, state, reason, window, search],
  ]);
  const [first] = rows;
  if (!first) return null;
  const hits = rows.filter((row) => row.seq !== null);
  // Rows after the last match were scanned, but not shown.
  const isFull = hits.length === most;
  const isMore = isFull || first.rows === window;
  const last = isFull ? hits.at(-1)?.seq : first.last;
  return {
    entries: hits.map(toEntry),
    counts: countsOf(first),
    next: isMore && last ? BigInt(last) : null,
  };
}

function countsOf(row: UrlReportRow): UrlReportCounts {
  const { status, discovered, pending, leased, scraped, failed, skipped, cancelled } = row;
  return { status, discovered, pending, leased, scraped, failed, skipped, cancelled };
}

/** A URL that its job no longer fetches ended when the job stopped. */
function toEntry(row: UrlReportRow): UrlReportEntry {
  const { url, state, reason, kind, rung, statusCode, attempts, depth, parent, latencyMs } = row;
  const { resultNo } = row;
  const finishedAt = row.finishedAt ?? (row.isRest ? row.closedAt : null);
  return {
    url,
    state,
    reason,
    kind,
    rung,
    statusCode,
    attempts,
    depth,
    parent,
    latencyMs,
    finishedAt,
    resultNo,
  };
}

/** A kept document, with the URL report's facts about its page. */
export interface ArchivedRow extends ResultRow {
  readonly urlKey: string;
  readonly url: string;
  readonly finishedAt: Date;
  /** Other addresses of the job had the same content and were not kept. */
  readonly hasCopies: boolean;
}

const ARCHIVED: Statement = {
  name: 'archived_rows',
  text: `
    SELECT p.result_no AS "resultNo", p.segment_key AS key, p.segment_offset AS "offset", p.segment_bytes AS bytes,
           replace(p.url_key::text, '-', '') AS "urlKey", p.url, p.finished_at AS "finishedAt",
           EXISTS (SELECT FROM pages copy WHERE copy.job_id = $1 AND copy.content_hash = p.content_hash
                   AND copy.url_key <> p.url_key) AS "hasCopies"
    FROM pages p WHERE p.job_id = $1 AND p.result_no > $2 ORDER BY p.result_no LIMIT $3`,
};

/** {@link resultRows} with the fields an archive has for each document. */
export async function archivedRows(
  database: Queries,
  jobId: string,
  after: number,
  most: number,
): Promise<ArchivedRow[]> {
  return database.query<ArchivedRow & Record<string, unknown>>(ARCHIVED, [jobId, after, most]);
}

/** An address that was fetched and had the content of another. */
export interface CopyRow {
  readonly urlKey: string;
  readonly url: string;
  readonly finishedAt: Date;
}

const COPIES: Statement = {
  name: 'copies_of',
  text: `
    SELECT replace(copy.url_key::text, '-', '') AS "urlKey", copy.url, copy.finished_at AS "finishedAt"
    FROM pages p JOIN pages copy ON copy.job_id = $1 AND copy.content_hash = p.content_hash
    WHERE p.job_id = $1 AND p.url_key = $2 AND copy.url_key > $3
      AND copy.state = 'skipped' AND copy.reason = 'duplicate_content'
    ORDER BY copy.url_key LIMIT $4`,
};
const BEFORE_ALL = '0'.repeat(32);

/** URLs with the same content as a kept page, after a key, in the order of their keys. */
export async function copiesOf(
  database: Queries,
  { jobId, urlKey }: { readonly jobId: string; readonly urlKey: string },
  after: string | null,
  most: number,
): Promise<CopyRow[]> {
  const values = [jobId, urlKey, after ?? BEFORE_ALL, most];
  return database.query<CopyRow & Record<string, unknown>>(COPIES, values);
}
