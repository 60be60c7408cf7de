import { newId } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import { IsNull } from 'typeorm';
import { BillingAccountEntity } from './billing-account.entity.js';

export type BillingAccount = Readonly<BillingAccountEntity>;

export async function findBillingAccount(
  database: Database,
  tenantId: string,
): Promise<BillingAccount | null> {
  return database.rows(BillingAccountEntity).findOneBy({ tenantId });
}

const OPEN: Statement = {
  name: 'open_billing_account',
  text: `INSERT INTO billing_accounts (tenant_id, provider, claim_id)
         SELECT id, $2, $3 FROM tenants WHERE id = $1
         ON CONFLICT (tenant_id) DO NOTHING`,
};

/** The tenant's account, made when it has none; null when there is no such tenant. */
export async function openBillingAccount(
  database: Database,
  { tenantId, provider }: Pick<BillingAccount, 'tenantId' | 'provider'>,
): Promise<BillingAccount | null> {
  const found = await findBillingAccount(database, tenantId);
  if (found) return found;
  await database.query(OPEN, [tenantId, provider, newId()]);
  return findBillingAccount(database, tenantId);
}

/** Keeps the customer that was made under a claim; false when the claim is no longer the account's. */
export async function keepCustomer(
  database: Database,
  { tenantId, claimId, customerId }: { tenantId: string; claimId: string; customerId: string },
): Promise<boolean> {
  const unclaimed = { tenantId, claimId, customerId: IsNull() };
  await database.rows(BillingAccountEntity).update(unclaimed, { customerId });
  return (await findBillingAccount(database, tenantId))?.customerId === customerId;
}

/**
 * Changes the idempotency key under which the next customer is created: the provider repeats its
 * answer to a key, failures too. Also clears the customer id, for a customer that the provider no
 * longer has.
 */
export async function renewClaim(
  database: Database,
  { tenantId, claimId }: Pick<BillingAccount, 'tenantId' | 'claimId'>,
): Promise<void> {
  const next = { claimId: newId(), customerId: null };
  await database.rows(BillingAccountEntity).update({ tenantId, claimId }, next);
}
