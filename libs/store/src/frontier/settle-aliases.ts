import type pg from 'pg';
import { run, type Statement } from '../open-store.js';
import type { PageOutcome } from './page-outcome.js';

export interface SettledAliases {
  readonly outcomes: readonly PageOutcome[];
  /** Addresses first heard of as the target of a redirect. */
  readonly discovered: number;
  /** Pages that waited under the target's address and are now known to be this page. */
  readonly fromPending: number;
}

const HELD: Statement = {
  name: 'aliases_held',
  text: `
    SELECT replace(p.url_key::text, '-', '') AS "urlKey"
    FROM unnest($2::uuid[], $3::int[]) AS t (url_key, fence)
    JOIN pages p ON p.job_id = $1 AND p.url_key = t.url_key AND p.fence = t.fence AND p.state = 'leased'`,
};

const RECORD: Statement = {
  name: 'aliases_record',
  text: `
    INSERT INTO pages AS p (job_id, url_key, url, host, depth, state, reason, finished_at)
    SELECT $1, url_key, url, host, 0, 'skipped', 'duplicate', now()
    FROM unnest($2::uuid[], $3::text[], $4::text[]) AS t (url_key, url, host)
    ON CONFLICT (job_id, url_key) DO UPDATE SET state = 'skipped', reason = 'duplicate', finished_at = now()
      WHERE p.state = 'pending'
    RETURNING replace(url_key::text, '-', '') AS "urlKey", (xmax = 0) AS "isNew"`,
};

const TAKEN: Statement = {
  name: 'aliases_taken',
  text: `
    SELECT replace(url_key::text, '-', '') AS "urlKey" FROM pages
    WHERE job_id = $1 AND url_key = ANY ($2::uuid[])
      AND (state IN ('leased', 'scraped') OR (state = 'skipped' AND reason = 'duplicate'))`,
};

/**
 * Two addresses that redirect to one page are one page. The target's key is recorded as a duplicate
 * of the page that reached it first; whoever reaches it later becomes the duplicate.
 */
export async function settleAliases(
  tx: pg.PoolClient,
  jobId: string,
  outcomes: readonly PageOutcome[],
): Promise<SettledAliases> {
  const redirected = outcomes.filter((o) => o.state === 'scraped' && o.alias !== null);
  if (redirected.length === 0) return { outcomes, discovered: 0, fromPending: 0 };
  const claims = firstClaims(await heldOnly(tx, jobId, redirected));
  const recorded = await record(tx, jobId, claims);
  const won = new Set(recorded.map((row) => row.urlKey));
  const lost = [...claims.keys()].filter((key) => !won.has(key));
  const taken = new Set(
    (await run<{ urlKey: string }>(tx, TAKEN, [jobId, lost])).map((r) => r.urlKey),
  );
  const isDuplicate = (o: PageOutcome): boolean =>
    o.state === 'scraped' &&
    o.alias !== null &&
    (claims.get(o.alias.urlKey) !== o || taken.has(o.alias.urlKey));
  return {
    outcomes: outcomes.map((o) => (isDuplicate(o) ? asDuplicate(o) : o)),
    discovered: recorded.filter((row) => row.isNew).length,
    fromPending: recorded.filter((row) => !row.isNew).length,
  };
}

async function heldOnly(
  tx: pg.PoolClient,
  jobId: string,
  outcomes: readonly PageOutcome[],
): Promise<PageOutcome[]> {
  const rows = await run<{ urlKey: string }>(tx, HELD, [
    jobId,
    outcomes.map((o) => o.urlKey),
    outcomes.map((o) => o.fence),
  ]);
  const held = new Set(rows.map((row) => row.urlKey));
  return outcomes.filter((o) => held.has(o.urlKey));
}

/** Target key → the first outcome of the batch that reached it. */
function firstClaims(outcomes: readonly PageOutcome[]): Map<string, PageOutcome> {
  const claims = new Map<string, PageOutcome>();
  for (const outcome of outcomes) {
    const key = outcome.alias?.urlKey;
    if (key !== undefined && !claims.has(key)) claims.set(key, outcome);
  }
  return claims;
}

async function record(
  tx: pg.PoolClient,
  jobId: string,
  claims: ReadonlyMap<string, PageOutcome>,
): Promise<{ urlKey: string; isNew: boolean }[]> {
  const aliases = [...claims.values()].flatMap((o) => (o.alias ? [o.alias] : []));
  return run(tx, RECORD, [
    jobId,
    aliases.map((alias) => alias.urlKey),
    aliases.map((alias) => alias.url),
    aliases.map((alias) => alias.host),
  ]);
}

function asDuplicate(outcome: PageOutcome): PageOutcome {
  return { ...outcome, state: 'skipped', reason: 'duplicate', segment: null, credits: 0 };
}
