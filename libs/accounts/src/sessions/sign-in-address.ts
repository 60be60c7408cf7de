import { run, type Queryable, type Statement } from '@app/database';
import { dropSignInLinks } from './sign-in-links.js';

const SET: Statement = {
  name: 'set_tenant_email',
  text: 'UPDATE tenants SET email = $2 WHERE id = $1',
};

/** Whom links to sign in go to from now on; null: nobody. Links on their way to who it was before end. */
export async function setSignInAddress(
  tx: Queryable,
  tenantId: string,
  email: string | null,
): Promise<void> {
  await run(tx, SET, [tenantId, email]);
  await dropSignInLinks(tx, tenantId);
}
