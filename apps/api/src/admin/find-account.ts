import { isId } from '@app/contracts';
import {
  API_KEY_PREFIX,
  findTenant,
  findTenantsNamed,
  ownerOfKey,
  type KeyOfTenant,
  type TenantRecord,
} from '@app/accounts';
import { type Database } from '@app/database';
import { AdminProblem } from './admin-problem.js';

/** Finds a tenant by id, or by a unique name. @throws AdminProblem */
export async function accountOf(database: Database, idOrName: string): Promise<TenantRecord> {
  const byId = isId(idOrName) ? await findTenant(database, idOrName) : null;
  if (byId) return byId;
  const [named, another] = await findTenantsNamed(database, idOrName);
  if (another) throw new AdminProblem(`several tenants are named ${shown(idOrName)}: use the id`);
  if (!named) throw new AdminProblem(`no tenant has the id or name ${shown(idOrName)}`);
  return named;
}

/** Finds a key by id, or by its full text, active or not. @throws AdminProblem */
export async function keyNamed(database: Database, idOrText: string): Promise<KeyOfTenant> {
  const found = idOrText.startsWith(API_KEY_PREFIX)
    ? await ownerOfKey(database, { key: idOrText })
    : isId(idOrText) && (await ownerOfKey(database, { id: idOrText }));
  // A key must not be printed back.
  if (!found) throw new AdminProblem('no key has this id or text');
  return found;
}

function shown(text: string): string {
  return JSON.stringify(text);
}
