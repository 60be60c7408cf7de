import { newId } from '@app/contracts';
import { run, type Queryable, type Statement, type Database } from '@app/database';
import { liveAt, type IssuedKey, type KeyOrigin } from './api-key.js';
import { insertKey, keepWithinLimit, lockKeysOf } from './issue-key.js';

export const DEFAULT_OVERLAP_SECONDS = 86_400;
export const MAX_OVERLAP_SECONDS = 7 * 86_400;

export interface Rotation {
  readonly tenantId: string;
  readonly keyId: string;
  /** How long the key before still works, 0 to {@link MAX_OVERLAP_SECONDS}. */
  readonly overlapSeconds: number;
  /** Of the new key. @default 'account' */
  readonly origin?: KeyOrigin;
}

export interface RotatedKey extends IssuedKey {
  /** The key before is refused from then on. */
  readonly previousExpiresAt: Date;
}

/**
 * Whole milliseconds, so that the end that is shown is the end to the instant. An end that is set
 * already, by an earlier rotation, is never put off.
 */
const RETIRE: Statement = {
  name: 'retire_api_key',
  text: `UPDATE api_keys SET replaced_by = $3,
           expires_at = least(expires_at, date_trunc('milliseconds', now()) + $4::int * interval '1 second')
         WHERE tenant_id = $1 AND id = $2 AND ${liveAt('now()')}
         RETURNING label, expires_at AS "expiresAt"`,
};

/**
 * Makes a key in place of another, which works until its overlap ends. Null when the tenant has no such
 * key in use. @throws KeyLimitError: with an overlap both count
 */
export async function rotateApiKey(
  database: Database,
  rotation: Rotation,
): Promise<RotatedKey | null> {
  return database.asTenant(rotation.tenantId).transaction((tx) => rotateKey(tx, rotation));
}

/** {@link rotateApiKey} as a part of a transaction. @throws KeyLimitError */
export async function rotateKey(tx: Queryable, rotation: Rotation): Promise<RotatedKey | null> {
  const { tenantId, keyId, overlapSeconds, origin = 'account' } = rotation;
  await lockKeysOf(tx, tenantId);
  const newKeyId = newId();
  const values = [tenantId, keyId, newKeyId, overlapSeconds];
  const [previous] = await run<{ label: string; expiresAt: Date }>(tx, RETIRE, values);
  if (!previous) return null;
  const issued = await insertKey(tx, { tenantId, label: previous.label, origin }, newKeyId);
  await keepWithinLimit(tx, tenantId);
  return { ...issued, previousExpiresAt: previous.expiresAt };
}
