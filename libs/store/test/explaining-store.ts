import type pg from 'pg';
import { Store, type Statement } from '../src/open-store.js';

type Seen = Statement & { readonly values: readonly unknown[] };

/**
 * Explains each statement before it runs it, as it is planned for all values: what a store does. Those
 * that only set a spec up are named fill, analyze or spec.
 */
export class ExplainingStore extends Store {
  readonly plans = new Map<string, string>();

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
    return super.transaction((tx) => {
      const query = async (statement: Seen | string, values?: unknown[]): Promise<unknown> => {
        if (typeof statement === 'string') return tx.query(statement, values);
        await this.explain(tx, statement);
        return tx.query({ ...statement, values: [...statement.values] });
      };
      return work({ query } as unknown as pg.PoolClient);
    });
  }

  private async explain(tx: pg.PoolClient, { name, text }: Seen): Promise<void> {
    const { rows } = await tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    this.plans.set(name, rows.map((row) => row['QUERY PLAN']).join('\n'));
  }
}
