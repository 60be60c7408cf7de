import type { Statement, Database } from '@app/database';
import type { TakenRequests } from '@app/accounts';
import { PAY_PER_CALL_TENANT_ID } from '@app/accounts';

/**
 * Windows of payers are stored with those of tenants: one per network, all under their shared
 * tenant.
 */
const KIND = `'payer ' || $1::cidr::text`;

const TAKE: Statement = {
  name: 'take_payer_request',
  text: `SELECT admitted, remaining, wait_ms AS "waitMs"
         FROM take_requests('${PAY_PER_CALL_TENANT_ID}', ${KIND}, $2::int, 1, $3::timestamptz)`,
};

/**
 * Counts one paid call of a network, in all replicas together: see `takeRequests`. The tenant of
 * pay-per-call has to be there.
 */
export async function takePayerRequest(
  database: Pick<Database, 'query'>,
  {
    network,
    limit,
    now,
  }: {
    /** Whom the window counts, as a CIDR. */
    readonly network: string;
    readonly limit: number;
    /** @default the clock of the database */
    readonly now?: Date;
  },
): Promise<TakenRequests> {
  const values = [network, limit, now ?? null];
  const [taken] = await database.query<TakenRequests & Record<string, unknown>>(TAKE, values);
  if (!taken) throw new Error('take_requests returned no row');
  return taken;
}

/** An hour is far longer than the window. */
const SWEEP: Statement = {
  name: 'sweep_payer_windows',
  text: `DELETE FROM rate_windows WHERE id = ANY (ARRAY (
           SELECT id FROM rate_windows
           WHERE tenant_id = '${PAY_PER_CALL_TENANT_ID}' AND kind LIKE 'payer %'
             AND last_at < now() - interval '1 hour'
           LIMIT $1 FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
};

/** Forgets at most `limit` networks that have not paid for an hour. Returns how many. */
export async function sweepPayerWindows(database: Database, limit: number): Promise<number> {
  return (await database.query(SWEEP, [limit])).length;
}
