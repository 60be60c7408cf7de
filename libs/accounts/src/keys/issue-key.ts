import { newId } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import {
  KEY_COLUMNS,
  liveAt,
  newKeyText,
  type ApiKey,
  type IssuedKey,
  type KeyOrigin,
} from './api-key.js';

/** Keys of one tenant that may be in use at a time, those in an overlap included. */
export const MAX_ACTIVE_KEYS = 50;
/** Keys of one tenant that are kept after their end, the newest: it can make and end them for ever. */
const MAX_ENDED_KEYS = 100;

export interface NewKey {
  readonly tenantId: string;
  readonly label: string;
  readonly origin: KeyOrigin;
}

/** A tenant has {@link MAX_ACTIVE_KEYS} in use: one must end before another is made. */
export class KeyLimitError extends Error {
  constructor() {
    super(`a tenant has at most ${MAX_ACTIVE_KEYS} active keys: revoke one first`);
    this.name = 'KeyLimitError';
  }
}

/** Those who change the keys of one tenant do so one after the other. */
const LOCK_TENANT: Statement = {
  name: 'lock_tenant_keys',
  text: 'SELECT id FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const COUNT_ACTIVE: Statement = {
  name: 'count_active_keys',
  text: `SELECT count(*)::int AS active FROM api_keys WHERE tenant_id = $1 AND ${liveAt('now()')}`,
};
const FORGET_ENDED: Statement = {
  name: 'forget_ended_keys',
  text: `DELETE FROM api_keys WHERE id IN (
           SELECT id FROM api_keys WHERE tenant_id = $1 AND NOT (${liveAt('now()')})
           ORDER BY coalesce(revoked_at, expires_at) DESC, id DESC OFFSET ${MAX_ENDED_KEYS})`,
};
const INSERT: Statement = {
  name: 'insert_api_key',
  text: `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label, origin)
         VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${KEY_COLUMNS}`,
};

/** Makes a key for a tenant that is there. Its text is returned this once; only its hash is kept. @throws KeyLimitError */
export async function issueApiKey(database: Database, wanted: NewKey): Promise<IssuedKey> {
  return database.asTenant(wanted.tenantId).transaction((tx) => issueKey(tx, wanted));
}

/** {@link issueApiKey} as a part of a transaction. @throws KeyLimitError */
export async function issueKey(tx: Queryable, wanted: NewKey): Promise<IssuedKey> {
  await lockKeysOf(tx, wanted.tenantId);
  const issued = await insertKey(tx, wanted);
  await keepWithinLimit(tx, wanted.tenantId);
  return issued;
}

/** {@link issueApiKey} for who wants the text alone. @throws KeyLimitError */
export async function createApiKey(
  database: Database,
  tenantId: string,
  label: string,
  origin: KeyOrigin = 'admin',
): Promise<string> {
  return (await issueApiKey(database, { tenantId, label, origin })).key;
}

export async function lockKeysOf(tx: Queryable, tenantId: string): Promise<void> {
  await run(tx, LOCK_TENANT, [tenantId]);
}

/** Without counting the keys. */
export async function insertKey(
  tx: Queryable,
  { tenantId, label, origin }: NewKey,
  id = newId(),
): Promise<IssuedKey> {
  const { key, lookup, hash } = newKeyText();
  const values = [id, tenantId, lookup, hash, label, origin];
  const [record] = await run<ApiKey & Record<string, unknown>>(tx, INSERT, values);
  if (!record) throw new Error('an inserted key was not returned');
  return { key, record };
}

/** Under the lock, after the change. @throws KeyLimitError, which undoes it */
export async function keepWithinLimit(tx: Queryable, tenantId: string): Promise<void> {
  const [row] = await run<{ active: number }>(tx, COUNT_ACTIVE, [tenantId]);
  if ((row?.active ?? 0) > MAX_ACTIVE_KEYS) throw new KeyLimitError();
  await run(tx, FORGET_ENDED, [tenantId]);
}
