import type { Statement, Database } from '@app/database';

/** Calls that are charged one by one; the pages of a crawl are charged when they are finished. */
export type ChargedOperation =
  | ('scrape' | 'map' | 'search' | 'scraper' | 'screenshot' | 'extract' | 'parse')
  | ('enrich' | 'brand' | 'resolve');

const CHARGE: Statement = {
  name: 'charge',
  text: `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd, is_extraction)
         VALUES ($1, $2, $3, $3, $4, $5, $6) ON CONFLICT (reference, item) DO NOTHING RETURNING 1`,
};

const CHARGED: Statement = {
  name: 'is_charged',
  text: 'SELECT 1 FROM credit_ledger WHERE reference = $1 AND item = $1',
};

/** Whether a call was charged by an earlier try. */
export async function isCharged(database: Database, chargeId: string): Promise<boolean> {
  return (await database.query(CHARGED, [chargeId])).length > 0;
}

/**
 * Charges one call; false when it was charged before. One charge id is charged once, however often
 * the call is replayed.
 */
export async function charge(
  database: Database,
  entry: {
    readonly tenantId: string;
    readonly operation: ChargedOperation;
    /** Request id. */
    readonly chargeId: string;
    readonly credits: number;
    /** Model cost in millionths of a dollar. @default 0 */
    readonly costMicroUsd?: number;
    /** A model made its JSON or summary. @default false */
    readonly isExtraction?: boolean;
  },
): Promise<boolean> {
  const { tenantId, operation, chargeId, credits, costMicroUsd = 0, isExtraction = false } = entry;
  const values = [tenantId, operation, chargeId, credits, costMicroUsd, isExtraction];
  return (await database.query(CHARGE, values)).length > 0;
}
