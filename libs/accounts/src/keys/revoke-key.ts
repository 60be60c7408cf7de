import { run, type Queryable, type Statement, type Database } from '@app/database';
import { hashKey, KEY_COLUMNS, lookupPart, type ApiKey } from './api-key.js';

const REVOKE: Statement = {
  name: 'revoke_api_key',
  text: `UPDATE api_keys SET revoked_at = coalesce(revoked_at, now())
         WHERE tenant_id = $1 AND id = $2 RETURNING ${KEY_COLUMNS}`,
};
const REVOKE_TEXT: Statement = {
  name: 'revoke_api_key_text',
  text: `UPDATE api_keys SET revoked_at = now()
         WHERE prefix = $1 AND secret_hash = $2 AND revoked_at IS NULL`,
};

export interface KeyOfTenant {
  readonly tenantId: string;
  readonly keyId: string;
}

/**
 * Withdraws a key: it is refused from the next request on, by every process, as none remembers keys.
 * True when the tenant has that key, also when it was revoked before.
 */
export async function revokeApiKeyById(database: Database, which: KeyOfTenant): Promise<boolean> {
  const own = database.asTenant(which.tenantId);
  return (await own.transaction((tx) => revokeKey(tx, which))) !== null;
}

/** {@link revokeApiKeyById} as a part of a transaction; the key as it is then, or null. */
export async function revokeKey(
  tx: Queryable,
  { tenantId, keyId }: KeyOfTenant,
): Promise<ApiKey | null> {
  const [record] = await run<ApiKey & Record<string, unknown>>(tx, REVOKE, [tenantId, keyId]);
  return record ?? null;
}

/** As {@link revokeApiKeyById}, by the key's text. */
export async function revokeApiKey(database: Database, key: string): Promise<void> {
  await database.query(REVOKE_TEXT, [lookupPart(key), hashKey(key)]);
}
