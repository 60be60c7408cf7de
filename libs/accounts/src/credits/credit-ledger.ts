import type { Statement, Database } from '@app/database';

/** Calls that are charged one by one; the pages of a crawl are charged when they are finished. */
export type ChargedOperation =
  | ('scrape' | 'map' | 'search' | 'scraper' | 'screenshot' | 'extract' | 'parse')
  | ('enrich' | 'brand' | 'resolve');

/**
 * Writes entries of the ledger: every charge is one of these, within the statement that does what is charged.
 * @param entries SELECT of tenant, operation, reference, item (the same pair is charged once), credits, model cost in
 *   millionths of a dollar, whether the credits were reserved, then the columns of `more`
 */
export function chargesSql(
  entries: string,
  ...more: readonly ('is_extraction' | 'created_at')[]
): string {
  const columns = ['tenant_id', 'operation', 'reference', 'item', 'credits', 'cost_micro_usd'];
  return `INSERT INTO credit_ledger (${[...columns, 'from_hold', ...more].join(', ')})
    ${entries}`;
}

const CHARGE: Statement = {
  name: 'charge',
  text: `${chargesSql('SELECT $1::uuid, $2::text, $3::uuid, $3::uuid, $4::int, $5::bigint, false, $6::boolean', 'is_extraction')}
         ON CONFLICT (reference, item) DO NOTHING RETURNING 1`,
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
