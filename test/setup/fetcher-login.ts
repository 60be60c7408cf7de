import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { databaseUrl } from './migrated-template.js';
import { freshPrefix, type Fresh } from './test-servers.js';

/**
 * A login as an administrator makes one for fetchers (docs/security.md), as the DATABASE_URL of a database. The
 * role has its rights there after the next migration.
 */
export async function fetcherLogin(url: string): Promise<Fresh> {
  const login = `fetcher_${freshPrefix()}`;
  const password = randomBytes(12).toString('hex');
  // Its superuser owns the tables.
  const role = `"trawl_fetcher_${new URL(url).username}"`;
  const server = databaseUrl(url, 'postgres');
  await execute(
    server,
    `
    DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
    CREATE ROLE ${login} LOGIN PASSWORD '${password}' IN ROLE ${role}`,
  );
  const own = new URL(url);
  [own.username, own.password] = [login, password];
  return { url: own.href, drop: () => execute(server, `DROP ROLE IF EXISTS ${login}`) };
}

async function execute(server: string, statements: string): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
