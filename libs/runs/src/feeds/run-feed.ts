import { chargesSql, settleJobCredits } from '@app/accounts';
import { deliverySql } from '@app/webhooks';
import { newId } from '@app/contracts';
import { run, type Database, type Queryable, type Statement } from '@app/database';
import type { ClaimedFeed } from './claim-feed.js';
import { KEPT_RUNS, MAX_FAILURES, MAX_KNOWN_CHARS, MAX_KNOWN_ROWS } from './feed.js';

type Held = Pick<ClaimedFeed, 'id' | 'fence' | 'runId'>;

/** new, changed: delivered. known: as it was, or noted by a silent first run. */
export type RowKind = 'new' | 'changed' | 'known';

/** A row as a feed knows it. */
export interface KnownRow {
  /** JSON text. */
  readonly data: string;
  readonly version: number;
  /** This run has counted it: another attempt yields it again. */
  readonly isCounted: boolean;
}

/** A row that a run counts. */
export interface CountedRow {
  /** Hash of the identity key. */
  readonly key: Buffer;
  readonly kind: RowKind;
  /** JSON text. */
  readonly data: string;
}

const KNOWN: Statement = {
  name: 'known_feed_rows',
  text: `SELECT encode(key, 'hex') AS key, data::text AS data, version, run_id = $2 AS "isCounted"
         FROM feed_rows WHERE feed_id = $1 AND key = ANY ($3::bytea[])`,
};

/** Rows that the feed knows, by their key in hexadecimal. Only the holder of the lease changes them. */
export async function knownRows(
  database: Database,
  { id, runId }: Held,
  keys: readonly Buffer[],
): Promise<ReadonlyMap<string, KnownRow>> {
  const rows = await database.query<KnownRow & { key: string } & Record<string, unknown>>(KNOWN, [
    id,
    runId,
    keys,
  ]);
  return new Map(rows.map((row) => [row.key, row]));
}

/**
 * Counts rows of a run: one statement writes the rows, their charge, their event and its delivery, guarded by the fence. The
 * credits of a run are a function of its counts, and a row counts once, so however often a run is continued, each row is
 * paid and delivered once.
 */
const ADD: Statement = {
  name: 'add_feed_rows',
  text: `
    WITH feed AS (
      SELECT f.*, coalesce($10::timestamptz, now()) AS at FROM feeds f
      WHERE f.id = $1 AND f.fence = $2 AND f.run_id = $3 FOR UPDATE
    ), given AS (
      SELECT key, data, kind FROM unnest($4::bytea[], $5::text[], $6::text[]) AS t (key, data, kind)
    ), written AS (
      INSERT INTO feed_rows AS r (feed_id, key, data, run_id, seen_at, delivered_at)
      SELECT f.id, g.key, g.data::json, f.run_id, f.at, CASE WHEN g.kind <> 'known' THEN f.at END FROM given g, feed f
      ON CONFLICT (feed_id, key) DO UPDATE SET run_id = excluded.run_id, seen_at = excluded.seen_at,
        data = CASE WHEN excluded.delivered_at IS NULL THEN r.data ELSE excluded.data END,
        version = r.version + CASE WHEN excluded.delivered_at IS NULL THEN 0 ELSE 1 END,
        delivered_at = coalesce(excluded.delivered_at, r.delivered_at)
      WHERE r.run_id <> excluded.run_id
      RETURNING (xmax = 0) AS is_added
    ), counted AS (
      UPDATE feed_runs r SET
        attempts = CASE WHEN EXISTS (SELECT FROM given) THEN 0 ELSE attempts END,
        new_rows = new_rows + (SELECT count(*) FROM given WHERE kind = 'new'),
        changed_rows = changed_rows + (SELECT count(*) FROM given WHERE kind = 'changed'),
        known_rows = known_rows + (SELECT count(*) FROM given WHERE kind = 'known')
      FROM feed f WHERE r.id = f.run_id
      RETURNING r.id, r.credits, r.is_reserved, r.row_limit, new_rows + changed_rows + known_rows AS rows,
        ceil((10 * (new_rows + changed_rows) + known_rows)::numeric * price_credits / (10 * price_rows))::int AS new_credits
    ), charged AS (
      ${chargesSql(`SELECT f.tenant_id, 'feed', c.id, gen_random_uuid(), c.new_credits - c.credits, $9::bigint, c.is_reserved
      FROM counted c, feed f WHERE c.new_credits > c.credits OR $9::bigint > 0`)}
    ), event AS (
      INSERT INTO feed_events (id, feed_id, run_id, type, body, created_at)
      SELECT $7::uuid, f.id, f.run_id, 'feed.rows', $8::text, f.at FROM feed f WHERE $7 IS NOT NULL
      RETURNING id, feed_id
    ), ${deliveriesOf('event')}, leased AS (
      UPDATE feeds f SET row_count = f.row_count + (SELECT count(*) FROM written WHERE is_added),
             lease_until = feed.at + $11::int * interval '1 millisecond'
      FROM feed WHERE f.id = feed.id
    )
    SELECT rows, row_limit AS "rowLimit", new_credits - credits AS credits, new_credits AS "runCredits" FROM counted`,
};

/** Deliveries of events. @param event step with the id of an event and its feed */
function deliveriesOf(event: string): string {
  return deliverySql(`
      SELECT e.id, f.tenant_id, NULL::uuid, e.id, f.webhook_url
      FROM ${event} e JOIN feeds f ON f.id = e.feed_id WHERE f.webhook_url IS NOT NULL`);
}

/** The part of a run that one transaction writes. */
export interface RunPart {
  readonly rows: readonly CountedRow[];
  /** Its id is that of its delivery, the same at every attempt. Null: nothing is new. */
  readonly event: { readonly id: string; readonly body: string } | null;
  readonly costMicroUsd: number;
  readonly leaseMs: number;
  readonly now?: Date;
}

export interface CountedPart {
  /** Rows of the run so far. */
  readonly rows: number;
  readonly rowLimit: number;
  /** Charged for this part. */
  readonly credits: number;
}

/** Null: the feed was deleted, or another worker has it. */
export async function addFeedRows(
  database: Database,
  { id, fence, runId }: Held,
  { rows, event, costMicroUsd, leaseMs, now }: RunPart,
): Promise<CountedPart | null> {
  const values = [id, fence, runId, rows.map(({ key }) => key), rows.map(({ data }) => data)];
  return database.transaction(async (tx) => {
    const [added] = await run<CountedPart & { runCredits: number }>(tx, ADD, [
      ...[...values, rows.map(({ kind }) => kind), event?.id ?? null, event?.body ?? null],
      ...[costMicroUsd, now ?? null, leaseMs],
    ]);
    if (added === undefined) return null;
    await run(tx, CREDITS, [runId, added.runCredits]);
    return added;
  });
}

/** A row is updated once by a statement, and these credits are known at the end of the other. */
const CREDITS: Statement = {
  name: 'set_feed_run_credits',
  text: 'UPDATE feed_runs SET credits = $2 WHERE id = $1',
};

const RENEW: Statement = {
  name: 'renew_feed',
  text: `UPDATE feeds SET lease_until = now() + $4::int * interval '1 millisecond'
         WHERE id = $1 AND fence = $2 AND run_id = $3 RETURNING 1`,
};

/** False: it was deleted, or another worker has it. Also sets when another attempt of a failed run is made. */
export async function renewFeed(
  database: Database,
  { id, fence, runId }: Held,
  leaseMs: number,
): Promise<boolean> {
  return (await database.query(RENEW, [id, fence, runId, leaseMs])).length > 0;
}

const RELEASE: Statement = {
  name: 'release_feed',
  text: `
    WITH feed AS (
      UPDATE feeds SET lease_until = NULL WHERE id = $1 AND fence = $2 AND run_id = $3 RETURNING run_id
    )
    UPDATE feed_runs r SET attempts = greatest(r.attempts - 1, 0) FROM feed WHERE r.id = feed.run_id`,
};

/** This process stops: another one goes on with the run at once. */
export async function releaseFeed(database: Database, { id, fence, runId }: Held): Promise<void> {
  await database.query(RELEASE, [id, fence, runId]);
}

const END_FEED: Statement = {
  name: 'end_feed_run',
  text: `
    UPDATE feeds SET run_id = NULL, run_tick = NULL, lease_until = NULL, last_run_at = coalesce($5::timestamptz, now()),
           failures = CASE WHEN $4::text IS NULL THEN 0 ELSE failures + 1 END,
           has_baseline = has_baseline OR $4::text IS NULL,
           state = CASE WHEN $4::text IS NOT NULL AND failures + 1 >= ${MAX_FAILURES} THEN 'paused' ELSE state END,
           next_at = CASE WHEN $4::text IS NOT NULL AND failures + 1 >= ${MAX_FAILURES} THEN NULL ELSE next_at END,
           paused_reason = CASE WHEN $4::text IS NOT NULL AND failures + 1 >= ${MAX_FAILURES}
             THEN 'It failed ' || failures + 1 || ' times in a row. The last time: ' || $4::text ELSE paused_reason END
    WHERE id = $1 AND fence = $2 AND run_id = $3
    RETURNING tenant_id AS "tenantId", paused_reason AS "pausedReason",
      $4::text IS NOT NULL AND failures = ${MAX_FAILURES} AND state = 'paused' AS "isPausedNow"`,
};
const END_RUN: Statement = {
  name: 'close_feed_run',
  text: `UPDATE feed_runs SET status = CASE WHEN $2::text IS NULL THEN 'completed' ELSE 'failed' END, error = $2,
                ended_at = coalesce($3::timestamptz, now()) WHERE id = $1`,
};
const PAUSED: Statement = {
  name: 'announce_paused_feed',
  text: `
    WITH event AS (
      INSERT INTO feed_events (id, feed_id, run_id, type, body) VALUES ($1, $2, $3, 'feed.paused', $4)
      RETURNING id, feed_id
    ), ${deliveriesOf('event')} SELECT 1`,
};
/** Beyond the bounds, the rows that were not seen for the longest time. */
const FORGET: Statement = {
  name: 'forget_feed_rows',
  text: `
    WITH ranked AS (
      SELECT key, row_number() OVER newest AS n, sum(length(data::text)) OVER newest AS chars FROM feed_rows
      WHERE feed_id = $1 WINDOW newest AS (ORDER BY seen_at DESC, key)
    ), forgotten AS (
      DELETE FROM feed_rows r USING ranked
      WHERE r.feed_id = $1 AND r.key = ranked.key AND (n > $2 OR chars > ${MAX_KNOWN_CHARS})
      RETURNING 1
    )
    UPDATE feeds SET row_count = row_count - (SELECT count(*) FROM forgotten) WHERE id = $1`,
};
const FORGET_RUNS: Statement = {
  name: 'forget_feed_runs',
  text: `DELETE FROM feed_runs WHERE id = ANY (ARRAY (
           SELECT id FROM feed_runs WHERE feed_id = $1 ORDER BY started_at DESC, id DESC OFFSET ${KEPT_RUNS}))`,
};

export interface EndedRun {
  /** Null: the run is complete. */
  readonly error: string | null;
  /** The body of the event of a feed that pauses itself. */
  readonly pausedBody: (eventId: string, reason: string) => string;
  /** @default MAX_KNOWN_ROWS */
  readonly maxKnownRows?: number;
  readonly now?: Date;
}

/** Whether the feed paused itself; null: it was deleted, or another worker has it. */
export function endFeedRun(
  database: Database,
  feed: Held,
  end: EndedRun,
): Promise<{ readonly isPaused: boolean } | null> {
  return database.transaction((tx) => endIn(tx, feed, end));
}

interface Ended extends Record<string, unknown> {
  readonly tenantId: string;
  readonly pausedReason: string | null;
  readonly isPausedNow: boolean;
}

async function endIn(
  tx: Queryable,
  { id, fence, runId }: Held,
  { error, pausedBody, maxKnownRows = MAX_KNOWN_ROWS, now }: EndedRun,
): Promise<{ readonly isPaused: boolean } | null> {
  const [ended] = await run<Ended>(tx, END_FEED, [id, fence, runId, error, now ?? null]);
  if (ended === undefined) return null;
  await run(tx, END_RUN, [runId, error, now ?? null]);
  await settleJobCredits(tx, { tenantId: ended.tenantId, chargeId: runId });
  await run(tx, FORGET, [id, maxKnownRows]);
  await run(tx, FORGET_RUNS, [id]);
  if (ended.isPausedNow) {
    const eventId = newId();
    await run(tx, PAUSED, [eventId, id, runId, pausedBody(eventId, ended.pausedReason ?? '')]);
  }
  return { isPaused: ended.isPausedNow };
}
