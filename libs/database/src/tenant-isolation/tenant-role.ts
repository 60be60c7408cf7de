import pg from 'pg';
import type { Queryable, Statement } from '../statement.js';
import { grantRights, type Grants } from './grant-rights.js';
import { TenantRoleError } from './tenant-role-error.js';

const ALL = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;

/**
 * Rights of statements of a tenant, and no others: a table that is not listed is out of their reach. The
 * policies of the tables select the rows (migrations/0001-schema/tenant-isolation.ts).
 */
export const TENANT_GRANTS: Grants = {
  // Rows are locked, none is changed: a lock needs the right to update some column.
  tenants: ['SELECT', 'UPDATE (name)'],
  api_keys: ALL,
  jobs: ['SELECT'],
  job_reasons: ['SELECT'],
  pages: ['SELECT'],
  page_texts: ['SELECT'],
  'search_page_texts(uuid, text, integer, integer, real, uuid)': ['EXECUTE'],
  webhook_deliveries: ['SELECT', 'UPDATE'],
  webhook_attempts: ['SELECT'],
  webhook_receivers: ['SELECT', 'INSERT', 'UPDATE'],
  webhook_secrets: ALL,
  webhook_disabled: ['SELECT', 'DELETE'],
  pulls: ['SELECT', 'UPDATE'],
  pull_rows: ['SELECT'],
  conversations: ALL,
  sites: ['SELECT'],
  profiles: ['SELECT'],
  feeds: ['SELECT'],
  feed_runs: ['SELECT'],
  feed_rows: ['SELECT'],
  feed_events: ['SELECT'],
  data_deletions: ['SELECT', 'INSERT', 'UPDATE'],
  idempotency_keys: ALL,
  request_log: ['SELECT'],
  saved_schemas: ALL,
};

/**
 * One role for each owner of tables: two deployments on one server have different roles if their logins differ,
 * so that neither can use the other's rights. Roles belong to the server, grants to the database.
 */
const ROLE = `('trawl_tenant_' || pg_get_userbyid(relowner))::name::text`;
const OWNED = `pg_class WHERE oid = to_regclass('tenants')`;

const NAME: Statement = { name: 'tenant_role', text: `SELECT ${ROLE} AS role FROM ${OWNED}` };

/** Name of the role that statements of tenants run as. @throws before the schema exists */
export async function readTenantRole(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ role: string }>(NAME);
  if (!rows[0]) throw new Error('the schema is missing, so the tenant role is unknown');
  return rows[0].role;
}

interface RoleState {
  readonly role: string;
  readonly login: string;
  readonly schema: string;
  readonly isThere: boolean;
  /** Whether this login may run statements as it. */
  readonly isOurs: boolean;
}

/** A member may use a role; since PostgreSQL 16 that can be denied. */
const STATE: Statement = {
  name: 'tenant_role_state',
  text: `
    WITH wanted AS (SELECT ${ROLE} AS role FROM ${OWNED})
    SELECT wanted.role, session_user::text AS login, current_schema()::text AS schema, r.oid IS NOT NULL AS "isThere",
           coalesce(pg_has_role(session_user, r.oid, CASE WHEN current_setting('server_version_num')::int >= 160000
             THEN 'SET' ELSE 'MEMBER' END), false) AS "isOurs"
    FROM wanted LEFT JOIN pg_roles r ON r.rolname::text = wanted.role`,
};

/**
 * Creates the role with its rights if they are missing: at the first start, after a restore (a dump has no
 * roles), and for a new table.
 * @throws TenantRoleError if this login may not: the message has the statements for an administrator
 */
export async function provideTenantRole(tx: Queryable): Promise<void> {
  const { rows } = await tx.query<RoleState>(STATE);
  const [state] = rows;
  if (!state) throw new Error('the schema is missing, so the tenant role is unknown');
  const wanted = [
    ...(state.isThere ? [] : [createRole(state)]),
    ...(state.isOurs ? [] : [grantRole(state)]),
  ];
  for (const statement of wanted)
    await tx.query(statement).catch((error: Error) => {
      throw isRefused(error) ? tellAdmin(state, error) : error;
    });
  await grantRights(tx, state, TENANT_GRANTS);
}

/** Another deployment with the same login may create it at the same time. */
function createRole(state: RoleState): string {
  const caught = 'EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL';
  return `DO ${pg.escapeLiteral(`BEGIN ${createText(state)}; ${caught}; END`)}`;
}

function createText({ role }: RoleState): string {
  return `CREATE ROLE ${pg.escapeIdentifier(role)} NOLOGIN`;
}

function grantRole({ role, login }: RoleState): string {
  return `GRANT ${pg.escapeIdentifier(role)} TO ${pg.escapeIdentifier(login)}`;
}

/** insufficient_privilege */
function isRefused(error: Error): boolean {
  return (error as { readonly code?: unknown }).code === '42501';
}

function tellAdmin(state: RoleState, cause: Error): TenantRoleError {
  const { role, login, isThere } = state;
  const statements = [...(isThere ? [] : [createText(state)]), grantRole(state)].join('; ');
  return new TenantRoleError(
    `Tenant isolation (row-level security) needs a database role "${role}" that the login ` +
      `"${login}" may not ${isThere ? 'use' : 'create'}. Run as an administrator of the database server: ` +
      `${statements}; the start then continues by itself.`,
    cause,
  );
}
