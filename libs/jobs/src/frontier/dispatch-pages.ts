import { PLAN_LIMITS, type Plan } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';

/** A job and one of its hosts with pages that may be fetched now. */
export interface DispatchCandidate {
  readonly jobId: string;
  readonly tenantId: string;
  readonly plan: Plan;
  readonly host: string;
  /** Pages of its tenant in flight, those of all jobs together. */
  readonly busy: number;
}

/** How many pages a candidate may have now. */
export interface DispatchTurn extends DispatchCandidate {
  readonly pages: number;
}

export interface DispatchedBatch {
  readonly outboxId: string;
  /** JSON text of the messages, as stored. */
  readonly messages: readonly unknown[];
}

/**
 * Requests that may be in flight to a host: one under a Crawl-delay, and one before anything is known of
 * the host, since its first page brings the delay; else its window.
 */
const ROOM = `CASE WHEN h.crawl_delay_ms > 0 OR (h.crawl_delay_ms IS NULL AND h.typical_ms IS NULL) THEN 1
             ELSE floor(h.window_size)::int END`;

/**
 * A page under a Crawl-delay is leased this much before it is due: its way to a fetcher takes no time
 * from the pace, and the fetcher that claims it waits for the moment itself (`ClaimedPage.dueInMs`).
 */
const LEAD_MS = 200;

/** When a page of the host may be leased. */
const LEASED_FROM = `(h.next_at - CASE WHEN h.crawl_delay_ms > 0 THEN interval '${LEAD_MS} milliseconds'
                                 ELSE interval '0' END)`;

/** Whether the job may have one more page in flight. */
const HAS_PLACE = '(j.workers IS NULL OR j.leased < j.workers)';

/**
 * The next jobs: tenants with the fewest pages in flight first, within a tenant the job that was
 * served longest ago; a tenant without a free slot is left out. The row number interleaves tenants,
 * so a tenant with a thousand jobs gets one turn per round like any other. The running jobs are
 * read once: joined with the sums of their tenants, a wrong row estimate made the server compare
 * each with each (150 ms at 2,000 jobs, 15 ms this way).
 */
const CANDIDATES: Statement = {
  name: 'dispatch_candidates',
  text: `
    WITH running AS MATERIALIZED (
      SELECT j.id, j.tenant_id, j.dispatched_at, sum(j.leased) OVER (PARTITION BY j.tenant_id) AS busy,
             j.pending > 0 AND ${HAS_PLACE} AND j.scraped + j.leased < j.page_limit AND j.deadline_at > now() AS has_work
      FROM jobs j WHERE j.status IN ('queued', 'running')
    ), slots AS (
      SELECT * FROM unnest($2::text[], $3::int[]) AS t (plan, most)
    )
    SELECT id AS "jobId", tenant_id AS "tenantId", plan, host, busy::int FROM (
      SELECT j.id, j.tenant_id, t.plan, jh.host, j.dispatched_at,
             row_number() OVER (PARTITION BY j.tenant_id ORDER BY j.dispatched_at, j.id) AS turn,
             j.busy
      FROM running j
      JOIN tenants t ON t.id = j.tenant_id
      JOIN slots s ON s.plan = t.plan AND j.busy < s.most
      JOIN job_hosts jh ON jh.job_id = j.id AND jh.next_at <= now()
      JOIN hosts h ON h.host = jh.host AND ${LEASED_FROM} <= now() AND h.in_flight < ${ROOM}
      WHERE j.has_work
    ) due
    ORDER BY turn, busy, dispatched_at
    LIMIT $1`,
};

/**
 * Pages due for a while wait for something else (a slot, a lock) and are announced; only pages due
 * since the candidates were read count.
 */
const NEXT_DUE: Statement = {
  name: 'dispatch_next_due',
  text: `
    SELECT (extract(epoch FROM min(due_at) - now()) * 1000)::float8 AS "inMs" FROM (
      SELECT greatest(jh.next_at, ${LEASED_FROM}) AS due_at
      FROM jobs j
      JOIN job_hosts jh ON jh.job_id = j.id
      JOIN hosts h ON h.host = jh.host AND h.in_flight < ${ROOM}
      WHERE j.status IN ('queued', 'running') AND j.pending > 0 AND j.scraped + j.leased < j.page_limit
        AND j.deadline_at > now() AND ${HAS_PLACE}
    ) waiting WHERE due_at > now() - interval '50 milliseconds'`,
};

/** Serialises dispatch per tenant, which makes its concurrency slots exact. */
const LOCK_TENANTS: Statement = {
  name: 'dispatch_lock_tenants',
  text: `SELECT id FROM tenants WHERE id = ANY ($1::uuid[]) FOR NO KEY UPDATE SKIP LOCKED`,
};
const TENANTS_BUSY: Statement = {
  name: 'dispatch_tenants_busy',
  text: `SELECT tenant_id AS "tenantId", sum(leased)::int AS pages FROM jobs
         WHERE tenant_id = ANY ($1::uuid[]) AND status IN ('queued', 'running') GROUP BY tenant_id`,
};

/**
 * Reserves and leases in one statement: the job row (its limit and workers), the host row (its window) and the
 * pages are locked in that order, the order every writer of the frontier keeps.
 * $1 job, $2 host, $3 most pages, $4 lease ms.
 */
const LEASE: Statement = {
  name: 'dispatch_lease',
  text: `
    WITH job AS (
      SELECT id, least(page_limit - scraped, workers) - leased AS room FROM jobs
      WHERE id = $1 AND status IN ('queued', 'running') AND deadline_at > now()
      FOR NO KEY UPDATE SKIP LOCKED
    ), pace AS (
      SELECT ${ROOM} - h.in_flight AS free
      FROM hosts h WHERE h.host = $2 AND ${LEASED_FROM} <= now() AND EXISTS (SELECT FROM job)
      FOR NO KEY UPDATE SKIP LOCKED
    ), due AS (
      SELECT url_key FROM pages
      WHERE job_id = $1 AND host = $2 AND state = 'pending' AND not_before <= now()
      ORDER BY seq
      LIMIT coalesce((SELECT greatest(0, least(job.room, pace.free, $3::int)) FROM job, pace), 0)
      FOR NO KEY UPDATE SKIP LOCKED
    ), leased AS (
      UPDATE pages p SET state = 'leased', epoch = epoch + 1,
             lease_until = now() + $4::int * interval '1 millisecond'
      WHERE p.job_id = $1 AND p.url_key = ANY (ARRAY(SELECT url_key FROM due))
      RETURNING p.url_key, p.epoch
    ), counted AS (
      SELECT count(*)::int AS pages,
             jsonb_agg(jsonb_build_object('jobId', $1::text, 'urlKey', replace(url_key::text, '-', ''), 'epoch', epoch)) AS messages
      FROM leased
    ), job_done AS (
      UPDATE jobs SET leased = leased + pages, pending = pending - pages, status = 'running',
             started_at = coalesce(started_at, now()), dispatched_at = clock_timestamp()
      FROM counted WHERE id = $1 AND pages > 0
    ), host_done AS (
      UPDATE hosts SET in_flight = in_flight + pages, updated_at = now()
      FROM counted WHERE host = $2 AND pages > 0
    )
    INSERT INTO outbox (queue, messages) SELECT 'crawl', messages FROM counted WHERE pages > 0
    RETURNING id AS "outboxId", messages`,
};

/**
 * A host of a job without a due page is not a candidate again before its next page is due. The job
 * is locked by a separate statement first: the next one then sees every page admitted before.
 */
const LOCK_JOB: Statement = {
  name: 'dispatch_lock_job',
  text: 'SELECT id FROM jobs WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED',
};
const REST: Statement = {
  name: 'dispatch_rest',
  text: `
    UPDATE job_hosts SET next_at = coalesce(
      (SELECT min(not_before) FROM pages WHERE job_id = $1 AND host = $2 AND state = 'pending'),
      now() + interval '1 minute')
    WHERE job_id = $1 AND host = $2
      AND NOT EXISTS (SELECT FROM pages WHERE job_id = $1 AND host = $2 AND state = 'pending' AND not_before <= now())`,
};

export async function dispatchCandidates(
  database: Database,
  count: number,
): Promise<DispatchCandidate[]> {
  const slots = Object.values(PLAN_LIMITS).map((limits) => limits.crawlConcurrency);
  return database.query<DispatchCandidate>(CANDIDATES, [count, Object.keys(PLAN_LIMITS), slots]);
}

const LEASED: Statement = {
  name: 'dispatch_leased',
  text: `SELECT coalesce(sum(leased), 0)::int AS pages FROM jobs WHERE status IN ('queued', 'running')`,
};

/** Pages that wait in the broker or are in work, of all dispatchers together. */
export async function leasedPages(database: Database): Promise<number> {
  const [row] = await database.query<{ pages: number }>(LEASED);
  return row?.pages ?? 0;
}

/** Milliseconds until a page may be leased that may not be leased now; null when nothing waits. */
export async function nextDueInMs(database: Database): Promise<number | null> {
  const [row] = await database.query<{ inMs: number | null }>(NEXT_DUE);
  return row?.inMs ?? null;
}

/**
 * Leases up to the number of pages of each turn, in one transaction with their outbox rows. It
 * waits for no lock, so it cannot be part of a deadlock; others wait for its rows until it ends, so
 * turns should be small. Returns the messages to publish; none for a tenant that another dispatcher
 * is working on.
 */
export async function leasePages(
  database: Database,
  turns: readonly DispatchTurn[],
  limits: { readonly leaseMs: number },
): Promise<DispatchedBatch[]> {
  if (turns.length === 0) return [];
  return database.transaction(async (tx) => {
    const busy = await busyTenants(tx, turns);
    const batches: DispatchedBatch[] = [];
    for (const turn of turns) {
      const { tenantId, plan } = turn;
      const slots = PLAN_LIMITS[plan].crawlConcurrency - (busy.get(tenantId) ?? Infinity);
      if (slots <= 0) continue;
      const most = Math.min(slots, turn.pages);
      const [batch] = await run<{ outboxId: string; messages: unknown[] }>(tx, LEASE, [
        turn.jobId,
        turn.host,
        most,
        limits.leaseMs,
      ]);
      if (batch) {
        batches.push(batch);
        busy.set(tenantId, (busy.get(tenantId) ?? 0) + batch.messages.length);
      } else {
        await rest(tx, turn);
      }
    }
    return batches;
  });
}

async function rest(tx: Queryable, { jobId, host }: DispatchCandidate): Promise<void> {
  const [job] = await run(tx, LOCK_JOB, [jobId]);
  if (job) await run(tx, REST, [jobId, host]);
}

/**
 * Pages in flight of the tenants locked by this transaction. The locks come first, so the counts
 * stay valid.
 */
async function busyTenants(
  tx: Queryable,
  candidates: readonly DispatchCandidate[],
): Promise<Map<string, number>> {
  const ids = [...new Set(candidates.map(({ tenantId }) => tenantId))];
  const locked = await run<{ id: string }>(tx, LOCK_TENANTS, [ids]);
  const busy = new Map(locked.map(({ id }) => [id, 0]));
  if (busy.size === 0) return busy;
  const rows = await run<{ tenantId: string; pages: number }>(tx, TENANTS_BUSY, [[...busy.keys()]]);
  for (const { tenantId, pages } of rows) busy.set(tenantId, pages);
  return busy;
}
