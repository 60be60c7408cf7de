import { reserveJobCredits, type Agreed } from '@app/accounts';
import { newId, type Plan } from '@app/contracts';
import { run, type Database, type Queryable, type Statement } from '@app/database';
import { feedColumns, type Feed } from './feed.js';
import { nextTick } from './schedule.js';

/** A feed that this process runs, for as long as its lease is renewed. */
export interface ClaimedFeed extends Feed {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly agreed: Agreed;
  /** Makes the writes of an earlier worker void. */
  readonly fence: number;
  readonly runId: string;
  readonly tick: Date;
  readonly isSilent: boolean;
  /** Most rows of this run: those that there are credits for. */
  readonly rowLimit: number;
  /** Rows that an earlier attempt counted. */
  readonly countedRows: number;
  /** Attempts since it last counted rows, this one included: those that a stopping process gave back do not count. */
  readonly attempts: number;
  /** No credits are left: the run has no rows. */
  readonly isUnpaid: boolean;
  readonly startedAt: Date;
}

/** So many credits for each begun group of so many rows, and the most rows of a run. */
export interface RunTerms {
  readonly credits: number;
  readonly rows: number;
  readonly maxRows: number;
}

export interface FeedClaimOptions {
  readonly leaseMs: number;
  readonly termsOf: (feed: { readonly connectorId: string; readonly plan: Plan }) => RunTerms;
  /** @default the clock of the database */
  readonly now?: Date;
}

/** Runs of one tenant at a time. */
const RUNNING_PER_TENANT = 2;

/** The next feed: of the tenant with the fewest running ones, then the longest due. */
const DUE: Statement = {
  name: 'due_feed',
  text: `
    WITH clock AS (SELECT coalesce($1::timestamptz, now()) AS at), running AS (
      SELECT tenant_id, count(*)::int AS n FROM feeds, clock WHERE run_id IS NOT NULL AND lease_until > at GROUP BY 1
    )
    SELECT ${feedColumns('f')}, f.tenant_id AS "tenantId", t.plan, f.fence + 1 AS fence, f.run_id AS "runId",
      f.due_at AS tick, f.requested_at AS "requestedAt", f.has_baseline AS "hasBaseline", clock.at,
      jsonb_build_object('monthlyCredits', t.agreed_monthly_credits, 'requestsPerMinute',
        t.agreed_requests_per_minute, 'concurrentRequests', t.agreed_concurrent_requests) AS agreed
    FROM clock, feeds f JOIN tenants t ON t.id = f.tenant_id LEFT JOIN running r ON r.tenant_id = f.tenant_id
    WHERE f.due_at <= clock.at AND (f.lease_until IS NULL OR f.lease_until <= clock.at)
      AND coalesce(r.n, 0) < ${RUNNING_PER_TENANT}
    ORDER BY coalesce(r.n, 0), f.due_at LIMIT 1 FOR UPDATE OF f SKIP LOCKED`,
};
/** A run that is open is that of its tick, whichever process works on it. */
const OPEN: Statement = {
  name: 'open_feed_run',
  text: `
    INSERT INTO feed_runs AS r (id, feed_id, tick, is_manual, is_silent, row_limit, price_credits, price_rows,
                                is_reserved, started_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
};
const AGAIN: Statement = {
  name: 'reopen_feed_run',
  text: `UPDATE feed_runs SET attempts = attempts + 1 WHERE id = $1
         RETURNING tick, is_silent AS "isSilent", row_limit AS "rowLimit", attempts, started_at AS "startedAt",
           new_rows + changed_rows + known_rows AS "countedRows"`,
};
const LEASE: Statement = {
  name: 'lease_feed',
  text: `
    UPDATE feeds SET fence = $2, run_id = $3, run_tick = $4, next_at = $5, requested_at = $6,
           lease_until = $7::timestamptz + $8::int * interval '1 millisecond'
    WHERE id = $1`,
};

interface DueFeed extends Feed, Record<string, unknown> {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly agreed: Agreed;
  readonly fence: number;
  readonly runId: string | null;
  readonly tick: Date;
  readonly requestedAt: Date | null;
  readonly hasBaseline: boolean;
  readonly at: Date;
}

type OpenedRun = Pick<
  ClaimedFeed,
  'tick' | 'isSilent' | 'rowLimit' | 'attempts' | 'countedRows' | 'startedAt'
> &
  Record<string, unknown>;

/**
 * A feed to run, or null. Its next tick is the first one after now, so ticks that were missed run once; a run whose worker
 * died is continued.
 */
export function claimFeed(
  database: Database,
  options: FeedClaimOptions,
): Promise<ClaimedFeed | null> {
  return database.transaction((tx) => claimIn(tx, options));
}

async function claimIn(tx: Queryable, options: FeedClaimOptions): Promise<ClaimedFeed | null> {
  const [due] = await run<DueFeed>(tx, DUE, [options.now ?? null]);
  if (due === undefined) return null;
  if (due.runId !== null) return continued(tx, due, { runId: due.runId, leaseMs: options.leaseMs });
  const runId = newId();
  const isManual = due.requestedAt !== null && due.requestedAt.getTime() === due.tick.getTime();
  const isSilent = due.firstRun === 'silent' && !due.hasBaseline;
  const terms = options.termsOf(due);
  const { rowLimit, isReserved, isUnpaid } = await reserve(tx, due, { runId, terms });
  const open = [runId, due.id, due.tick, isManual, isSilent, rowLimit];
  await run(tx, OPEN, [...open, terms.credits, terms.rows, isReserved, due.at]);
  const nextAt = isManual || due.nextAt === null ? due.nextAt : tickAfter(due);
  const requestedAt = isManual ? null : due.requestedAt;
  const lease = [due.id, due.fence, runId, due.tick, nextAt, requestedAt, due.at, options.leaseMs];
  await run(tx, LEASE, lease);
  const counted = { attempts: 1, countedRows: 0, startedAt: due.at };
  return { ...due, nextAt, runId, isSilent, rowLimit, isUnpaid, ...counted, isRunning: true };
}

function tickAfter({ schedule: cron, timeZone, at }: DueFeed): Date {
  return nextTick({ cron, timeZone }, at);
}

async function continued(
  tx: Queryable,
  due: DueFeed,
  { runId, leaseMs }: { readonly runId: string; readonly leaseMs: number },
): Promise<ClaimedFeed> {
  const [opened] = await run<OpenedRun>(tx, AGAIN, [runId]);
  if (opened === undefined) throw new Error(`the run ${runId} went away while its feed was locked`);
  const kept = [
    due.id,
    due.fence,
    runId,
    opened.tick,
    due.nextAt,
    due.requestedAt,
    due.at,
    leaseMs,
  ];
  await run(tx, LEASE, kept);
  return { ...due, ...opened, runId, isUnpaid: false };
}

/** Reserves the most that a run can cost, or as much as there is. */
async function reserve(
  tx: Queryable,
  { tenantId: id, plan, agreed, maxRows }: DueFeed,
  { runId, terms }: { readonly runId: string; readonly terms: RunTerms },
): Promise<{
  readonly rowLimit: number;
  readonly isReserved: boolean;
  readonly isUnpaid: boolean;
}> {
  const wanted = Math.max(1, Math.min(maxRows, terms.maxRows));
  if (terms.credits === 0) return { rowLimit: wanted, isReserved: false, isUnpaid: false };
  const credits = Math.ceil(wanted / terms.rows) * terms.credits;
  const job = {
    tenant: { id, plan, agreed },
    chargeId: runId,
    operation: 'feed',
    credits,
  } as const;
  const reservation = await reserveJobCredits(tx, job);
  if (reservation.kind === 'refused') return { rowLimit: 0, isReserved: false, isUnpaid: true };
  const covered = Math.floor(reservation.credits / terms.credits) * terms.rows;
  const rowLimit = Math.min(wanted, covered);
  return { rowLimit, isReserved: reservation.isReserved, isUnpaid: rowLimit === 0 };
}
