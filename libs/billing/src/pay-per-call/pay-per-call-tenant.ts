import type { Statement, Database } from '@app/database';
import { findTenant, type Tenant, type TenantRecord } from '@app/accounts';
import { PAY_PER_CALL_TENANT_ID } from '@app/accounts';

/**
 * Custom, without an agreement: each call is paid before it is answered, so neither monthly credits
 * nor overage may block it.
 */
const MAKE: Statement = {
  name: 'make_pay_per_call_tenant',
  text: `INSERT INTO tenants (id, name, plan) VALUES ('${PAY_PER_CALL_TENANT_ID}', 'pay-per-call', 'custom')
         ON CONFLICT (id) DO NOTHING`,
};

/**
 * The one tenant of all paid calls without a key, as it is now; created on first use. It has no
 * key, so its data cannot be requested.
 */
export async function payPerCallTenant(database: Database): Promise<Tenant> {
  const tenant = (await findTenant(database, PAY_PER_CALL_TENANT_ID)) ?? (await made(database));
  return { id: tenant.id, plan: tenant.plan, keyId: null, agreed: tenant.agreed };
}

async function made(database: Database): Promise<TenantRecord> {
  await database.query(MAKE, []);
  const tenant = await findTenant(database, PAY_PER_CALL_TENANT_ID);
  if (tenant === null) throw new Error('the tenant of pay-per-call could not be made');
  return tenant;
}
