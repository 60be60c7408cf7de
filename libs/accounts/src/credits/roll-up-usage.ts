import { run, type Statement, type Database } from '@app/database';
import { IS_EXTRACTION } from './spending.js';

const TAKE: Statement = {
  name: 'take_usage_mark',
  text: 'SELECT 1 FROM credit_usage_mark FOR UPDATE SKIP LOCKED',
};

/**
 * A row of the credit ledger has the begin of its transaction as its time and is seen at commit. So rows
 * older than every open transaction are complete; the seconds cover a transaction that has begun
 * and does not show it yet. Sessions that hide their activity may have begun at any time.
 */
const HORIZON: Statement = {
  name: 'usage_horizon',
  text: `
    SELECT (least(min(xact_start), clock_timestamp()) - interval '5 seconds')::text AS at,
           coalesce(bool_or(state IS NULL OR state = 'disabled'), false) AS "isHidden"
    FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
};

/**
 * Sums up the rows between the mark and `$1`, and moves the mark. Ids only bound the scan: no index
 * is by time alone. A row dated before the mark with a new id was written by a clock that was set
 * back.
 */
const ROLL_UP: Statement = {
  name: 'roll_up_usage',
  text: `
    WITH horizon AS (SELECT $1::timestamptz AS at), mark AS MATERIALIZED (
      SELECT * FROM credit_usage_mark
    ), newest AS MATERIALIZED (
      SELECT coalesce(max(id), 0) AS id FROM credit_ledger
    ), spent AS (
      SELECT l.tenant_id, (l.created_at AT TIME ZONE 'UTC')::date AS day, l.operation, sum(l.credits) AS credits,
             count(*) FILTER (WHERE l.credits > 0) AS calls, sum(l.cost_micro_usd) AS cost_micro_usd,
             count(*) FILTER (WHERE ${IS_EXTRACTION}) AS extractions
      FROM credit_ledger l
      WHERE l.id > (SELECT floor_id FROM mark) AND l.id <= (SELECT id FROM newest)
        AND l.created_at < (SELECT at FROM horizon)
        AND (l.created_at >= (SELECT summed_until FROM mark) OR l.id > (SELECT seen_id FROM mark))
      GROUP BY 1, 2, 3
    ), summed AS (
      INSERT INTO credit_usage_days AS d (tenant_id, day, operation, credits, calls, cost_micro_usd, extractions)
      SELECT * FROM spent
      ON CONFLICT (tenant_id, day, operation) DO UPDATE
      SET credits = d.credits + excluded.credits, calls = d.calls + excluded.calls,
          cost_micro_usd = d.cost_micro_usd + excluded.cost_micro_usd,
          extractions = d.extractions + excluded.extractions
      RETURNING 1
    )
    UPDATE credit_usage_mark m
    SET summed_until = h.at, seen_id = n.id, seen_at = clock_timestamp(),
        floor_id = CASE WHEN h.at >= m.seen_at THEN m.seen_id ELSE m.floor_id END
    FROM horizon h, newest n
    RETURNING (SELECT count(*) FROM summed)::int AS sums`,
};

const IS_LATER: Statement = {
  name: 'is_later_horizon',
  text: 'SELECT $1::timestamptz > summed_until AS "isLater" FROM credit_usage_mark',
};

/**
 * Sums up the credits spent since the last round, as far as the rows are complete; one of many
 * replicas does it. An open transaction delays it: reading usage is slower meanwhile, but stays
 * correct. Returns how many sums changed; null when it could not run.
 */
export async function rollUpUsage(database: Database): Promise<number | null> {
  return database.transaction(async (tx) => {
    if ((await run(tx, TAKE, [])).length === 0) return null;
    // As text: a Date has no microseconds.
    const [horizon] = await run<{ at: string; isHidden: boolean }>(tx, HORIZON, []);
    if (!horizon || horizon.isHidden) return null;
    const [mark] = await run<{ isLater: boolean }>(tx, IS_LATER, [horizon.at]);
    if (!mark?.isLater) return null;
    const [done] = await run<{ sums: number }>(tx, ROLL_UP, [horizon.at]);
    return done?.sums ?? 0;
  });
}
