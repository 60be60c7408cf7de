import { newId, type Plan } from '@app/contracts';
import { rowsIn, run, type Queryable, type Statement, type Database } from '@app/database';
import { newKeyText } from '../keys/api-key.js';
import { TenantEntity, type AgreedColumns } from './tenant.entity.js';

/**
 * See `payPerCallTenant`. No other id begins like it, because ids begin with their time (RFC 9562,
 * 5.7).
 */
export const PAY_PER_CALL_TENANT_ID = '00000000-0000-8000-8000-000000000402';

export type Agreed = Readonly<AgreedColumns>;
export type TenantRecord = Readonly<TenantEntity>;

/** For whom work is done. */
export interface Tenant {
  readonly id: string;
  readonly plan: Plan;
  /** The key a request came with; null where the tenant was found without one. */
  readonly keyId: string | null;
  readonly agreed: Agreed;
}

export interface NewTenant {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly email: string | null;
}

export const NOTHING_AGREED: Agreed = {
  monthlyCredits: null,
  requestsPerMinute: null,
  concurrentRequests: null,
};

export async function createTenant(
  database: Database,
  name: string,
  plan: Plan,
  email: string | null = null,
): Promise<Tenant> {
  const id = newId();
  await database.rows(TenantEntity).insert({ id, name, plan, email });
  return { id, plan, keyId: null, agreed: NOTHING_AGREED };
}

/** {@link createTenant} as a part of a transaction. */
export async function addTenant(tx: Queryable, tenant: NewTenant): Promise<void> {
  await rowsIn(tx, TenantEntity).insert({ ...tenant });
}

/** Held while the first tenant is made: replicas that start together make one. */
const FIRST_TENANT_LOCK: Statement = {
  name: 'first_tenant_lock',
  text: 'SELECT pg_advisory_xact_lock(7261774194)',
};
/** Except for that of paid calls. */
const ANY_TENANT: Statement = {
  name: 'any_tenant',
  text: `SELECT id FROM tenants WHERE id <> '${PAY_PER_CALL_TENANT_ID}' LIMIT 1`,
};
/**
 * Request limit of the first tenant: higher than real use, because it is the operator's. Its memory
 * grows with the requests of a minute, not with this figure. Its plan has no limit of concurrent
 * calls.
 */
export const FIRST_TENANT_REQUESTS_PER_MINUTE = 100_000;
const INSERT_FIRST: Statement = {
  name: 'insert_first_tenant',
  text: `WITH tenant AS (INSERT INTO tenants (id, name, plan, agreed_requests_per_minute)
           VALUES ($1, 'first tenant', 'custom', ${FIRST_TENANT_REQUESTS_PER_MINUTE}) RETURNING id)
         INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label, origin)
         SELECT $2, id, $3, $4, 'first key', 'first' FROM tenant`,
};

/** The first tenant of a deployment, unlimited, with one key. Null when there is a tenant already. */
export async function createFirstTenant(database: Database): Promise<string | null> {
  return database.transaction(async (tx) => {
    await run(tx, FIRST_TENANT_LOCK, []);
    if ((await run(tx, ANY_TENANT, [])).length > 0) return null;
    const { key, lookup, hash } = newKeyText();
    await run(tx, INSERT_FIRST, [newId(), newId(), lookup, hash]);
    return key;
  });
}

/** SQL of a tenant's agreement, from the columns of `tenants` under a name. */
export function agreedOf(table: string): string {
  return `jsonb_build_object('monthlyCredits', ${table}.agreed_monthly_credits,
    'requestsPerMinute', ${table}.agreed_requests_per_minute,
    'concurrentRequests', ${table}.agreed_concurrent_requests)`;
}

/** The newest tenants first. */
export async function listTenants(database: Database, limit: number): Promise<TenantRecord[]> {
  return database
    .rows(TenantEntity)
    .find({ order: { createdAt: 'DESC', id: 'DESC' }, take: limit });
}

export async function findTenant(database: Database, id: string): Promise<TenantRecord | null> {
  return database.rows(TenantEntity).findOneBy({ id });
}

/** Those of exactly this name, two at most: with more than one, a name says nothing. */
export async function findTenantsNamed(database: Database, name: string): Promise<TenantRecord[]> {
  return database.rows(TenantEntity).find({ where: { name }, take: 2 });
}

/** From the next request on. Granted credits of the current month stay: see `setPlanIn`. */
export async function changeAgreement(
  tx: Queryable,
  tenantId: string,
  { monthlyCredits, requestsPerMinute, concurrentRequests }: Agreed,
): Promise<void> {
  const agreed = { monthlyCredits, requestsPerMinute, concurrentRequests };
  await rowsIn(tx, TenantEntity).update({ id: tenantId }, { agreed });
}
