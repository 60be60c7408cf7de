import { newId, type Plan } from '@app/contracts';
import type { Statement, Store } from '@app/database';

/** What a tenant is at the payment provider. */
export interface BillingAccount {
  readonly tenantId: string;
  readonly provider: string;
  /** Null until the provider made one. */
  readonly customerId: string | null;
  /** Under this key the customer is made. */
  readonly claimId: string;
  /** As of the last reading; null without one that lives. */
  readonly subscriptionId: string | null;
  readonly subscriptionState: string | null;
  /** What the last reading entitles to; null as long as nothing was read. */
  readonly plan: Plan | null;
  readonly periodEnd: Date | null;
  /** When the subscription ends by itself; null: it renews. */
  readonly endsAt: Date | null;
}

const COLUMNS = `tenant_id AS "tenantId", provider, customer_id AS "customerId", claim_id AS "claimId",
  subscription_id AS "subscriptionId", subscription_state AS "subscriptionState", plan,
  period_end AS "periodEnd", ends_at AS "endsAt"`;

const FIND: Statement = {
  name: 'find_billing_account',
  text: `SELECT ${COLUMNS} FROM billing_accounts WHERE tenant_id = $1`,
};

export async function findBillingAccount(
  store: Store,
  tenantId: string,
): Promise<BillingAccount | null> {
  const [account] = await store.query<Row>(FIND, [tenantId]);
  return account ?? null;
}

const OPEN: Statement = {
  name: 'open_billing_account',
  text: `INSERT INTO billing_accounts (tenant_id, provider, claim_id)
         SELECT id, $2, $3 FROM tenants WHERE id = $1
         ON CONFLICT (tenant_id) DO NOTHING`,
};

/** The tenant's account, made when it has none; null when there is no such tenant. */
export async function openBillingAccount(
  store: Store,
  { tenantId, provider }: Pick<BillingAccount, 'tenantId' | 'provider'>,
): Promise<BillingAccount | null> {
  const found = await findBillingAccount(store, tenantId);
  if (found) return found;
  await store.query(OPEN, [tenantId, provider, newId()]);
  return findBillingAccount(store, tenantId);
}

const KEEP: Statement = {
  name: 'keep_billing_customer',
  text: `UPDATE billing_accounts SET customer_id = $3
         WHERE tenant_id = $1 AND claim_id = $2 AND customer_id IS NULL`,
};

/** Keeps the customer that was made under a claim; false when the claim is no longer the account's. */
export async function keepCustomer(
  store: Store,
  { tenantId, claimId, customerId }: { tenantId: string; claimId: string; customerId: string },
): Promise<boolean> {
  await store.query(KEEP, [tenantId, claimId, customerId]);
  return (await findBillingAccount(store, tenantId))?.customerId === customerId;
}

const RENEW: Statement = {
  name: 'renew_billing_claim',
  text: `UPDATE billing_accounts SET claim_id = $3, customer_id = NULL
         WHERE tenant_id = $1 AND claim_id = $2`,
};

/**
 * The next customer is made under another key: the provider repeats what it answered to one, failures
 * too. Also forgets the customer, which is for one that the provider no longer has.
 */
export async function renewClaim(
  store: Store,
  { tenantId, claimId }: Pick<BillingAccount, 'tenantId' | 'claimId'>,
): Promise<void> {
  await store.query(RENEW, [tenantId, claimId, newId()]);
}

type Row = BillingAccount & Record<string, unknown>;
