import { newId } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import type { DeliveredEvent, DeliveryState, EndedJob, TakenDelivery } from './delivery.js';
import { holdReceiver, releaseHeldReceiver, type ReceiverLease } from './release-receiver.js';

/** Attempts of a delivery that are kept; its schedule has 10, redeliveries may add many. */
const KEPT_ATTEMPTS = 20;
/** Receivers scanned for each that may be taken: those of a tenant at its share are skipped. */
const LOOKED_AT = 4;

export interface TakeOptions {
  /** Deliveries taken at most. */
  readonly most: number;
  /** Sends that one tenant may have in flight. */
  readonly perTenant: number;
  /** Sends in flight by tenant. */
  readonly busy: ReadonlyMap<string, number>;
  /** Longer than an attempt can take: the receiver is not taken by another before. */
  readonly leaseMs: number;
  /** Attempts of one schedule. */
  readonly maxSteps: number;
  /** @default the database's clock, which is the same for all processes */
  readonly now?: Date;
}

/**
 * Ended without being sent: its URL is disabled, or the end of its last attempt was never recorded.
 */
export interface ClosedDelivery {
  readonly id: string;
  readonly tenantId: string;
  readonly receiver: string;
  readonly state: Exclude<DeliveryState, 'pending' | 'delivered'>;
  /** Name of the event. */
  readonly event: string;
}

export interface Taken {
  readonly sends: readonly TakenDelivery[];
  readonly closed: readonly ClosedDelivery[];
}

const LEASE: Statement = {
  name: 'lease_webhook_receivers',
  text: `
    WITH due AS (
      SELECT r.tenant_id, r.receiver, r.next_at, coalesce(busy.sends, 0) AS sends
      FROM webhook_receivers r LEFT JOIN unnest($2::uuid[], $3::int[]) AS busy (tenant_id, sends) USING (tenant_id)
      WHERE r.next_at <= coalesce($1::timestamptz, now())
        AND (r.leased_until IS NULL OR r.leased_until <= coalesce($1::timestamptz, now()))
        AND coalesce(busy.sends, 0) < $4
      ORDER BY r.next_at LIMIT $5::int * ${LOOKED_AT} FOR NO KEY UPDATE OF r SKIP LOCKED
    ), placed AS (
      SELECT *, row_number() OVER (PARTITION BY tenant_id ORDER BY next_at) + sends AS place FROM due
    )
    UPDATE webhook_receivers r SET lease = $6,
           leased_until = coalesce($1::timestamptz, now()) + $7::int * interval '1 millisecond'
    FROM (SELECT tenant_id, receiver FROM placed WHERE place <= $4 ORDER BY next_at LIMIT $5) AS one
    WHERE r.tenant_id = one.tenant_id AND r.receiver = one.receiver
    RETURNING r.tenant_id AS "tenantId", r.receiver`,
};

/** What an event is made of: of the job `j` or the event `e` of a feed. */
export const EVENT_COLUMNS = `
  j.completed_at AS "completedAt",
  CASE WHEN j.id IS NOT NULL THEN jsonb_build_object('id', j.id, 'tenantId', j.tenant_id, 'type', j.type,
    'url', j.url, 'status', j.status, 'scraped', j.scraped, 'resultKey', j.result_key,
    'isV2', (j.options -> 'v2') IS NOT NULL, 'changes', CASE WHEN j.options -> 'since' IS NOT NULL THEN (
      SELECT coalesce(jsonb_object_agg(r.reason, r.pages), '{}') FROM job_reasons r
      WHERE r.job_id = j.id AND r.state IN ('scraped', 'gone')) END) END AS job,
  e.feed_id AS "feedId", e.type AS "feedEvent", e.body`;

/**
 * A separate statement, after the leases are held: it sees records that others committed before.
 * The attempt is counted and logged before it starts, so that one without an end is visible.
 */
const BEGIN: Statement = {
  name: 'begin_webhook_attempts',
  text: `
    WITH due AS (
      SELECT one.id, EXISTS (SELECT FROM webhook_disabled x
                             WHERE x.tenant_id = r.tenant_id AND x.url_key = one.url_key) AS is_disabled
      FROM unnest($2::uuid[], $3::text[]) AS r (tenant_id, receiver) CROSS JOIN LATERAL (
        SELECT id, url_key FROM webhook_deliveries d
        WHERE d.tenant_id = r.tenant_id AND d.receiver = r.receiver AND d.state = 'pending'
          AND d.next_at <= coalesce($1::timestamptz, now())
        ORDER BY d.next_at, d.id LIMIT 1) AS one
    ), begun AS (
      UPDATE webhook_deliveries d SET
        state = CASE WHEN due.is_disabled THEN 'disabled' WHEN d.step >= $4 THEN 'failed' ELSE 'pending' END,
        next_at = CASE WHEN due.is_disabled OR d.step >= $4 THEN NULL ELSE d.next_at END,
        ended_at = CASE WHEN due.is_disabled OR d.step >= $4 THEN coalesce($1::timestamptz, now()) END,
        step = CASE WHEN due.is_disabled OR d.step >= $4 THEN d.step ELSE d.step + 1 END,
        attempts = CASE WHEN due.is_disabled OR d.step >= $4 THEN d.attempts ELSE d.attempts + 1 END
      FROM due WHERE d.id = due.id
      RETURNING d.*
    ), attempt AS (
      INSERT INTO webhook_attempts (delivery_id, no, at)
      SELECT id, attempts, coalesce($1::timestamptz, now()) FROM begun WHERE state = 'pending'
    ), forgotten AS (
      DELETE FROM webhook_attempts a USING begun b
      WHERE a.delivery_id = b.id AND a.no <= b.attempts - ${KEPT_ATTEMPTS}
    )
    SELECT b.id, b.tenant_id AS "tenantId", b.url, b.receiver, b.state, b.round, b.step,
           b.attempts AS "attemptNo", coalesce($1::timestamptz, now()) AS at, ${EVENT_COLUMNS}
    FROM begun b LEFT JOIN jobs j ON j.id = b.job_id LEFT JOIN feed_events e ON e.id = b.feed_event_id`,
};

interface LeasedReceiver extends Record<string, unknown> {
  readonly tenantId: string;
  readonly receiver: string;
}

export interface DeliveredEventRow extends Record<string, unknown> {
  readonly completedAt: Date | null;
  /** Null: it is of a feed. */
  readonly job: Omit<EndedJob, 'completedAt'> | null;
  readonly feedId: string | null;
  readonly feedEvent: string | null;
  readonly body: string | null;
}

interface BegunRow extends LeasedReceiver, DeliveredEventRow {
  readonly id: string;
  readonly url: string;
  readonly state: Exclude<DeliveryState, 'delivered'>;
  readonly round: number;
  readonly step: number;
  readonly attemptNo: number;
  readonly at: Date;
}

/**
 * Leases due deliveries, one per receiver, the longest waiting receiver first. A worker that dies
 * loses its leases after `leaseMs`, and its deliveries are sent again. Two workers never hold the
 * same receiver, so no delivery is in flight twice.
 */
export async function takeDeliveries(database: Database, options: TakeOptions): Promise<Taken> {
  const lease = newId();
  const now = options.now ?? null;
  const receivers = await leaseReceivers(database, lease, options);
  if (receivers.length === 0) return { sends: [], closed: [] };
  const begun = await database.query<BegunRow>(BEGIN, [
    now,
    receivers.map(({ tenantId }) => tenantId),
    receivers.map(({ receiver }) => receiver),
    options.maxSteps,
  ]);
  const sends = begun.filter(({ state }) => state === 'pending');
  const sending = new Set(sends.map(keyOf));
  for (const idle of receivers.filter((one) => !sending.has(keyOf(one)))) {
    await release(database, { ...idle, lease }, options.now);
  }
  return { sends: sends.map((row) => toDelivery(row, lease)), closed: begun.flatMap(toClosed) };
}

function leaseReceivers(
  database: Database,
  lease: string,
  { most, perTenant, busy, leaseMs, now }: TakeOptions,
): Promise<LeasedReceiver[]> {
  return database.query<LeasedReceiver>(LEASE, [
    now ?? null,
    [...busy.keys()],
    [...busy.values()],
    perTenant,
    most,
    lease,
    leaseMs,
  ]);
}

async function release(
  database: Database,
  leased: ReceiverLease,
  now: Date | undefined,
): Promise<void> {
  await database.transaction(async (tx) => {
    if (await holdReceiver(tx, leased)) await releaseHeldReceiver(tx, leased, now);
  });
}

function keyOf({ tenantId, receiver }: LeasedReceiver): string {
  return `${tenantId} ${receiver}`;
}

function toDelivery(row: BegunRow, lease: string): TakenDelivery {
  const { id, tenantId, url, receiver, round, step, attemptNo, at } = row;
  const event = toEvent(row);
  return { id, tenantId, url, receiver, lease, round, step, attemptNo, at, event };
}

export function toEvent({
  job,
  completedAt,
  feedId,
  feedEvent,
  body,
}: DeliveredEventRow): DeliveredEvent {
  if (job !== null) return { kind: 'job', job: { ...job, completedAt } };
  return { kind: 'feed', feedId: feedId ?? '', name: feedEvent ?? '', body: body ?? '' };
}

function toClosed(row: BegunRow): ClosedDelivery[] {
  const { id, tenantId, receiver, state } = row;
  if (state === 'pending') return [];
  return [{ id, tenantId, receiver, state, event: deliveredName(toEvent(row)) }];
}

/** Kind and end of the job, such as `crawl.completed`. */
export function eventName({ type, status }: Pick<EndedJob, 'type' | 'status'>): string {
  return `${type}.${status}`;
}

/** Name of an event of a job or a feed. */
export function deliveredName(event: DeliveredEvent): string {
  return event.kind === 'job' ? eventName(event.job) : event.name;
}
