import { Store, type StoreOptions } from '@app/database';
import { Client } from 'pg';
import { freshMigratedDatabase } from './test-servers.js';

/** A store on a database of its own, with all tables and nothing in them. */
export interface FreshStore<S extends Store = Store> {
  readonly store: S;
  /** Runs statements that may take longer than a store lets them. */
  patiently(statements: readonly string[]): Promise<void>;
  drop(): Promise<void>;
}

export async function freshStore(): Promise<FreshStore>;
/** As a kind of store that the test watches or holds up. */
export async function freshStore<S extends Store>(
  kind: new (options: StoreOptions) => S,
): Promise<FreshStore<S>>;
export async function freshStore(kind: new (options: StoreOptions) => Store = Store) {
  const database = await freshMigratedDatabase();
  const store = new kind({ url: database.url, poolSize: 12, applicationName: 'spec' });
  await store.connect();
  return {
    store,
    patiently: (statements: readonly string[]) => runAll(database.url, statements),
    async drop(): Promise<void> {
      await store.close();
      await database.drop();
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
