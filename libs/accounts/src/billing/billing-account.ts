import { newId } from '@app/contracts';
import type { Statement, Store } from '@app/database';
import { IsNull } from 'typeorm';
import { BillingAccountEntity } from './billing-account.entity.js';

export type BillingAccount = Readonly<BillingAccountEntity>;

export async function findBillingAccount(
  store: Store,
  tenantId: string,
): Promise<BillingAccount | null> {
  return store.rows(BillingAccountEntity).findOneBy({ tenantId });
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

/** Keeps the customer that was made under a claim; false when the claim is no longer the account's. */
export async function keepCustomer(
  store: Store,
  { tenantId, claimId, customerId }: { tenantId: string; claimId: string; customerId: string },
): Promise<boolean> {
  const unclaimed = { tenantId, claimId, customerId: IsNull() };
  await store.rows(BillingAccountEntity).update(unclaimed, { customerId });
  return (await findBillingAccount(store, tenantId))?.customerId === customerId;
}

/**
 * Changes the idempotency key under which the next customer is created: the provider repeats its
 * answer to a key, failures too. Also clears the customer id, for a customer that the provider no
 * longer has.
 */
export async function renewClaim(
  store: Store,
  { tenantId, claimId }: Pick<BillingAccount, 'tenantId' | 'claimId'>,
): Promise<void> {
  const next = { claimId: newId(), customerId: null };
  await store.rows(BillingAccountEntity).update({ tenantId, claimId }, next);
}
