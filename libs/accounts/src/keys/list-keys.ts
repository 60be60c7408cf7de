import type { Statement, Database } from '@app/database';
import { hashKey, KEY_COLUMNS, lookupPart, type ApiKey } from './api-key.js';
import type { KeyOfTenant } from './revoke-key.js';

/** More than are ever kept of one tenant. */
const MOST = 500;

const LIST: Statement = {
  name: 'list_api_keys',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys WHERE tenant_id = $1
         ORDER BY created_at DESC, id DESC LIMIT ${MOST}`,
};
const FIND: Statement = {
  name: 'find_key_of_tenant',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys WHERE tenant_id = $1 AND id = $2`,
};
const OWNER: Statement = {
  name: 'owner_of_key',
  text: `SELECT id AS "keyId", tenant_id AS "tenantId" FROM api_keys WHERE id = $1`,
};
const OWNER_BY_TEXT: Statement = {
  name: 'owner_of_key_text',
  text: `SELECT id AS "keyId", tenant_id AS "tenantId" FROM api_keys WHERE prefix = $1 AND secret_hash = $2`,
};

/** Keys of a tenant, newest first: all that are in use, and the last ones that ended. */
export async function listApiKeys(database: Database, tenantId: string): Promise<ApiKey[]> {
  return database.asReader(tenantId).query<ApiKey & Record<string, unknown>>(LIST, [tenantId]);
}

/** One key of a tenant; null when it has none of that id. */
export async function findApiKey(
  database: Database,
  { tenantId, keyId }: KeyOfTenant,
): Promise<ApiKey | null> {
  const reader = database.asReader(tenantId);
  const [key] = await reader.query<ApiKey & Record<string, unknown>>(FIND, [tenantId, keyId]);
  return key ?? null;
}

/** The owner of the key with this id, or this text; for operators. Ended keys too. */
export async function ownerOfKey(
  database: Database,
  which: { readonly id: string } | { readonly key: string },
): Promise<KeyOfTenant | null> {
  const found =
    'id' in which
      ? database.query<KeyOfTenant & Record<string, unknown>>(OWNER, [which.id])
      : database.query<KeyOfTenant & Record<string, unknown>>(OWNER_BY_TEXT, [
          lookupPart(which.key),
          hashKey(which.key),
        ]);
  return (await found)[0] ?? null;
}
