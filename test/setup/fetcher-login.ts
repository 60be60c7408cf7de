import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { databaseServerUrl, freshPrefix, type Fresh } from './test-servers.js';

/** Of the test server, whose superuser owns the tables. */
const roleName = (): string => `trawl_fetcher_${new URL(databaseServerUrl()).username}`;

/**
 * A login as an administrator makes one for fetchers (docs/security.md), as the DATABASE_URL of a database. The
 * role has its rights there after the next migration.
 */
export async function fetcherLogin(url: string): Promise<Fresh> {
  const login = `fetcher_${freshPrefix()}`;
  const password = randomBytes(12).toString('hex');
  const role = `"${roleName()}"`;
  await asAdmin(`
    DO $$ BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$;
    CREATE ROLE ${login} LOGIN PASSWORD '${password}' IN ROLE ${role}`);
  const own = new URL(url);
  [own.username, own.password] = [login, password];
  return { url: own.href, drop: () => asAdmin(`DROP ROLE IF EXISTS ${login}`) };
}

async function asAdmin(statements: string): Promise<void> {
  const client = new Client(databaseServerUrl());
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
