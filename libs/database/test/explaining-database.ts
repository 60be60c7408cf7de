import type pg from 'pg';
import { Database } from '../src/database.js';
import type { Statement } from '../src/statement.js';
import type { TenantScope } from '../src/tenant-isolation/scoped-query.js';

type Seen = Statement & { readonly values?: readonly unknown[] };

/**
 * Explains each statement before it runs, planned for all values, as the database does. Statements that only
 * prepare a spec are named fill, analyze or spec. Those of a tenant are explained as that tenant.
 */
export class ExplainingDatabase extends Database {
  readonly plans = new Map<string, string>();

  /** Run once, at the start: its statements need not be fast. */
  override async migrate(): Promise<readonly string[]> {
    const done = await super.migrate();
    this.plans.clear();
    return done;
  }

  override async query<R extends pg.QueryResultRow>(
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    if (!/^(fill|analyze|spec)/.test(statement.name)) {
      await super.transaction((tx) => this.explain(tx, { ...statement, values }));
    }
    return super.query<R>(statement, values);
  }

  override async transaction<T>(work: (tx: pg.PoolClient) => Promise<T>): Promise<T> {
    return super.transaction((tx) => work(this.explained(tx)));
  }

  /** Planned as for the tenant. */
  protected override async queryAs<R extends pg.QueryResultRow>(
    scope: TenantScope,
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<R[]> {
    await super.transactAs(scope, (tx) => this.explain(tx, { ...statement, values }));
    return super.queryAs<R>(scope, statement, values);
  }

  protected override async transactAs<T>(
    scope: TenantScope,
    work: (tx: pg.PoolClient) => Promise<T>,
  ): Promise<T> {
    return super.transactAs(scope, (tx) => work(this.explained(tx)));
  }

  private explained(tx: pg.PoolClient): pg.PoolClient {
    const query = async (statement: Seen | string, values?: unknown[]): Promise<unknown> => {
      if (typeof statement === 'string') return tx.query(statement, values);
      await this.explain(tx, statement);
      return tx.query({ ...statement, values: [...(statement.values ?? [])] });
    };
    return { query } as unknown as pg.PoolClient;
  }

  private async explain(tx: pg.PoolClient, { name, text }: Seen): Promise<void> {
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    this.plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
}
