import { timingSafeEqual } from 'node:crypto';
import type { Plan } from '@app/contracts';
import type { Statement, Database } from '@app/database';
import { agreedOf, type Agreed, type Tenant } from '../tenants/tenants.js';
import { hashKey, liveAt, lookupPart } from './api-key.js';
import { noteUse } from './note-use.js';

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `SELECT t.id, t.plan, k.id AS "keyId", k.secret_hash AS "secretHash",
           ${agreedOf('t')} AS agreed,
           k.last_used_at IS NULL OR k.last_used_at <= now() - interval '1 minute' AS "isUseDue"
         FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
         WHERE k.prefix = $1 AND ${liveAt('coalesce($2::timestamptz, now())', 'k')}`,
};

interface FoundKey {
  readonly id: string;
  readonly plan: Plan;
  readonly keyId: string;
  readonly secretHash: Buffer;
  readonly agreed: Agreed;
  readonly isUseDue: boolean;
}

/**
 * The tenant of a key, or null when the key is unknown, revoked or expired; for callers that count
 * no request by it (`admitRequests` does both). Never cached: a change to a key acts at the next
 * request, in every process.
 * @param now @default the clock of the database
 */
export async function findTenantByKey(
  database: Database,
  key: string,
  now?: Date,
): Promise<Tenant | null> {
  const lookup = lookupPart(key);
  if (lookup === null) return null;
  const values = [lookup, now ?? null];
  const [row] = await database.query<FoundKey & Record<string, unknown>>(FIND_KEY, values);
  if (!row || !timingSafeEqual(row.secretHash, hashKey(key))) return null;
  if (row.isUseDue) noteUse(database, row.keyId);
  const { id, plan, keyId, agreed } = row;
  return { id, plan, keyId, agreed };
}
