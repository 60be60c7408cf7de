import { rowsIn, type Queryable } from '@app/database';
import { TenantEntity } from '../tenants/tenant.entity.js';
import { dropSignInLinks } from './sign-in-links.js';

/** Whom links to sign in go to from now on; null: nobody. Links on their way to who it was before end. */
export async function setSignInAddress(
  tx: Queryable,
  tenantId: string,
  email: string | null,
): Promise<void> {
  await rowsIn(tx, TenantEntity).update({ id: tenantId }, { email });
  await dropSignInLinks(tx, tenantId);
}
