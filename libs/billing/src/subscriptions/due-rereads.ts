import type { Statement, Database } from '@app/database';

export interface RereadOptions {
  readonly provider: string;
  readonly most: number;
  /** When a customer whose reading fails is due again; until then no other replica takes it. */
  readonly retryInSeconds: number;
}

const TAKE: Statement = {
  name: 'take_due_rereads',
  text: `
    UPDATE billing_accounts SET reread_at = now() + $3::int * interval '1 second'
    WHERE tenant_id = ANY (ARRAY (
      SELECT tenant_id FROM billing_accounts
      WHERE provider = $1 AND customer_id IS NOT NULL AND reread_at <= now()
      ORDER BY reread_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING customer_id AS "customerId"`,
};

/**
 * Customers not read for a day, the longest first. A stored reading postpones the next one by a
 * day, see `followSubscription`.
 */
export async function takeDueRereads(
  database: Database,
  { provider, most, retryInSeconds }: RereadOptions,
): Promise<readonly string[]> {
  const rows = await database.query<{ customerId: string }>(TAKE, [provider, most, retryInSeconds]);
  return rows.map(({ customerId }) => customerId);
}
