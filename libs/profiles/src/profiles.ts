import { newId } from '@app/contracts';
import {
  run,
  type Database,
  type Queries,
  type Row,
  type Statement,
  type TenantData,
} from '@app/database';
import { LoginCookies } from './login-cookies.js';
import type { ProfileBox, ProfileId, SealedCookies } from './profile-box.js';

/** Profiles of one account. */
export const MAX_PROFILES = 50;

/** A login under a name, without its secrets. */
export interface LoginProfile {
  readonly name: string;
  /** Where the site asks for a login; null: unknown. */
  readonly loginUrl: string | null;
  /** With a leading dot: its subdomains, too. */
  readonly hosts: readonly string[];
  readonly cookieNames: readonly string[];
  readonly savedAt: Date;
  readonly usedAt: Date | null;
  /** The site asked for a login again, though its cookies were sent. */
  readonly authExpiredAt: Date | null;
  /** It is deleted then. */
  readonly expiresAt: Date;
}

/** What a fetcher needs of a profile. */
export interface StoredLogin extends SealedCookies {
  readonly version: string;
  readonly loginUrl: string | null;
  readonly usedAt: Date | null;
}

const COLUMNS = `name, login_url AS "loginUrl", hosts, cookie_names AS "cookieNames", saved_at AS "savedAt",
  used_at AS "usedAt", auth_expired_at AS "authExpiredAt", expires_at AS "expiresAt"`;

/** Two that are put at once are counted one after the other. */
const LOCK: Statement = {
  name: 'lock_tenant_profiles',
  text: 'SELECT 1 FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};
const PUT: Statement = {
  name: 'put_profile',
  text: `
    INSERT INTO profiles (tenant_id, name, version, login_url, hosts, cookie_names, key_id, box, expires_at)
    SELECT $1::uuid, $2::text, $3::uuid, $4::text, $5::text[], $6::text[], $7::text, $8::bytea, $9::timestamptz
    WHERE EXISTS (SELECT FROM profiles WHERE tenant_id = $1 AND name = $2)
      OR (SELECT count(*) FROM profiles WHERE tenant_id = $1) < $10
    ON CONFLICT (tenant_id, name) DO UPDATE SET version = excluded.version, login_url = excluded.login_url,
      hosts = excluded.hosts, cookie_names = excluded.cookie_names, key_id = excluded.key_id, box = excluded.box,
      saved_at = now(), used_at = NULL, auth_expired_at = NULL, expires_at = excluded.expires_at
    RETURNING ${COLUMNS}`,
};
const LIST: Statement = {
  name: 'list_profiles',
  text: `SELECT ${COLUMNS} FROM profiles WHERE tenant_id = $1 ORDER BY name`,
};
const FIND: Statement = {
  name: 'find_profile',
  text: `SELECT ${COLUMNS} FROM profiles WHERE tenant_id = $1 AND name = $2`,
};
const DELETE: Statement = {
  name: 'delete_profile',
  text: 'DELETE FROM profiles WHERE tenant_id = $1 AND name = $2 RETURNING 1',
};
const ERASE: Statement = {
  name: 'delete_profiles_of_tenant',
  text: 'DELETE FROM profiles WHERE tenant_id = $1 AND saved_at <= $2',
};
const SWEEP: Statement = {
  name: 'sweep_profiles',
  text: `
    DELETE FROM profiles WHERE (tenant_id, name) IN (
      SELECT tenant_id, name FROM profiles WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)
    RETURNING 1`,
};
const OPEN: Statement = {
  name: 'open_profile',
  text: `
    SELECT version, login_url AS "loginUrl", key_id AS "keyId", box, used_at AS "usedAt" FROM profiles
    WHERE tenant_id = $1 AND name = $2 AND expires_at > now()`,
};
/** A saving meanwhile holds, and so does what another page wrote: what was read before does not replace it. */
const USE: Statement = {
  name: 'note_profile_use',
  text: `
    UPDATE profiles SET used_at = now(), expires_at = $4::timestamptz, hosts = $5::text[], cookie_names = $6::text[],
      key_id = $7::text, box = $8::bytea
    WHERE tenant_id = $1 AND name = $2 AND version = $3::uuid AND box = $9::bytea`,
};
const END: Statement = {
  name: 'note_profile_auth_expired',
  text: `
    UPDATE profiles SET auth_expired_at = now()
    WHERE tenant_id = $1 AND name = $2 AND version = $3::uuid AND auth_expired_at IS NULL`,
};

const DAY_MS = 86_400_000;

/** When it is deleted unless it is used before. */
export function profileEnd(cookies: LoginCookies, days: number, now = Date.now()): Date {
  const idle = now + days * DAY_MS;
  return new Date(Math.min(idle, cookies.until?.getTime() ?? Infinity));
}

export interface PutProfile {
  readonly name: string;
  readonly loginUrl: string | null;
  readonly cookies: LoginCookies;
}

/** Puts a profile in the place of one of its name; null: the account has {@link MAX_PROFILES}. */
export function putProfile(
  database: Database,
  tenantId: string,
  { name, loginUrl, cookies }: PutProfile,
  { box, days, limit = MAX_PROFILES }: ProfileTerms & { readonly limit?: number },
): Promise<LoginProfile | null> {
  const sealed = box.seal({ tenantId, name }, cookies.toJson());
  return database.transaction(async (tx) => {
    await run(tx, LOCK, [tenantId]);
    const values = [tenantId, name, newId(), loginUrl, cookies.hosts, cookies.names];
    const rest = [sealed.keyId, sealed.box, profileEnd(cookies, days), limit];
    const [put] = await run<LoginProfile & Row>(tx, PUT, [...values, ...rest]);
    return put ?? null;
  });
}

export interface ProfileTerms {
  readonly box: ProfileBox;
  /** `PROFILE_DAYS` */
  readonly days: number;
}

export function listProfiles(database: Queries, tenantId: string): Promise<LoginProfile[]> {
  return database.query<LoginProfile & Row>(LIST, [tenantId]);
}

export async function findProfile(
  database: Queries,
  tenantId: string,
  name: string,
): Promise<LoginProfile | null> {
  const [profile] = await database.query<LoginProfile & Row>(FIND, [tenantId, name]);
  return profile ?? null;
}

export async function deleteProfile(
  database: Database,
  tenantId: string,
  name: string,
): Promise<boolean> {
  return (await database.query(DELETE, [tenantId, name])).length > 0;
}

/** Those of a tenant, which are {@link MAX_PROFILES} at most. */
export async function deleteTenantProfiles(
  database: Database,
  { tenantId, until }: Omit<TenantData, 'limit'>,
): Promise<void> {
  await database.query(ERASE, [tenantId, until]);
}

/** Deletes those that have expired. Returns how many. */
export async function sweepProfiles(database: Database, limit: number, now: Date): Promise<number> {
  return (await database.query(SWEEP, [now, limit])).length;
}

/** Null: there is none, or it has expired. */
export async function findLogin(
  database: Pick<Database, 'query'>,
  { tenantId, name }: ProfileId,
): Promise<StoredLogin | null> {
  const [login] = await database.query<StoredLogin & Row>(OPEN, [tenantId, name]);
  return login ?? null;
}

export interface LoginUse {
  readonly opened: StoredLogin;
  /** As they are now. */
  readonly cookies: LoginCookies;
  readonly isChanged: boolean;
}

/**
 * Notes a use. The box stays the same unless its cookies or the key did not, so that of several pages at once the first
 * to change them holds.
 */
export async function noteLoginUse(
  database: Pick<Database, 'query'>,
  { tenantId, name }: ProfileId,
  { opened, cookies, isChanged }: LoginUse,
  { box, days }: ProfileTerms,
): Promise<void> {
  const isSealedAnew = isChanged || box.isOld(opened);
  const sealed = isSealedAnew ? box.seal({ tenantId, name }, cookies.toJson()) : opened;
  const values = [tenantId, name, opened.version, profileEnd(cookies, days), cookies.hosts];
  await database.query(USE, [...values, cookies.names, sealed.keyId, sealed.box, opened.box]);
}

/** The site asked for a login again. */
export async function noteAuthExpired(
  database: Pick<Database, 'query'>,
  { tenantId, name }: ProfileId,
  version: string,
): Promise<void> {
  await database.query(END, [tenantId, name, version]);
}
