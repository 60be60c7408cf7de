import { run, type Statement, type Transaction, type Row } from '@app/database';
import type { PageAlias, PageOutcome } from './page-outcome.js';

export interface SettledAliases {
  readonly outcomes: readonly PageOutcome[];
  /** Addresses first heard of as the target of a redirect or as a canonical address. */
  readonly discovered: number;
  /** Pages that waited under the target's address and are now known to be this page. */
  readonly fromPending: number;
}

const HELD: Statement = {
  name: 'aliases_held',
  text: `
    SELECT replace(p.url_key::text, '-', '') AS "urlKey", p.fence
    FROM unnest($2::uuid[], $3::int[]) AS t (url_key, fence)
    JOIN pages p ON p.job_id = $1 AND p.url_key = t.url_key AND p.fence = t.fence AND p.state = 'leased'`,
};

const RECORD: Statement = {
  name: 'aliases_record',
  text: `
    INSERT INTO pages AS p (job_id, url_key, url, host, depth, parent_key, state, reason, finished_at)
    SELECT $1, url_key, url, host, 0, parent_key, 'skipped', 'duplicate', now()
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) AS t (url_key, url, host, parent_key)
    ON CONFLICT (job_id, url_key) DO UPDATE SET state = 'skipped', reason = 'duplicate', finished_at = now()
      WHERE p.state = 'pending'
    RETURNING replace(url_key::text, '-', '') AS "urlKey"`,
};

const TARGETS: Statement = {
  name: 'aliases_targets',
  text: `
    SELECT replace(url_key::text, '-', '') AS "urlKey", state, reason, attempts, base_hash IS NOT NULL AS "isKnown" FROM pages
    WHERE job_id = $1 AND url_key = ANY ($2::uuid[])`,
};

const COUNT_NAMING: Statement = {
  name: 'aliases_count_naming',
  text: `
    INSERT INTO job_shapes AS s (job_id, shape, seen)
    SELECT $1, 'canonical ' || key, count(*) FROM unnest($2::text[]) AS t (key) GROUP BY key ORDER BY key
    ON CONFLICT (job_id, shape) DO UPDATE SET seen = s.seen + excluded.seen
    RETURNING substr(shape, 11) AS "urlKey", seen`,
};

/** More pages than these do not name one address of another name as theirs, unless a template is wrong. */
export const MOST_NAMING_ONE = 10;

/** An outcome with the addresses it counts as. */
interface Claim {
  readonly outcome: PageOutcome;
  readonly targets: readonly Target[];
}
type Target = PageAlias & { readonly isCanonical: boolean };

/**
 * Two URLs that redirect to one page, or have the same canonical URL, are one page. The target's
 * key is recorded as a duplicate of the page that reached it first; any later page becomes the
 * duplicate. Of pages that name each other in a circle one stays. The caller holds the job's lock,
 * so the rows it read stay as they are.
 */
export async function settleAliases(
  tx: Transaction,
  jobId: string,
  outcomes: readonly PageOutcome[],
): Promise<SettledAliases> {
  const aliased = outcomes.filter((o) => o.state === 'scraped' && (o.alias ?? o.canonical));
  if (aliased.length === 0) return { outcomes, discovered: 0, fromPending: 0 };
  const claims = await believed(tx, jobId, await heldOnly(tx, jobId, aliased));
  const known = await targetRows(tx, jobId, claims);
  const { duplicates, toRecord } = decide(claims, known);
  const recorded = await record(tx, jobId, toRecord);
  return {
    outcomes: outcomes.map((o) => asDuplicate(o, duplicates.get(o.urlKey))),
    discovered: recorded.filter(({ urlKey }) => !known.has(urlKey)).length,
    fromPending: recorded.filter(({ urlKey }) => known.has(urlKey)).length,
  };
}

interface TargetRow extends Row {
  readonly urlKey: string;
  readonly state: string;
  readonly reason: string | null;
  readonly attempts: number;
  /** The crawl before has it. */
  readonly isKnown: boolean;
}

interface Decision {
  /** Keys of the pages that yield → the pages that they yield to. */
  readonly duplicates: ReadonlyMap<string, string>;
  /** Target key → the claim that represents it from now on. */
  readonly toRecord: ReadonlyMap<string, Claim>;
}

function decide(claims: readonly Claim[], rows: ReadonlyMap<string, TargetRow>): Decision {
  const duplicates = new Map<string, string>();
  const toRecord = new Map<string, Claim>();
  for (const claim of claims) {
    const taken = claim.targets.find(
      (target) =>
        toRecord.has(target.urlKey) || isTaken(target, rows.get(target.urlKey), duplicates),
    );
    if (taken) {
      duplicates.set(claim.outcome.urlKey, taken.urlKey);
      continue;
    }
    for (const { urlKey } of claim.targets) {
      if ((rows.get(urlKey)?.state ?? 'pending') === 'pending') toRecord.set(urlKey, claim);
    }
  }
  return { duplicates, toRecord };
}

/** Whether a page, or one that represents it, is in the job already. */
function isTaken(
  { urlKey, isCanonical }: Target,
  row: TargetRow | undefined,
  duplicates: ReadonlyMap<string, string>,
): boolean {
  if (row === undefined) return false;
  // It is looked at under its own address, by which the crawl before has it.
  if (row.state === 'pending' && row.isKnown) return true;
  const isDuplicate = row.state === 'skipped' && row.reason === 'duplicate';
  // Never yield to a page that was fetched and yielded itself: both would be gone.
  if (isCanonical && (duplicates.has(urlKey) || (isDuplicate && row.attempts > 0))) return false;
  return row.state === 'leased' || row.state === 'scraped' || isDuplicate;
}

async function targetRows(
  tx: Transaction,
  jobId: string,
  claims: readonly Claim[],
): Promise<Map<string, TargetRow>> {
  const keys = new Set(claims.flatMap(({ targets }) => targets.map(({ urlKey }) => urlKey)));
  if (keys.size === 0) return new Map();
  const rows = await run<TargetRow>(tx, TARGETS, [jobId, [...keys]]);
  return new Map(rows.map((row) => [row.urlKey, row]));
}

async function heldOnly(
  tx: Transaction,
  jobId: string,
  outcomes: readonly PageOutcome[],
): Promise<PageOutcome[]> {
  const rows = await run<{ urlKey: string; fence: number }>(tx, HELD, [
    jobId,
    outcomes.map((o) => o.urlKey),
    outcomes.map((o) => o.fence),
  ]);
  const fences = new Map(rows.map((row) => [row.urlKey, row.fence]));
  return outcomes.filter((o) => fences.get(o.urlKey) === o.fence);
}

/** Ignores canonical URLs of another name that too many pages of the job share. */
async function believed(
  tx: Transaction,
  jobId: string,
  outcomes: readonly PageOutcome[],
): Promise<Claim[]> {
  const named = outcomes.flatMap(({ canonical }) =>
    canonical && !canonical.isVariant ? [canonical.urlKey] : [],
  );
  const rows =
    named.length > 0
      ? await run<{ urlKey: string; seen: number }>(tx, COUNT_NAMING, [jobId, named])
      : [];
  const overNamed = new Set(
    rows.filter(({ seen }) => seen > MOST_NAMING_ONE).map(({ urlKey }) => urlKey),
  );
  return outcomes.map((outcome) => claimOf(outcome, overNamed)).filter((c) => c.targets.length > 0);
}

function claimOf(outcome: PageOutcome, overNamed: ReadonlySet<string>): Claim {
  const { alias, canonical } = outcome;
  const isBelieved = canonical && (canonical.isVariant || !overNamed.has(canonical.urlKey));
  return {
    outcome,
    targets: [
      ...(alias ? [{ ...alias, isCanonical: false }] : []),
      ...(isBelieved ? [{ ...canonical, isCanonical: true }] : []),
    ],
  };
}

async function record(
  tx: Transaction,
  jobId: string,
  toRecord: ReadonlyMap<string, Claim>,
): Promise<{ urlKey: string }[]> {
  const targets = [...toRecord].flatMap(([key, { outcome, targets: all }]) => {
    const target = all.find(({ urlKey }) => urlKey === key);
    return target ? [{ ...target, parentKey: outcome.urlKey }] : [];
  });
  if (targets.length === 0) return [];
  return run(tx, RECORD, [
    jobId,
    targets.map((target) => target.urlKey),
    targets.map((target) => target.url),
    targets.map((target) => target.host),
    targets.map((target) => target.parentKey),
  ]);
}

function asDuplicate(outcome: PageOutcome, sameAs: string | undefined): PageOutcome {
  if (sameAs === undefined) return outcome;
  return { ...outcome, state: 'skipped', reason: 'duplicate', segment: null, credits: 0, sameAs };
}
