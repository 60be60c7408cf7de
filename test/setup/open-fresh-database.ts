import { Database, type DatabaseOptions } from '@app/database';
import { Client } from 'pg';
import { freshMigratedDatabase } from './test-servers.js';

/** A database of its own, with all tables and nothing in them. */
export interface FreshDatabase<S extends Database = Database> {
  readonly database: S;
  /** Runs statements that may take longer than the service lets them. */
  patiently(statements: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

export async function openFreshDatabase(): Promise<FreshDatabase>;
/** As a kind of database that the test watches or holds up. */
export async function openFreshDatabase<S extends Database>(
  kind: new (options: DatabaseOptions) => S,
): Promise<FreshDatabase<S>>;
export async function openFreshDatabase(
  kind: new (options: DatabaseOptions) => Database = Database,
) {
  const fresh = await freshMigratedDatabase();
  const database = new kind({
    ...{ url: fresh.url, poolSize: 12, applicationName: 'spec' },
    // A busy server may exceed five seconds.
    connectTimeoutMs: 60_000,
  });
  await database.connect();
  return {
    database,
    patiently: (statements: readonly string[]) => runAll(fresh.url, statements),
    async drop(): Promise<void> {
      await database.close();
      await fresh.drop();
    },
  };
}

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
