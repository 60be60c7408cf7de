import type { Statement, Store } from './open-store.js';

/** Calls that are booked one by one; the pages of a crawl are booked when they are finished. */
export type ChargedOperation = 'scrape' | 'map' | 'screenshot' | 'extract' | 'parse';

const CHARGE: Statement = {
  name: 'charge',
  text: `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd)
         VALUES ($1, $2, $3, $3, $4, $5) ON CONFLICT (reference, item) DO NOTHING`,
};

/** Books one call. The same reference is never booked twice, however often the call is replayed. */
export async function charge(
  store: Store,
  entry: {
    readonly tenantId: string;
    readonly operation: ChargedOperation;
    /** Request id. */
    readonly reference: string;
    readonly credits: number;
    /** What models cost, in millionths of a dollar. @default 0 */
    readonly costMicroUsd?: number;
  },
): Promise<void> {
  const { tenantId, operation, reference, credits, costMicroUsd = 0 } = entry;
  await store.query(CHARGE, [tenantId, operation, reference, credits, costMicroUsd]);
}
