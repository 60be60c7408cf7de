import type { Statement, Database } from '@app/database';

/** Calls that are booked one by one; the pages of a crawl are booked when they are finished. */
export type ChargedOperation =
  'scrape' | 'map' | 'screenshot' | 'extract' | 'parse' | 'enrich' | 'brand';

const CHARGE: Statement = {
  name: 'charge',
  text: `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd)
         VALUES ($1, $2, $3, $3, $4, $5) ON CONFLICT (reference, item) DO NOTHING RETURNING 1`,
};

const CHARGED: Statement = {
  name: 'is_charged',
  text: 'SELECT 1 FROM credit_ledger WHERE reference = $1 AND item = $1',
};

/** Whether a call is booked: an earlier try of it came so far. */
export async function isCharged(database: Database, reference: string): Promise<boolean> {
  return (await database.query(CHARGED, [reference])).length > 0;
}

/**
 * Books one call; false when it was booked before. The same reference is never booked twice, however
 * often the call is replayed.
 */
export async function charge(
  database: Database,
  entry: {
    readonly tenantId: string;
    readonly operation: ChargedOperation;
    /** Request id. */
    readonly reference: string;
    readonly credits: number;
    /** Model cost in millionths of a dollar. @default 0 */
    readonly costMicroUsd?: number;
  },
): Promise<boolean> {
  const { tenantId, operation, reference, credits, costMicroUsd = 0 } = entry;
  const values = [tenantId, operation, reference, credits, costMicroUsd];
  return (await database.query(CHARGE, values)).length > 0;
}
