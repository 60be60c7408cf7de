import { chargesSql, settleJobCredits, type Agreed } from '@app/accounts';
import type { Plan } from '@app/contracts';
import { run, type Database, type Queryable, type Statement } from '@app/database';
import { pullColumns, type Pull } from './pull.js';

/** A pull that this process works on, for as long as its lease is renewed. */
export interface ClaimedPull extends Pull {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly agreed: Agreed;
  /** Makes the writes of an earlier worker void. */
  readonly fence: number;
  /** Claims since rows were last added, this one included: those that a stopping process gave back do not count. */
  readonly attempts: number;
  /** Since it was pulled. */
  readonly ageMs: number;
}

/** Pulls of one tenant that run at a time. */
const RUNNING_PER_TENANT = 2;

/**
 * The next pull: of the tenant with the fewest running ones, then the oldest. A running one whose lease has ended counts as
 * waiting: its worker died.
 */
const CLAIM: Statement = {
  name: 'claim_pull',
  text: `
    WITH running AS (
      SELECT tenant_id, count(*)::int AS n FROM pulls WHERE status = 'running' AND lease_until > now() GROUP BY 1
    ), due AS (
      SELECT p.id FROM pulls p LEFT JOIN running r ON r.tenant_id = p.tenant_id
      WHERE p.status IN ('queued', 'running') AND p.not_before <= now()
        AND (p.lease_until IS NULL OR p.lease_until <= now()) AND coalesce(r.n, 0) < ${RUNNING_PER_TENANT}
      ORDER BY coalesce(r.n, 0), p.pulled_at LIMIT 1 FOR UPDATE OF p SKIP LOCKED
    )
    UPDATE pulls p SET status = 'running', fence = p.fence + 1, attempts = p.attempts + 1,
           lease_until = now() + $1::int * interval '1 millisecond'
    FROM due, tenants t WHERE p.id = due.id AND t.id = p.tenant_id
    RETURNING ${pullColumns('p')}, p.tenant_id AS "tenantId", t.plan, p.fence, p.attempts,
      extract(epoch FROM now() - p.pulled_at)::float8 * 1000 AS "ageMs",
      jsonb_build_object('monthlyCredits', t.agreed_monthly_credits, 'requestsPerMinute',
        t.agreed_requests_per_minute, 'concurrentRequests', t.agreed_concurrent_requests) AS agreed`,
};

/** A pull to work on, or null. */
export async function claimPull(database: Database, leaseMs: number): Promise<ClaimedPull | null> {
  const [row] = await database.query<ClaimedPull & Record<string, unknown>>(CLAIM, [leaseMs]);
  return row ?? null;
}

const RENEW: Statement = {
  name: 'renew_pull',
  text: `UPDATE pulls SET lease_until = now() + $3::int * interval '1 millisecond'
         WHERE id = $1 AND fence = $2 AND status = 'running' RETURNING 1`,
};

/** False: it was cancelled, or another worker has it. */
export async function renewPull(
  database: Database,
  { id, fence }: Pick<ClaimedPull, 'id' | 'fence'>,
  leaseMs: number,
): Promise<boolean> {
  return (await database.query(RENEW, [id, fence, leaseMs])).length > 0;
}

/** A row with what makes it the same one. */
export interface KeyedRow {
  /** Hash of the identity key. */
  readonly key: Buffer;
  /** JSON text. */
  readonly data: string;
}

/**
 * Adds rows and charges them: one statement, guarded by the fence. Rows that are there already, and those beyond the limit,
 * are left out and cost nothing. The credits of a pull are a function of its number of rows, so however often rows are
 * yielded again, each is paid once.
 */
const ADD: Statement = {
  name: 'add_pull_rows',
  text: `
    WITH pull AS (
      SELECT * FROM pulls WHERE id = $1 AND fence = $2 AND status = 'running' FOR UPDATE
    ), given AS (
      SELECT no, key, data FROM unnest($3::bytea[], $4::text[]) WITH ORDINALITY AS t (key, data, no)
    ), fresh AS (
      SELECT DISTINCT ON (g.key) g.no, g.key, g.data FROM given g, pull p
      WHERE NOT EXISTS (SELECT FROM pull_rows r WHERE r.pull_id = p.id AND r.key = g.key) ORDER BY g.key, g.no
    ), placed AS (
      SELECT key, data, row_number() OVER (ORDER BY no) AS nth FROM fresh
    ), added AS (
      INSERT INTO pull_rows (pull_id, position, key, data)
      SELECT p.id, p.row_count + nth, key, data::json FROM placed, pull p WHERE nth <= p.row_limit - p.row_count
      RETURNING 1
    ), total AS (
      SELECT p.*, p.row_count + (SELECT count(*)::int FROM added) AS new_count FROM pull p
    ), priced AS (
      SELECT *, ceil(new_count::numeric / price_rows)::int * price_credits AS new_credits FROM total
    ), charged AS (
      ${chargesSql(`SELECT tenant_id, 'pull', id, gen_random_uuid(), new_credits - credits, $5, is_reserved FROM priced
      WHERE new_credits > credits OR $5::bigint > 0`)}
    )
    UPDATE pulls p SET attempts = CASE WHEN t.new_count > t.row_count THEN 0 ELSE p.attempts END, row_count = t.new_count, credits = t.new_credits, cost_micro_usd = p.cost_micro_usd + $5,
           lease_until = now() + $6::int * interval '1 millisecond'
    FROM priced t WHERE p.id = t.id
    RETURNING p.row_count AS rows, p.row_limit AS "rowLimit", t.new_credits - t.credits AS credits`,
};

export interface AddedRows {
  /** Rows of the pull now. */
  readonly rows: number;
  readonly rowLimit: number;
  /** Charged for these rows. */
  readonly credits: number;
}

/** Null: it was cancelled, or another worker has it. */
export async function addPullRows(
  database: Database,
  { id, fence }: Pick<ClaimedPull, 'id' | 'fence'>,
  rows: readonly KeyedRow[],
  { costMicroUsd, leaseMs }: { readonly costMicroUsd: number; readonly leaseMs: number },
): Promise<AddedRows | null> {
  const [added] = await database.query<AddedRows & Record<string, unknown>>(ADD, [
    id,
    fence,
    rows.map(({ key }) => key),
    rows.map(({ data }) => data),
    costMicroUsd,
    leaseMs,
  ]);
  return added ?? null;
}

const RETRY: Statement = {
  name: 'retry_pull',
  text: `UPDATE pulls SET status = 'queued', lease_until = NULL, not_before = now() + $3::int * interval '1 millisecond'
         WHERE id = $1 AND fence = $2 AND status = 'running'`,
};

/** Another try comes after a while; the rows so far stay. */
export async function retryPull(
  database: Database,
  { id, fence }: Pick<ClaimedPull, 'id' | 'fence'>,
  delayMs: number,
): Promise<void> {
  await database.query(RETRY, [id, fence, delayMs]);
}

const RELEASE: Statement = {
  name: 'release_pull',
  text: `UPDATE pulls SET status = 'queued', lease_until = NULL, not_before = now(), attempts = greatest(attempts - 1, 0)
         WHERE id = $1 AND fence = $2 AND status = 'running'`,
};

/** This process stops: another one goes on at once. */
export async function releasePull(
  database: Database,
  { id, fence }: Pick<ClaimedPull, 'id' | 'fence'>,
): Promise<void> {
  await database.query(RELEASE, [id, fence]);
}

const END: Statement = {
  name: 'end_pull',
  text: `UPDATE pulls SET status = $3, error = $4, lease_until = NULL, completed_at = now()
         WHERE id = $1 AND fence = $2 AND status = 'running' RETURNING tenant_id AS "tenantId"`,
};

/** Ends a pull and releases the credits that its rows did not cost. False: it has ended otherwise. */
export function endPull(
  database: Database,
  { id, fence }: Pick<ClaimedPull, 'id' | 'fence'>,
  end: { readonly status: 'completed' | 'failed'; readonly error: string | null },
): Promise<boolean> {
  return database.transaction((tx) => endIn(tx, END, [id, fence, end.status, end.error]));
}

const CANCEL: Statement = {
  name: 'cancel_pull',
  text: `UPDATE pulls SET status = 'cancelled', lease_until = NULL, completed_at = now(), fence = fence + 1
         WHERE id = $1 AND tenant_id = $2 AND status IN ('queued', 'running') RETURNING tenant_id AS "tenantId"`,
};

/** False: it had ended, or was never pulled. */
export function cancelPull(database: Database, tenantId: string, id: string): Promise<boolean> {
  return database.transaction((tx) => endIn(tx, CANCEL, [id, tenantId]));
}

async function endIn(
  tx: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<boolean> {
  const [ended] = await run<{ tenantId: string }>(tx, statement, values);
  if (ended === undefined) return false;
  await settleJobCredits(tx, { tenantId: ended.tenantId, chargeId: String(values[0]) });
  return true;
}
