import { run, type Statement, type Database } from '@app/database';
import type { AttemptError, TakenDelivery } from './delivery.js';
import { holdReceiver, releaseHeldReceiver } from './release-receiver.js';

/** State of a delivery after an attempt. */
export type AfterAttempt =
  | { readonly state: 'delivered' | 'failed' | 'disabled' }
  | {
      readonly state: 'pending';
      readonly inMs: number;
      /** False when the attempt does not count, such as one broken off by a shutdown. */
      readonly isCounted: boolean;
    };

export interface AttemptEnd {
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly ms: number;
  /** Beginning of the answer's body as text. */
  readonly answer: string | null;
  readonly after: AfterAttempt;
}

const ATTEMPT: Statement = {
  name: 'record_webhook_attempt',
  text: 'UPDATE webhook_attempts SET status = $3, ms = $4, error = $5, answer = $6 WHERE delivery_id = $1 AND no = $2',
};
/** A redelivery requested meanwhile starts its round whatever the outcome of this attempt. */
const DELIVERY: Statement = {
  name: 'record_webhook_delivery',
  text: `
    UPDATE webhook_deliveries SET last_status = $3, last_error = $4,
           state = CASE WHEN round = $2 THEN $5 ELSE state END,
           next_at = CASE WHEN round <> $2 THEN next_at
                          WHEN $5 = 'pending' THEN coalesce($1::timestamptz, now()) + $6::bigint * interval '1 millisecond' END,
           ended_at = CASE WHEN round = $2 AND $5 <> 'pending' THEN coalesce($1::timestamptz, now()) END,
           step = CASE WHEN round = $2 THEN step - $7::int ELSE step END
    WHERE id = $8`,
};
const DISABLE: Statement = {
  name: 'disable_webhook',
  text: `INSERT INTO webhook_disabled (tenant_id, url_key, url, disabled_at)
         SELECT tenant_id, url_key, url, coalesce($1::timestamptz, now()) FROM webhook_deliveries WHERE id = $2
         ON CONFLICT (tenant_id, url_key) DO NOTHING`,
};

/**
 * Records the end of an attempt, the state of its delivery, and when its receiver is next due; a
 * 410 (`disabled`) also disables the URL. Returns false when the lease was lost meanwhile: the
 * delivery belongs to another process then, and only the log of the attempt is completed.
 */
export async function recordAttempt(
  database: Database,
  delivery: TakenDelivery,
  end: AttemptEnd,
  now?: Date,
): Promise<boolean> {
  const { id, attemptNo, round } = delivery;
  const { status, ms, error, answer, after } = end;
  return database.transaction(async (tx) => {
    const isHeld = await holdReceiver(tx, delivery);
    await run(tx, ATTEMPT, [id, attemptNo, status, ms, error, answer]);
    if (!isHeld) return false;
    const [inMs, uncounted] =
      after.state === 'pending' ? [after.inMs, after.isCounted ? 0 : 1] : [0, 0];
    await run(tx, DELIVERY, [
      now ?? null,
      round,
      status,
      error,
      after.state,
      Math.round(inMs),
      uncounted,
      id,
    ]);
    if (after.state === 'disabled') await run(tx, DISABLE, [now ?? null, id]);
    await releaseHeldReceiver(tx, delivery, now);
    return true;
  });
}
