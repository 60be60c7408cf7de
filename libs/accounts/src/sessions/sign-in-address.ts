import { rowsIn, type Queryable } from '@app/database';
import { TenantEntity } from '../tenants/tenant.entity.js';
import { dropSignInLinks } from './sign-in-links.js';

/** Where sign-in links go from now on; null: nowhere. Links already sent to the former address end. */
export async function setSignInAddress(
  tx: Queryable,
  tenantId: string,
  email: string | null,
): Promise<void> {
  await rowsIn(tx, TenantEntity).update({ id: tenantId }, { email });
  await dropSignInLinks(tx, tenantId);
}
