import pg from 'pg';
import type { Queryable, Statement } from '../statement.js';
import { grantRights, type Grants } from './grant-rights.js';

const columns = (privilege: string, names: readonly string[]): readonly string[] =>
  names.map((name) => `${privilege} (${name})`);

/** Counters of a job that finishing pages changes. */
const JOB_COUNTS = [
  'discovered',
  'pending',
  'leased',
  'scraped',
  'failed',
  'skipped',
  'discovery_capped',
  'link_bytes',
  'result_bytes',
  'unchanged',
];
const JOB_END = ['status', 'options', 'rest_reason', 'closed_at'];
/** What the end of its start page changes. */
const JOB_SCOPE = 'scope_url';
const LEFT = ['grant_left', 'overage_used', 'enrich_grant_left'];

const PROFILE_KEY = ['tenant_id', 'name', 'version'];
const PROFILE_USE = [
  ...['hosts', 'cookie_names', 'key_id', 'box'],
  ...['used_at', 'auth_expired_at', 'expires_at'],
];

/**
 * Rights for the statements of a fetcher, and no others: a table, a sequence or a column that is not listed is
 * out of its reach, and so is every new one. A statement that needs more fails the system tests, whose fetchers
 * have a login with only this role.
 */
export const FETCHER_GRANTS: Grants = {
  schema_migrations: ['SELECT'],
  // It opens tasks, and never creates a key to seal them with.
  task_keys: ['SELECT'],
  host_rungs: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  hosts: ['SELECT', 'INSERT', 'UPDATE'],
  search_backends: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  tenants: columns('SELECT', ['id', 'plan']),
  // Calls of models.
  daily_quotas: ['SELECT', 'INSERT', 'UPDATE'],
  // Not `webhook_url`: URLs of receivers may contain secrets.
  jobs: [
    ...columns('SELECT', [
      'id',
      'tenant_id',
      'type',
      'url',
      'page_limit',
      'credits_held',
      'expired_at',
      'base_id',
    ]),
    ...columns('SELECT', [...JOB_COUNTS, ...JOB_END, JOB_SCOPE]),
    ...columns('UPDATE', [...JOB_COUNTS, ...JOB_END, JOB_SCOPE]),
  ],
  job_hosts: ['SELECT', 'INSERT', 'UPDATE'],
  job_reasons: ['SELECT', 'INSERT', 'UPDATE'],
  job_shapes: ['SELECT', 'INSERT', 'UPDATE'],
  pages: ['SELECT', 'INSERT', 'UPDATE'],
  page_numbers: ['USAGE'],
  // It adds texts, and deletes those of claims that did not count; it reads none.
  page_texts: [
    ...columns('SELECT', ['job_id', 'language', 'url_key', 'fence']),
    'INSERT',
    'DELETE',
  ],
  'inherit_page_texts(uuid, uuid[], integer[])': ['EXECUTE'],
  page_cache: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  page_cache_usage: ['SELECT', 'INSERT', 'UPDATE'],
  page_cache_waste: ['SELECT', 'INSERT', 'DELETE'],
  // Finished pages are charged, and the last one of a job releases the unspent rest of its reservation.
  credit_ledger: [
    ...columns('SELECT', ['reference', 'item', 'credits', 'from_hold']),
    ...columns('INSERT', ['tenant_id', 'operation', 'reference', 'item', 'credits']),
    ...columns('INSERT', ['cost_micro_usd', 'from_hold']),
  ],
  credit_holds: ['SELECT', 'DELETE'],
  credit_balances: ['SELECT', ...columns('UPDATE', [...LEFT, 'topup_left', 'enrich_topup_left'])],
  credit_periods: ['SELECT', ...columns('UPDATE', LEFT)],
  credit_transfers: ['INSERT'],
  // It opens the cookies of logins, and keeps what a site makes of them.
  profiles: [
    ...columns('SELECT', [...PROFILE_KEY, ...PROFILE_USE, 'login_url']),
    ...columns('UPDATE', PROFILE_USE),
  ],
};

/** Like the tenants' role, one for each owner of tables (see tenant-role.ts). */
const STATE: Statement = {
  name: 'fetcher_role_state',
  text: `
    WITH wanted AS (
      SELECT ('trawl_fetcher_' || pg_get_userbyid(relowner))::name::text AS role
      FROM pg_class WHERE oid = to_regclass('tenants'))
    SELECT wanted.role, session_user::text AS login, current_schema()::text AS schema, r.oid IS NOT NULL AS "isThere"
    FROM wanted LEFT JOIN pg_roles r ON r.rolname::text = wanted.role`,
};

interface RoleState {
  readonly role: string;
  readonly login: string;
  readonly schema: string;
  readonly isThere: boolean;
}

/** Those of these tables that have row-level security but no policy for the role. */
const LOCKED: Statement = {
  name: 'fetcher_role_locked',
  text: `
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN unnest($2::text[]) AS t (name) ON c.oid = to_regclass(t.name)
    WHERE c.relrowsecurity AND NOT EXISTS (
      SELECT FROM pg_policy p JOIN pg_roles r ON r.oid = ANY (p.polroles)
      WHERE p.polrelid = c.oid AND p.polname = 'fetcher_rows' AND r.rolname = $1::name)`,
};

/**
 * Grants the fetchers' role its rights, if an administrator has created it (docs/security.md): each migration
 * adds missing ones. Fetchers work for all tenants, so the role sees their rows in the tables it reaches.
 */
export async function provideFetcherRole(tx: Queryable): Promise<void> {
  const [state] = (await tx.query<RoleState>(STATE)).rows;
  if (!state?.isThere) return;
  const { role } = state;
  await grantRights(tx, state, FETCHER_GRANTS);
  const tables = Object.keys(FETCHER_GRANTS);
  const locked = await tx.query<{ name: string }>({ ...LOCKED, values: [role, tables] });
  const to = pg.escapeIdentifier(role);
  const policies = locked.rows.map(
    ({ name }) =>
      `DROP POLICY IF EXISTS fetcher_rows ON ${name}; CREATE POLICY fetcher_rows ON ${name} TO ${to} USING (true)`,
  );
  if (policies.length > 0) await tx.query(policies.join('; '));
}

/** The login of a process lacks rights that it needs; the message contains the fix. */
export class DatabaseAccountError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'DatabaseAccountError';
  }
}

/** The message for a login that may not even read the list of migrations. */
export async function missingRights(db: Queryable, cause: unknown): Promise<DatabaseAccountError> {
  const { rows } = await db.query<RoleState>(STATE);
  const [state] = rows;
  const role = state?.role ?? 'trawl_fetcher_<owner of the tables>';
  const login = state?.login ?? '<this login>';
  const create = state?.isThere ? '' : `CREATE ROLE "${role}" NOLOGIN; `;
  return new DatabaseAccountError(
    `The login "${login}" of DATABASE_URL has no rights in this database. Run as an administrator of the ` +
      `database server: ${create}GRANT "${role}" TO "${login}"; then start an API once more with ` +
      'MIGRATE_ON_START=true, which gives the role its rights. A fetcher then continues by itself.',
    cause,
  );
}
