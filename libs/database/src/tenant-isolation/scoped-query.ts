import pg from 'pg';
import { TenantRoleError } from './tenant-role-error.js';

/** The tenant whose rows statements see, and whether they may change them. */
export interface TenantScope {
  readonly tenantId: string;
  readonly isReadOnly: boolean;
}

/** With the database role that enforces it. */
export interface RoleScope extends TenantScope {
  readonly role: string;
}

type NamedQuery = pg.QueryConfig<unknown[]> & { readonly name: string };

/** All three end with their transaction. The role is last: later settings would run as the tenant. */
const SCOPE = {
  name: 'tenant_scope',
  text: `SELECT set_config('transaction_read_only', $1, true), set_config('trawl.tenant', $2, true),
                set_config('role', $3, true)`,
};

/** First statements of a transaction in the scope, in one round trip. */
export function beginScoped({ tenantId, isReadOnly, role }: RoleScope): string {
  const settings = [
    `set_config('trawl.tenant', ${pg.escapeLiteral(tenantId)}, true)`,
    `set_config('role', ${pg.escapeLiteral(role)}, true)`,
  ];
  return `BEGIN${isReadOnly ? ' READ ONLY' : ''}; SELECT ${settings.join(', ')}`;
}

/** Connections that have {@link SCOPE} prepared. */
const prepared = new WeakSet<pg.PoolClient>();

/**
 * Runs one prepared statement in the scope, in one round trip: scope and statement are sent together and form
 * one transaction, because the server ends one only at a sync message (PostgreSQL manual, Pipelining). If the
 * scope fails the server skips the statement.
 * @throws TenantRoleError if the role is missing or may not be used
 */
export async function queryScoped<R extends pg.QueryResultRow>(
  client: pg.PoolClient,
  scope: RoleScope,
  statement: NamedQuery,
): Promise<R[]> {
  const values = [scope.isReadOnly ? 'on' : 'off', scope.tenantId, scope.role];
  if (!prepared.has(client)) await prepareScope(client, scope.role, values);
  const { rows } = await new Promise<pg.QueryResult<R>>((resolve, reject) => {
    const query = new ScopedQuery(statement, values, (error, result) => {
      if (!error) return resolve(result as pg.QueryResult<R>);
      reject(query.isInScope ? error : asRoleError(error, scope.role));
    });
    client.query(query);
  });
  return rows;
}

/** Alone it has no lasting effect; it runs only to be prepared. */
async function prepareScope(
  client: pg.PoolClient,
  role: string,
  values: readonly string[],
): Promise<void> {
  await client.query({ ...SCOPE, values: [...values] }).catch((error: Error) => {
    throw asRoleError(error, role);
  });
  prepared.add(client);
}

/** invalid_parameter_value: the role does not exist; insufficient_privilege: this login may not use it. */
const ROLE_REFUSED = new Set<unknown>(['22023', '42501']);

function asRoleError(error: Error, role: string): Error {
  const { code } = error as { readonly code?: unknown };
  if (!ROLE_REFUSED.has(code)) return error;
  const problem = `The database does not let statements run as its role "${role}"`;
  return new TenantRoleError(`${problem}: start the API once with MIGRATE_ON_START=true.`, error);
}

/** The part of the driver's query that is used here; its types leave most of it out. */
interface Wire {
  bind(portal: { readonly statement: string; readonly values: readonly string[] }): void;
  execute(portal: { readonly portal: string }): void;
}
interface DriverQuery extends pg.Submittable {
  /** Writes parse, bind, describe, execute and sync. */
  prepare(wire: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, wire: Wire): void;
}
type Done = (error: Error | null | undefined, result: pg.QueryResult) => void;
const PreparedQuery = pg.Query as unknown as new (
  config: pg.QueryConfig<unknown[]>,
  done: Done,
) => DriverQuery;

/** A prepared statement of the driver, preceded by the scope, whose result is dropped. */
class ScopedQuery extends PreparedQuery {
  /** The scope's result has arrived: later messages belong to the statement. */
  isInScope = false;

  constructor(
    statement: NamedQuery,
    private readonly scope: readonly string[],
    done: Done,
  ) {
    super({ ...statement }, done);
  }

  override prepare(wire: Wire): void {
    wire.bind({ statement: SCOPE.name, values: this.scope });
    wire.execute({ portal: '' });
    super.prepare(wire);
  }

  override handleDataRow(message: unknown): void {
    if (this.isInScope) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, wire: Wire): void {
    if (this.isInScope) super.handleCommandComplete(message, wire);
    this.isInScope = true;
  }
}
