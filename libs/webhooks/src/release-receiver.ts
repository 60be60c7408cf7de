import { run, type Queryable, type Statement } from '@app/database';

/** A receiver as its holder knows it. */
export interface ReceiverLease {
  readonly tenantId: string;
  readonly receiver: string;
  readonly lease: string;
}

const HOLD: Statement = {
  name: 'hold_webhook_receiver',
  text: `SELECT lease FROM webhook_receivers
         WHERE tenant_id = $1 AND receiver = $2 AND lease = $3 FOR UPDATE`,
};

/**
 * A receiver with more to come queues up behind the others that are due; one with nothing left is
 * forgotten, so the table is no longer than the backlog.
 */
const RELEASE: Statement = {
  name: 'release_webhook_receiver',
  text: `
    WITH next AS (
      SELECT min(next_at) AS at FROM webhook_deliveries
      WHERE tenant_id = $2 AND receiver = $3 AND state = 'pending'
    ), forgotten AS (
      DELETE FROM webhook_receivers r USING next
      WHERE r.tenant_id = $2 AND r.receiver = $3 AND next.at IS NULL
    )
    UPDATE webhook_receivers r SET lease = NULL, leased_until = NULL,
           next_at = greatest(next.at, coalesce($1::timestamptz, now()))
    FROM next WHERE r.tenant_id = $2 AND r.receiver = $3 AND next.at IS NOT NULL`,
};

/** Locks the receiver against everything that changes its deliveries; false when the lease was lost. */
export async function holdReceiver(tx: Queryable, held: ReceiverLease): Promise<boolean> {
  return (await run(tx, HOLD, [held.tenantId, held.receiver, held.lease])).length > 0;
}

/**
 * Ends the lease of a held receiver, and sets when its next delivery is due. Inserts of a delivery
 * wait for the lock; every earlier insert is visible here.
 */
export async function releaseHeldReceiver(
  tx: Queryable,
  { tenantId, receiver }: ReceiverLease,
  now?: Date,
): Promise<void> {
  await run(tx, RELEASE, [now ?? null, tenantId, receiver]);
}
