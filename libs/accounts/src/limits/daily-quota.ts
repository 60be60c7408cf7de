import { PLAN_LIMITS, type Plan } from '@app/contracts';
import type { Statement, Database } from '@app/database';

/**
 * Daily quotas: the operations a plan limits (specification: Limits, "Screenshots per day"), the
 * bytes of answers stored in SQL, KiB of objects (see stored-objects.ts), calls of models, and pages of jobs
 * that cost nothing.
 */
export type DailyOperation =
  | 'screenshot'
  | 'preview'
  | 'kept_answer_bytes'
  | 'stored_answer_kib'
  | 'screenshot_kib'
  | 'model_call'
  | 'unpaid_page';

export interface DailyQuota {
  readonly tenantId: string;
  readonly operation: DailyOperation;
  /** Day in UTC, `YYYY-MM-DD`: {@link utcDay}. */
  readonly day: string;
}

/**
 * The row lock of the upsert makes it exact; the second half reads the count for a refused caller.
 */
const RESERVE: Statement = {
  name: 'reserve_daily',
  text: `
    WITH reserved AS (
      INSERT INTO daily_quotas AS q (tenant_id, operation, day, used)
      SELECT $1::uuid, $2::text, $3::date, $5::int WHERE $5::int <= $4::int
      ON CONFLICT (tenant_id, operation, day) DO UPDATE SET used = q.used + $5 WHERE q.used + $5 <= $4
      RETURNING used
    )
    SELECT true AS ok, used FROM reserved
    UNION ALL
    SELECT false, used FROM daily_quotas
    WHERE tenant_id = $1 AND operation = $2 AND day = $3 AND NOT EXISTS (SELECT FROM reserved)`,
};
const RELEASE: Statement = {
  name: 'release_daily',
  text: `UPDATE daily_quotas SET used = used - $4
         WHERE tenant_id = $1 AND operation = $2 AND day = $3 AND used >= $4`,
};
const SWEEP: Statement = {
  name: 'sweep_daily_quotas',
  text: `
    DELETE FROM daily_quotas WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM daily_quotas WHERE day < $1::date ORDER BY day LIMIT $2
      FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

export function utcDay(at: Date = new Date()): string {
  return at.toISOString().slice(0, 10);
}

/** Until the next day begins, UTC. */
export function secondsToNextDay(at: Date = new Date()): number {
  const dayMs = 24 * 3_600_000;
  return Math.ceil((dayMs - (at.getTime() % dayMs)) / 1_000);
}

/**
 * Reserves one, or `amount`, of the day's `limit` before the work starts; exact under any
 * concurrency. `used` includes this reservation when `ok`.
 */
export async function reserveDaily(
  database: Database,
  {
    tenantId,
    operation,
    day,
    limit,
    amount = 1,
  }: DailyQuota & { readonly limit: number; readonly amount?: number },
): Promise<{ readonly ok: boolean; readonly used: number }> {
  const [row] = await database.query<{ ok: boolean; used: number }>(RESERVE, [
    tenantId,
    operation,
    day,
    limit,
    amount,
  ]);
  // The row that refused us may be newer than the statement's snapshot; then the day is full.
  return row ?? { ok: false, used: limit };
}

/** Fetchers may read this column. */
const PLAN_OF: Statement = { name: 'plan_of', text: 'SELECT plan FROM tenants WHERE id = $1' };

/**
 * Reserves one of the calls of a model that the tenant's plan has a day, before it is made. It is not given back: the
 * model works for a failed answer, too. @returns the limit, and whether it is reached
 */
export async function reserveModelCall(
  database: Database,
  tenantId: string,
): Promise<{ readonly ok: boolean; readonly limit: number }> {
  const [tenant] = await database.query<{ plan: Plan }>(PLAN_OF, [tenantId]);
  if (tenant === undefined) return { ok: false, limit: 0 };
  const limit = PLAN_LIMITS[tenant.plan].modelCallsPerDay;
  const quota = { tenantId, operation: 'model_call', day: utcDay(), limit } as const;
  return { ok: (await reserveDaily(database, quota)).ok, limit };
}

/** Releases the reservation of failed work. `day` is the one it was reserved for. */
export async function releaseDaily(
  database: Database,
  { tenantId, operation, day, amount = 1 }: DailyQuota & { readonly amount?: number },
): Promise<void> {
  await database.query(RELEASE, [tenantId, operation, day, amount]);
}

/** Deletes at most `limit` rows of days before `beforeDay`. Returns how many. */
export async function sweepDailyQuotas(
  database: Database,
  { beforeDay, limit }: { readonly beforeDay: string; readonly limit: number },
): Promise<number> {
  return (await database.query(SWEEP, [beforeDay, limit])).length;
}
