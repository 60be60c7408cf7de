import type { Statement, Store } from './open-store.js';

/** Calls that are booked one by one; the pages of a crawl are booked when they are finished. */
export type ChargedOperation = 'scrape' | 'screenshot';

const CHARGE: Statement = {
  name: 'charge',
  text: `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits)
         VALUES ($1, $2, $3, $3, $4) ON CONFLICT (reference, item) DO NOTHING`,
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
  },
): Promise<void> {
  await store.query(CHARGE, [entry.tenantId, entry.operation, entry.reference, entry.credits]);
}
