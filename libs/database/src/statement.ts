import type pg from 'pg';

/** A statement prepared once per connection; each text has a unique name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** One transaction: its statements run on one connection. See `Database.transaction`. */
export type Transaction = pg.PoolClient;
export type Row = pg.QueryResultRow;

export type Queryable = Pick<pg.ClientBase, 'query'>;

/** Runs one prepared statement inside a transaction. */
export async function run<R extends pg.QueryResultRow>(
  tx: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  const { rows } = await tx.query<R>({ ...statement, values: [...values] });
  return rows;
}
