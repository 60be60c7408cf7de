/** How much a frontier holds. */
export interface FrontierSize {
  /** Running jobs, each of a tenant and a host of its own. */
  readonly jobs: number;
  /**
   * Addresses of all jobs together. The first job has a fifth of them, the others share the rest.
   */
  readonly pages: number;
}

/** Of a hundred addresses of a job, those in each final state. The others wait. */
const SCRAPED = 30;
const SKIPPED = 20;
const FAILED = 5;

/** Ended jobs and idle hosts, for each running job. */
const OVER = 10;

/**
 * Statements that fill the tables of a frontier as crawls in the middle of their work leave them:
 * jobs with counters that add up, pages in every state, hosts, credits. Two runs make the same rows
 * but for times. Run them in their order, each by itself.
 */
export function fillFrontier(
  { jobs, pages }: FrontierSize,
  optionsJson: string,
): readonly string[] {
  const large = Math.floor(pages / 5);
  const each = jobs > 1 ? Math.floor((pages - large) / (jobs - 1)) : 0;
  const size = jobs > 1 ? `CASE WHEN n = 1 THEN ${large} ELSE ${each} END` : String(pages);
  return [
    `CREATE TABLE fill_jobs AS
       SELECT n, ${idOf("'job'", 'n')} AS id, ${idOf("'tenant'", 'n')} AS tenant_id,
              'site-' || n || '.example' AS host, ${size} AS pages
       FROM generate_series(1, ${jobs}) n`,
    `INSERT INTO tenants (id, name, plan)
       SELECT tenant_id, 'tenant', 'custom' FROM fill_jobs`,
    `INSERT INTO hosts (host, window_size, crawl_delay_ms, typical_ms)
       SELECT host, 8, 0, 100 FROM fill_jobs`,
    `INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, discovered,
                       pending, scraped, skipped, failed, started_at)
       SELECT id, tenant_id, 'crawl', 'http://' || host || '/', 'running', '${optionsJson}', 1000000000,
              now() + interval '1 day', pages, pages - s - k - f, s, k, f, now()
       FROM (SELECT *, ${countOf(0, SCRAPED)} AS s, ${countOf(SCRAPED, SKIPPED)} AS k,
                    ${countOf(SCRAPED + SKIPPED, FAILED)} AS f FROM fill_jobs) sized`,
    `INSERT INTO job_hosts (job_id, host) SELECT id, host FROM fill_jobs`,
    `INSERT INTO job_reasons (job_id, state, reason, pages)
       SELECT id, 'skipped', 'external', ${countOf(SCRAPED, SKIPPED)} FROM fill_jobs`,
    `INSERT INTO job_shapes (job_id, shape, seen)
       SELECT id, 'shape ' || shape, 3 FROM fill_jobs, generate_series(1, 5) shape`,
    `INSERT INTO pages (job_id, url_key, url, host, depth, parent_key, state, reason, attempts, fence, epoch,
                        status_code, rung, result_no, segment_key, segment_offset, segment_bytes, content_hash,
                        latency_ms, finished_at)
       SELECT id, md5(n || '/' || p)::uuid, 'http://' || host || '/section/' || p % 50 || '/page-' || p, host,
              least(p, 5), md5(n || '/' || p / 20)::uuid,
              CASE WHEN is_scraped THEN 'scraped' WHEN is_failed THEN 'failed' WHEN is_skipped THEN 'skipped'
                   ELSE 'pending' END,
              CASE WHEN is_failed THEN 'timeout' WHEN is_skipped THEN 'external' END,
              CASE WHEN is_scraped OR is_failed THEN 1 ELSE 0 END, 1, 1,
              CASE WHEN is_scraped THEN 200 END, CASE WHEN is_scraped THEN 'plain' END,
              CASE WHEN is_scraped THEN p / 100 * ${SCRAPED} + p % 100 + 1 END,
              CASE WHEN is_scraped THEN 'jobs/' || id || '/segments/' || p / 100 END,
              CASE WHEN is_scraped THEN p % 100 * 20000 END, CASE WHEN is_scraped THEN 20000 END,
              CASE WHEN is_scraped THEN md5('content' || n || '/' || p)::uuid END,
              CASE WHEN is_scraped THEN 120 END, CASE WHEN is_scraped OR is_failed OR is_skipped THEN now() END
       FROM (SELECT j.*, p, p % 100 < ${SCRAPED} AS is_scraped,
                    p % 100 >= ${SCRAPED} AND p % 100 < ${SCRAPED + SKIPPED} AS is_skipped,
                    p % 100 >= ${SCRAPED + SKIPPED} AND p % 100 < ${SCRAPED + SKIPPED + FAILED} AS is_failed
             FROM fill_jobs j, generate_series(0, j.pages - 1) p) page`,
    `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits)
       SELECT j.tenant_id, 'crawl', p.job_id, p.url_key, 1
       FROM pages p JOIN fill_jobs j ON j.id = p.job_id WHERE p.state = 'scraped'`,
    `INSERT INTO hosts (host, window_size) SELECT 'old-' || n || '.example', 4
       FROM generate_series(1, ${OVER * jobs}) n`,
    `INSERT INTO jobs (id, tenant_id, type, url, status, options, page_limit, deadline_at, created_at,
                       completed_at, closed_at)
       SELECT ${idOf("'over'", 'm')}, tenant_id, 'crawl', 'http://' || host || '/', 'completed', '{}', 10, now(),
              now() - m * interval '1 minute', now() - m * interval '1 minute', now() - m * interval '1 minute'
       FROM fill_jobs, generate_series(n * ${OVER}, n * ${OVER} + ${OVER - 1}) m`,
    'DROP TABLE fill_jobs',
    'VACUUM ANALYZE',
  ];
}

/**
 * A UUIDv7 of a fixed moment, then of its name: ids of jobs made one after another lie side by
 * side.
 */
function idOf(kind: string, n: string): string {
  return `(lpad(to_hex(1732180000000 + ${n}), 12, '0') || '7' || substr(md5(${kind} || ${n}), 1, 3) || '8'
           || substr(md5(${kind} || ${n}), 4, 15))::uuid`;
}

/** How many of the numbers below `pages` have `p % 100` in a range. */
function countOf(from: number, many: number): string {
  return `(pages / 100 * ${many} + greatest(0, least(pages % 100 - ${from}, ${many})))`;
}
