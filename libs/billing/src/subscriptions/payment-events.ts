import { run, type Queryable, type Statement, type Database } from '@app/database';

/** An event as received; the id is the provider's. */
export interface ReceivedEvent {
  readonly provider: string;
  readonly id: string;
  readonly type: string;
  readonly customerId: string;
}

const RECEIVE: Statement = {
  name: 'receive_payment_event',
  text: `INSERT INTO payment_events (provider, id, type, customer_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (provider, id) DO NOTHING RETURNING pg_notify('trawl_payment', '')`,
};

/** Stores an event for later; false when it is stored already. */
export async function receivePaymentEvent(
  database: Database,
  event: ReceivedEvent,
): Promise<boolean> {
  const { provider, id, type, customerId } = event;
  return (await database.query(RECEIVE, [provider, id, type, customerId])).length > 0;
}

/** An event leased by a worker. */
export interface TakenEvent {
  readonly id: string;
  readonly customerId: string;
  /** This one included. */
  readonly attempts: number;
}

export interface TakeEventsOptions {
  readonly provider: string;
  readonly most: number;
  /** Longer than any attempt: until then no other worker takes it. */
  readonly leaseMs: number;
  /** An event with this number of unfinished attempts is not started again. */
  readonly maxAttempts: number;
}

const TAKE: Statement = {
  name: 'take_payment_events',
  text: `
    WITH due AS (
      SELECT id FROM payment_events
      WHERE provider = $1 AND state = 'pending' AND next_at <= now()
      ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    UPDATE payment_events e SET
      state = CASE WHEN attempts >= $4 THEN 'failed' ELSE 'pending' END,
      error = CASE WHEN attempts >= $4 THEN coalesce(error, 'its application was broken off each time') ELSE error END,
      next_at = CASE WHEN attempts >= $4 THEN NULL ELSE now() + $3::int * interval '1 millisecond' END,
      attempts = CASE WHEN attempts >= $4 THEN attempts ELSE attempts + 1 END
    FROM due WHERE e.provider = $1 AND e.id = due.id
    RETURNING e.id, e.customer_id AS "customerId", e.attempts, e.state`,
};

/**
 * Leases due events. Each attempt is counted before it starts, so that an event that kills its
 * process ends too. Events of a dead worker are free again after `leaseMs`.
 */
export async function takePaymentEvents(
  database: Database,
  { provider, most, leaseMs, maxAttempts }: TakeEventsOptions,
): Promise<{ readonly taken: readonly TakenEvent[]; readonly failed: readonly TakenEvent[] }> {
  const rows = await database.query<TakenRow>(TAKE, [provider, most, leaseMs, maxAttempts]);
  return {
    taken: rows.filter(({ state }) => state === 'pending'),
    failed: rows.filter(({ state }) => state === 'failed'),
  };
}

interface TakenRow extends TakenEvent, Record<string, unknown> {
  readonly state: string;
}

const DEFER: Statement = {
  name: 'defer_payment_event',
  text: `UPDATE payment_events SET error = coalesce($3, error), attempts = attempts - $5::int,
                next_at = now() + $4::bigint * interval '1 millisecond'
         WHERE provider = $1 AND id = $2 AND state = 'pending'`,
};

/** The event is tried again in a while. An attempt that was broken off from here does not count. */
export async function deferPaymentEvent(
  database: Database,
  event: { readonly provider: string; readonly id: string },
  next: { readonly inMs: number; readonly error: string | null; readonly isCounted: boolean },
): Promise<void> {
  const { inMs, error, isCounted } = next;
  await database.query(DEFER, [
    ...[event.provider, event.id, error],
    ...[Math.round(inMs), isCounted ? 0 : 1],
  ]);
}

const END: Statement = {
  name: 'end_payment_event',
  text: `UPDATE payment_events SET state = $3, error = $4, next_at = NULL
         WHERE provider = $1 AND id = $2 AND state = 'pending'`,
};

/** Ends the event without a change: its customer is unknown, or its attempts are used up. */
export async function endPaymentEvent(
  database: Database,
  event: { readonly provider: string; readonly id: string },
  end: { readonly state: 'ignored' | 'failed'; readonly error: string },
): Promise<void> {
  await database.query(END, [event.provider, event.id, end.state, end.error]);
}

const APPLIED: Statement = {
  name: 'payment_events_applied',
  text: `UPDATE payment_events SET state = 'applied', applied_at = now(), next_at = NULL, error = NULL
         WHERE provider = $1 AND customer_id = $2 AND state = 'pending' AND received_at <= $3::timestamptz
         RETURNING 1`,
};

/**
 * A reading that began after an event was received covers it. Returns how many events it completed.
 */
export async function markEventsApplied(
  tx: Queryable,
  { provider, customerId, upTo }: { provider: string; customerId: string; upTo: string },
): Promise<number> {
  return (await run(tx, APPLIED, [provider, customerId, upTo])).length;
}

const SWEEP: Statement = {
  name: 'sweep_payment_events',
  text: `DELETE FROM payment_events WHERE (provider, id) IN (
           SELECT provider, id FROM payment_events
           WHERE state <> 'pending' AND received_at < now() - $1::int * interval '1 day'
           ORDER BY received_at LIMIT $2)
         RETURNING 1`,
};

/**
 * Forgets events that ended long ago; returns how many. One that the provider sends again after that is
 * applied again, which changes nothing.
 */
export async function sweepPaymentEvents(
  database: Database,
  { olderThanDays, limit }: { readonly olderThanDays: number; readonly limit: number },
): Promise<number> {
  return (await database.query(SWEEP, [olderThanDays, limit])).length;
}
