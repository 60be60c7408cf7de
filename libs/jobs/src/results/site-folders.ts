import type { PageState } from '@app/contracts';
import type { Queries, Statement } from '@app/database';

/** What lies one level below a place of a site: a folder, a page, or both. */
export interface SiteEntry {
  /** The next part of the path; at the root of all hosts an origin with its slash. */
  readonly name: string;
  /** Whether addresses of the job lie below it. */
  readonly hasMore: boolean;
  /** Addresses here and below, by state. */
  readonly counts: Readonly<Record<PageState, number>>;
  readonly total: number;
  /** Mean time of its fetched pages in milliseconds; null: none has been fetched. */
  readonly latencyMs: number | null;
  /** Place of its page among the stored results; null: it has none, or several addresses differ in their query only. */
  readonly resultNo: number | null;
}

export interface SiteLevel {
  readonly entries: readonly SiteEntry[];
  /** There are more entries than wanted. */
  readonly isCut: boolean;
  /** Only the first addresses of the job were read. */
  readonly isPart: boolean;
}

export interface SiteQuery {
  /** What addresses begin with, up to a slash; empty: all hosts. */
  readonly prefix: string;
  readonly most: number;
  /** Addresses read at most, those found first. */
  readonly window: number;
}

/** The parts of the addresses are what their readers see: a query is no folder. */
const SITE_LEVEL: Statement = {
  name: 'site_level',
  text: `
    WITH job AS MATERIALIZED (SELECT rest_reason FROM jobs WHERE id = $1), looked AS MATERIALIZED (
      SELECT split_part(p.url, '?', 1) AS path, p.result_no, p.latency_ms,
             CASE WHEN p.state <> 'pending' OR job.rest_reason IS NULL THEN p.state
                  WHEN job.rest_reason = 'cancelled' THEN 'cancelled' ELSE 'skipped' END AS state
      FROM pages p, job WHERE p.job_id = $1 ORDER BY p.seq LIMIT $4
    ), below AS (
      SELECT CASE WHEN $2 = '' THEN split_part(path, '/', 1) || '//' || split_part(path, '/', 3) || '/'
                  ELSE split_part(substr(path, length($2) + 1), '/', 1) END AS name,
             $2 = '' OR strpos(substr(path, length($2) + 1), '/') > 0 AS is_below, state, result_no, latency_ms
      FROM looked WHERE starts_with(path, $2)
    )
    SELECT name, bool_or(is_below) AS "hasMore", count(*)::int AS total,
           count(*) FILTER (WHERE state = 'pending')::int AS pending, count(*) FILTER (WHERE state = 'leased')::int AS leased,
           count(*) FILTER (WHERE state = 'scraped')::int AS scraped, count(*) FILTER (WHERE state = 'failed')::int AS failed,
           count(*) FILTER (WHERE state = 'skipped')::int AS skipped, count(*) FILTER (WHERE state = 'cancelled')::int AS cancelled,
           round(avg(latency_ms))::int AS "latencyMs",
           CASE WHEN count(*) FILTER (WHERE NOT is_below) = 1 THEN max(result_no) FILTER (WHERE NOT is_below) END AS "resultNo",
           (SELECT count(*) FROM looked)::int AS looked
    FROM below GROUP BY name ORDER BY count(*) DESC, name LIMIT $3`,
};

type SiteRow = Omit<SiteEntry, 'counts'> & SiteEntry['counts'] & { readonly looked: number };

/** One level of the addresses of a job as a tree, the largest folders first. */
export async function siteLevel(
  database: Queries,
  jobId: string,
  { prefix, most, window }: SiteQuery,
): Promise<SiteLevel> {
  const rows = await database.query<SiteRow & Record<string, unknown>>(SITE_LEVEL, [
    ...[jobId, prefix, most + 1, window],
  ]);
  const entries = rows
    .slice(0, most)
    .map(({ name, hasMore, total, latencyMs, resultNo, ...row }) => {
      const { pending, leased, scraped, failed, skipped, cancelled } = row;
      const counts = { pending, leased, scraped, failed, skipped, cancelled };
      return { name, hasMore, total, latencyMs, resultNo, counts };
    });
  return { entries, isCut: rows.length > most, isPart: rows[0]?.looked === window };
}
