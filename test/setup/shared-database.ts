import { Client } from 'pg';
import { dropFetcherLogin } from './fetcher-login.js';
import {
  databaseServerUrl,
  dropBucket,
  dropDatabase,
  freshMigratedDatabase,
  freshPrefix,
  type Fresh,
} from './test-servers.js';

/** Any number: one process at a time makes or drops shared databases. */
const LOCK = 8_315_720_461;

const UNUSED = `SELECT substr(datname, length('test_') + 1) AS name FROM pg_database
  WHERE starts_with(datname, 'test_shared') AND NOT EXISTS (SELECT FROM pg_stat_activity WHERE datid = oid)`;

/**
 * The database of a cluster that serves one spec file after the other. Its apps end when their worker ends, also when
 * that is killed, and then no process is left to drop it. So the next one drops those that no process uses any more,
 * with the bucket and the login of the same name.
 */
export async function sharedDatabase(): Promise<Fresh & { readonly name: string }> {
  const server = new Client(databaseServerUrl());
  await server.connect();
  try {
    // Between its creation and its first connection a database looks unused.
    await server.query('SELECT pg_advisory_lock($1)', [LOCK]);
    const { rows } = await server.query<{ readonly name: string }>(UNUSED);
    for (const { name } of rows) await dropAll(name);
    const name = `shared${freshPrefix()}`;
    const fresh = await freshMigratedDatabase(name);
    await useUntilExit(fresh.url);
    return { ...fresh, name };
  } finally {
    await server.end();
  }
}

async function dropAll(name: string): Promise<void> {
  await dropBucket(name);
  await dropDatabase(`test_${name}`);
  await dropFetcherLogin(name);
}

/** A connection that lasts as long as this process, and does not keep it from ending. */
async function useUntilExit(url: string): Promise<void> {
  const user = new Client(url);
  // The database may be dropped, and its server may stop, before this process ends.
  user.on('error', () => undefined);
  await user.connect();
  // Its types do not have it.
  (user as unknown as { unref(): void }).unref();
}
