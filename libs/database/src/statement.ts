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

/** A statement of many parameters, which have names. */
export interface NamedStatement<Values extends object> extends Statement {
  /** In the order of the parameters. */
  readonly inOrder: (values: Values) => unknown[];
}

/** @param text with parameters as `$name`, each as often as needed; every name is one of the values */
export function namedStatement<Values extends object>(
  name: string,
  text: string,
): NamedStatement<Values> {
  const names: string[] = [];
  const numbered = text.replace(/\$([a-z]\w*)/gi, (_, parameter: string) => {
    if (!names.includes(parameter)) names.push(parameter);
    return `$${names.indexOf(parameter) + 1}`;
  });
  const inOrder = (values: Values): unknown[] =>
    names.map((one) => {
      if (!Object.hasOwn(values, one))
        throw new Error(`The statement ${name} has no value $${one}`);
      return (values as Readonly<Record<string, unknown>>)[one];
    });
  return { name, text: numbered, inOrder };
}
