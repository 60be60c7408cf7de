import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { IsNull } from 'typeorm';
import { newId, type Plan } from '@app/contracts';
import { ApiKeyEntity } from './api-key.entity.js';
import { run, type Statement, type Store } from './open-store.js';
import { TenantEntity } from './tenant.entity.js';

/** Every key begins with this (specification: Authentication 1). */
export const API_KEY_PREFIX = 'trawl_live_';
const LOOKUP_CHARS = 12;
const SECRET_BYTES = 32;

export interface Tenant {
  readonly id: string;
  readonly plan: Plan;
}

export async function createTenant(store: Store, name: string, plan: Plan): Promise<Tenant> {
  const tenant = { id: newId(), name, plan };
  await store.repository(TenantEntity).insert(tenant);
  return { id: tenant.id, plan };
}

/** Makes a key for a tenant. The returned text is shown once; only its hash is kept. */
export async function createApiKey(store: Store, tenantId: string, label: string): Promise<string> {
  const { key, lookup } = newKey();
  await store
    .repository(ApiKeyEntity)
    .insert({ id: newId(), tenantId, prefix: lookup, secretHash: hashKey(key), label });
  return key;
}

/** Withdraws a key: it is refused from the next request on. */
export async function revokeApiKey(store: Store, key: string): Promise<void> {
  await store
    .repository(ApiKeyEntity)
    .update({ prefix: lookupPart(key) ?? '', revokedAt: IsNull() }, { revokedAt: new Date() });
}

function newKey(): { readonly key: string; readonly lookup: string } {
  const lookup = randomBytes(LOOKUP_CHARS / 2).toString('hex');
  return {
    lookup,
    key: `${API_KEY_PREFIX}${lookup}_${randomBytes(SECRET_BYTES).toString('base64url')}`,
  };
}

/** Held while the first tenant is made: replicas that start together make one. */
const FIRST_TENANT_LOCK: Statement = {
  name: 'first_tenant_lock',
  text: 'SELECT pg_advisory_xact_lock(7261774194)',
};
const ANY_TENANT: Statement = { name: 'any_tenant', text: 'SELECT id FROM tenants LIMIT 1' };
const INSERT_FIRST: Statement = {
  name: 'insert_first_tenant',
  text: `WITH tenant AS (INSERT INTO tenants (id, name, plan) VALUES ($1, 'first tenant', 'custom') RETURNING id)
         INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
         SELECT $2, id, $3, $4, 'first key' FROM tenant`,
};

/** The first tenant of a deployment, unlimited, with one key. Null when there is a tenant already. */
export async function createFirstTenant(store: Store): Promise<string | null> {
  return store.transaction(async (tx) => {
    await run(tx, FIRST_TENANT_LOCK, []);
    if ((await run(tx, ANY_TENANT, [])).length > 0) return null;
    const { key, lookup } = newKey();
    await run(tx, INSERT_FIRST, [newId(), newId(), lookup, hashKey(key)]);
    return key;
  });
}

const FIND_KEY: Statement = {
  name: 'find_api_key',
  text: `SELECT t.id, t.plan, k.secret_hash AS "secretHash"
         FROM api_keys k JOIN tenants t ON t.id = k.tenant_id
         WHERE k.prefix = $1 AND k.revoked_at IS NULL`,
};

/** The tenant behind a key, or null when the key is unknown or revoked. Never cached: revoking acts at once. */
export async function findTenantByKey(store: Store, key: string): Promise<Tenant | null> {
  const lookup = lookupPart(key);
  if (lookup === null) return null;
  const [row] = await store.query<Tenant & { secretHash: Buffer }>(FIND_KEY, [lookup]);
  if (!row || !timingSafeEqual(row.secretHash, hashKey(key))) return null;
  return { id: row.id, plan: row.plan };
}

function lookupPart(key: string): string | null {
  const rest = key.startsWith(API_KEY_PREFIX) ? key.slice(API_KEY_PREFIX.length) : '';
  return rest[LOOKUP_CHARS] === '_' ? rest.slice(0, LOOKUP_CHARS) : null;
}

/** Keys carry 256 random bits, so one round of SHA-256 is as strong as a slow hash here. */
function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
