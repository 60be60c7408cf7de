import type { Statement, Store } from '@app/database';
import { findTenant, type Tenant, type TenantRecord } from '../tenants/tenants.js';
import { PAY_PER_CALL_TENANT_ID } from './tenant-id.js';

/**
 * Custom, with nothing agreed: each call is paid for before it is answered, so neither the credits of a
 * month nor overage may stand in its way.
 */
const MAKE: Statement = {
  name: 'make_pay_per_call_tenant',
  text: `INSERT INTO tenants (id, name, plan) VALUES ('${PAY_PER_CALL_TENANT_ID}', 'pay-per-call', 'custom')
         ON CONFLICT (id) DO NOTHING`,
};

/**
 * The one tenant that all paid calls without a key are made as, as it is now; made when it is not there.
 * Nobody has a key of it, so nobody can ask for what belongs to it.
 */
export async function payPerCallTenant(store: Store): Promise<Tenant> {
  const tenant = (await findTenant(store, PAY_PER_CALL_TENANT_ID)) ?? (await made(store));
  return { id: tenant.id, plan: tenant.plan, keyId: null, agreed: tenant.agreed };
}

async function made(store: Store): Promise<TenantRecord> {
  await store.query(MAKE, []);
  const tenant = await findTenant(store, PAY_PER_CALL_TENANT_ID);
  if (tenant === null) throw new Error('the tenant of pay-per-call could not be made');
  return tenant;
}
