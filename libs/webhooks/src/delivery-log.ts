import { run, type Queries, type Statement, type SweepOptions, type Database } from '@app/database';
import type { AttemptError, DeliveredEvent, DeliveryState } from './delivery.js';
import { EVENT_COLUMNS, toEvent, type DeliveredEventRow } from './take-deliveries.js';

export interface LoggedAttempt {
  readonly no: number;
  readonly at: Date;
  readonly status: number | null;
  /** Null while it runs, and for ever when its process died. */
  readonly ms: number | null;
  readonly error: AttemptError | null;
  readonly answer: string | null;
}

/** A delivery as its tenant sees it. */
export interface LoggedDelivery {
  readonly id: string;
  /** Null: it is of a feed. */
  readonly jobId: string | null;
  readonly feedId: string | null;
  /** Name of the event. */
  readonly event: string;
  readonly url: string;
  readonly state: DeliveryState;
  /** All attempts so far. */
  readonly attemptCount: number;
  readonly nextAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: AttemptError | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  /** The newest of them, oldest first. */
  readonly attempts: readonly LoggedAttempt[];
}

export interface DeliveryQuery {
  readonly jobId: string | null;
  readonly state: DeliveryState | null;
  /** Deliveries older than this one. */
  readonly before: string | null;
  readonly most: number;
}

const COLUMNS = `
  d.id, d.job_id AS "jobId", e.feed_id AS "feedId", coalesce(e.type, j.type || '.' || j.status) AS event, d.url, d.state,
  d.attempts AS "attemptCount", d.next_at AS "nextAt", d.last_status AS "lastStatus",
  d.last_error AS "lastError", d.created_at AS "createdAt", d.ended_at AS "endedAt"`;

/** Ids begin with their time, so their order is that of the events. One text per filter: each has its index. */
const LIST = `
  SELECT ${COLUMNS} FROM webhook_deliveries d LEFT JOIN jobs j ON j.id = d.job_id LEFT JOIN feed_events e ON e.id = d.feed_event_id
  WHERE d.tenant_id = $1 AND d.id < $2`;
const TAIL = 'ORDER BY d.id DESC LIMIT $3';
const LIST_ALL: Statement = { name: 'list_deliveries', text: `${LIST} ${TAIL}` };
const LIST_STATE: Statement = {
  name: 'list_deliveries_by_state',
  text: `${LIST} AND d.state = $4 ${TAIL}`,
};
const LIST_JOB: Statement = {
  name: 'list_deliveries_of_job',
  text: `${LIST} AND d.job_id = $4 AND ($5::text IS NULL OR d.state = $5) ${TAIL}`,
};
const FIND: Statement = {
  name: 'find_delivery',
  text: `SELECT ${COLUMNS} FROM webhook_deliveries d LEFT JOIN jobs j ON j.id = d.job_id
           LEFT JOIN feed_events e ON e.id = d.feed_event_id
         WHERE d.tenant_id = $1 AND d.id = $2`,
};
const EVENT: Statement = {
  name: 'find_delivered_event',
  text: `SELECT ${EVENT_COLUMNS} FROM webhook_deliveries d LEFT JOIN jobs j ON j.id = d.job_id
           LEFT JOIN feed_events e ON e.id = d.feed_event_id
         WHERE d.tenant_id = $1 AND d.id = $2`,
};
const ATTEMPTS: Statement = {
  name: 'delivery_attempts',
  text: `SELECT delivery_id AS "deliveryId", no, at, status, ms, error, answer FROM webhook_attempts
         WHERE delivery_id = ANY ($1::uuid[]) ORDER BY delivery_id, no`,
};

type DeliveryRow = Omit<LoggedDelivery, 'attempts'> & Record<string, unknown>;
type AttemptRow = LoggedAttempt & { readonly deliveryId: string } & Record<string, unknown>;

const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Deliveries of a tenant, newest first. */
export async function listDeliveries(
  database: Database,
  tenantId: string,
  { jobId, state, before, most }: DeliveryQuery,
): Promise<LoggedDelivery[]> {
  const bounds = [tenantId, before ?? LAST_ID, most];
  const reader = database.asReader(tenantId);
  const rows =
    jobId !== null
      ? await reader.query<DeliveryRow>(LIST_JOB, [...bounds, jobId, state])
      : state !== null
        ? await reader.query<DeliveryRow>(LIST_STATE, [...bounds, state])
        : await reader.query<DeliveryRow>(LIST_ALL, bounds);
  return withAttempts(reader, rows);
}

/** A tenant's delivery, or null when it does not exist or belongs to another tenant. */
export async function findDelivery(
  database: Database,
  tenantId: string,
  id: string,
): Promise<LoggedDelivery | null> {
  return findIn(database.asReader(tenantId), tenantId, id);
}

/** The event that a tenant's delivery sends, or null when the tenant has no such delivery. */
export async function findDeliveredEvent(
  database: Database,
  tenantId: string,
  id: string,
): Promise<DeliveredEvent | null> {
  const [row] = await database.asReader(tenantId).query<DeliveredEventRow>(EVENT, [tenantId, id]);
  return row === undefined ? null : toEvent(row);
}

async function findIn(
  reader: Queries,
  tenantId: string,
  id: string,
): Promise<LoggedDelivery | null> {
  const rows = await reader.query<DeliveryRow>(FIND, [tenantId, id]);
  return (await withAttempts(reader, rows))[0] ?? null;
}

async function withAttempts(
  reader: Queries,
  rows: readonly DeliveryRow[],
): Promise<LoggedDelivery[]> {
  if (rows.length === 0) return [];
  const attempts = await reader.query<AttemptRow>(ATTEMPTS, [rows.map(({ id }) => id)]);
  const byDelivery = Map.groupBy(attempts, ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({ ...row, attempts: byDelivery.get(row.id) ?? [] }));
}

/** Before the delivery is touched: a recording process locks receiver and delivery in this order. */
const QUEUE_UP: Statement = {
  name: 'queue_webhook_receiver',
  text: `
    INSERT INTO webhook_receivers AS r (tenant_id, receiver, next_at)
    SELECT tenant_id, receiver, coalesce($3::timestamptz, now()) FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2
    ON CONFLICT (tenant_id, receiver) DO UPDATE SET next_at = least(r.next_at, excluded.next_at)
    RETURNING pg_notify('trawl_webhook', '')`,
};
const REDELIVER: Statement = {
  name: 'redeliver_webhook',
  text: `
    WITH enabled AS (
      DELETE FROM webhook_disabled x USING webhook_deliveries d
      WHERE d.tenant_id = $1 AND d.id = $2 AND x.tenant_id = d.tenant_id AND x.url_key = d.url_key
    )
    UPDATE webhook_deliveries SET state = 'pending', next_at = coalesce($3::timestamptz, now()),
           round = round + 1, step = 0, ended_at = NULL
    WHERE tenant_id = $1 AND id = $2`,
};

/**
 * Sends a delivery again, whatever its state, under the same id and by a new schedule; its address is
 * enabled again. Returns it as it was queued, or null when the tenant has no such delivery.
 */
export async function redeliver(
  database: Database,
  tenantId: string,
  id: string,
  now?: Date,
): Promise<LoggedDelivery | null> {
  return database.asTenant(tenantId).transaction(async (tx) => {
    const values = [tenantId, id, now ?? null];
    if ((await run(tx, QUEUE_UP, values)).length === 0) return null;
    await run(tx, REDELIVER, values);
    const reader: Queries = {
      query: (statement, parameters = []) => run(tx, statement, parameters),
    };
    return findIn(reader, tenantId, id);
  });
}

export interface WebhookBacklog {
  /** Deliveries to be sent, now or later; counted no further than {@link COUNTED_PENDING}. */
  readonly pending: number;
  /** How long the receiver that waits longest has been waiting for its turn. */
  readonly oldestSeconds: number;
}

/** Counting further would cost the database more than the number is worth. */
export const COUNTED_PENDING = 100_000;

const BACKLOG: Statement = {
  name: 'webhook_backlog',
  text: `
    SELECT (SELECT count(*)::int FROM (
             SELECT FROM webhook_deliveries WHERE state = 'pending' LIMIT ${COUNTED_PENDING}) AS counted) AS pending,
           coalesce((SELECT greatest(0, extract(epoch FROM now() - next_at))
             FROM webhook_receivers WHERE leased_until IS NULL OR leased_until <= now()
             ORDER BY next_at LIMIT 1), 0)::float8 AS "oldestSeconds"`,
};

export async function webhookBacklog(database: Database): Promise<WebhookBacklog> {
  const [row] = await database.query<WebhookBacklog & Record<string, unknown>>(BACKLOG);
  return row ?? { pending: 0, oldestSeconds: 0 };
}

const DELIVERIES: Statement = {
  name: 'sweep_webhook_deliveries',
  text: `
    DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY (
      SELECT id FROM webhook_deliveries WHERE ended_at < $1 AND state <> 'pending'
      ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED))
    RETURNING 1`,
};

/** Deletes the log of webhooks that were delivered or given up. */
export async function sweepDeliveries(
  database: Database,
  { before, limit }: SweepOptions,
): Promise<number> {
  return (await database.query(DELIVERIES, [before, limit])).length;
}
