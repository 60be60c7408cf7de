import { Client } from 'pg';
import { sharedDatabase } from './shared-database.js';
import {
  databaseServerUrl,
  dropBucket,
  freshBucket,
  freshMigratedDatabase,
  freshPrefix,
} from './test-servers.js';
import { fetcherLogin } from './fetcher-login.js';

/** What there is of that name. */
async function remainsOf(name: string): Promise<readonly string[]> {
  const server = new Client(databaseServerUrl());
  await server.connect();
  const { rows } = await server.query<{ name: string }>(
    `SELECT datname AS name FROM pg_database WHERE datname = 'test_' || $1
     UNION ALL SELECT rolname FROM pg_roles WHERE rolname = 'fetcher_' || $1`,
    [name],
  );
  await server.end();
  return rows.map((row) => row.name);
}

describe('a shared database', () => {
  it('is left alone by the next one while a process uses it', async () => {
    const used = await sharedDatabase();
    const next = await sharedDatabase();
    expect(await remainsOf(used.name)).toEqual([`test_${used.name}`]);
    await used.drop();
    await next.drop();
  });

  it('is dropped by the next one, with its bucket and login, once no process uses it', async () => {
    const name = `shared${freshPrefix()}`;
    await fetcherLogin(databaseServerUrl(), name);
    await freshBucket(name);
    // Last: from now on another worker may drop it as well, with all that is of it.
    await freshMigratedDatabase(name);
    const next = await sharedDatabase();
    expect(await remainsOf(name)).toEqual([]);
    // It can be made again.
    await freshBucket(name);
    await dropBucket(name);
    await next.drop();
  });
});
