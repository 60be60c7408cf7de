import { admitLinks, linkRoom, recordedBytes, type Admitted } from './admit-links.js';
import type { FoundLink } from '@app/crawl';
import { run, type Statement, type Database, type Transaction } from '@app/database';

/** Links of a page in work, too many for the transaction that ends it. */
export interface AheadBatch {
  readonly jobId: string;
  /** The page they were found on, as it was claimed. */
  readonly urlKey: string;
  readonly fence: number;
  /** As in the outcome of the page, which comes after its links. */
  readonly scopeUrl?: string | null;
  readonly links: readonly FoundLink[];
  readonly maxDiscovered: number;
  /** Requests in flight to a host not seen before. */
  readonly hostWindowStart: number;
}

const LOCK_JOB: Statement = {
  name: 'admit_ahead_lock_job',
  text: `SELECT discovered, link_bytes::float8 AS "linkBytes" FROM jobs WHERE id = $1 AND status = 'running' FOR NO KEY UPDATE`,
};
const HELD: Statement = {
  name: 'admit_ahead_held',
  text: `SELECT 1 FROM pages WHERE job_id = $1 AND url_key = $2 AND fence = $3 AND state = 'leased'`,
};

/** Hosts before the job's counters, the lock order of the frontier; due pages are announced. */
const COUNT: Statement = {
  name: 'admit_ahead_count',
  text: `
    WITH host AS (SELECT * FROM unnest($6::text[]) AS t (host)), known AS (
      INSERT INTO hosts (host, window_size) SELECT host, $7 FROM host ORDER BY host ON CONFLICT (host) DO NOTHING
    ), due AS (
      INSERT INTO job_hosts (job_id, host) SELECT $1, host FROM host ORDER BY host
      ON CONFLICT (job_id, host) DO UPDATE SET next_at = now() WHERE job_hosts.next_at > now()
    ), reason AS (
      INSERT INTO job_reasons AS r (job_id, state, reason, pages)
      SELECT $1, 'skipped', reason, pages FROM unnest($8::text[], $9::int[]) AS t (reason, pages)
      ON CONFLICT (job_id, state, reason) DO UPDATE SET pages = r.pages + excluded.pages
    )
    UPDATE jobs SET discovered = discovered + $2, pending = pending + $3, skipped = skipped + $4,
           discovery_capped = discovery_capped OR $5, link_bytes = link_bytes + $10,
           scope_url = coalesce($11, scope_url)
    WHERE id = $1 RETURNING pg_notify('trawl_work', '')`,
};

/**
 * Records some of a page's links before the page ends, guarded by its fence like its end. Links
 * recorded by a worker that dies are known when another finds them again: none is lost or counted
 * twice. Returns how many were new; null when this worker lost the page or its job has stopped.
 */
export async function admitAhead(database: Database, batch: AheadBatch): Promise<number | null> {
  const { jobId, urlKey, fence, links, maxDiscovered } = batch;
  return database.transaction(async (tx) => {
    const [job] = await run<{ discovered: number; linkBytes: number }>(tx, LOCK_JOB, [jobId]);
    if (!job || (await run(tx, HELD, [jobId, urlKey, fence])).length === 0) return null;
    const admitted = await admitLinks(tx, jobId, links, linkRoom(maxDiscovered, job));
    await count(tx, batch, admitted);
    return admitted.rows.length;
  });
}

async function count(
  tx: Transaction,
  { jobId, hostWindowStart, scopeUrl = null }: AheadBatch,
  { rows, capped }: Admitted,
): Promise<void> {
  const pending = rows.filter(({ state }) => state === 'pending');
  const revived = rows.filter(({ isNew }) => !isNew).length;
  const skipped = rows.length - pending.length;
  const reasons = reasonsOf(rows, revived);
  await run(tx, COUNT, [
    jobId,
    rows.length - revived,
    pending.length,
    skipped - revived,
    capped,
    [...new Set(pending.map(({ host }) => host))],
    hostWindowStart,
    [...reasons.keys()],
    [...reasons.values()],
    recordedBytes(rows),
    scopeUrl,
  ]);
}

/** Pages by reason of their skip; those that came back are skipped no more. */
function reasonsOf(rows: Admitted['rows'], revived: number): Map<string, number> {
  const reasons = new Map<string, number>(revived > 0 ? [['nofollow', -revived]] : []);
  for (const { state, reason } of rows) {
    if (state !== 'skipped') continue;
    const name = reason ?? 'unknown';
    reasons.set(name, (reasons.get(name) ?? 0) + 1);
  }
  return reasons;
}
