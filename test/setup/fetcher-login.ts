import { randomBytes } from 'node:crypto';
import { databaseUrl } from './migrated-template.js';
import { databaseServerUrl, execute, freshPrefix, type Fresh } from './test-servers.js';

/**
 * A login as an administrator makes one for fetchers (docs/security.md), as the DATABASE_URL of a database. The
 * role has its rights there after the next migration.
 */
export async function fetcherLogin(url: string, name = freshPrefix()): Promise<Fresh> {
  const login = `fetcher_${name}`;
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
  return { url: own.href, drop: () => dropFetcherLogin(name) };
}

/** The {@link fetcherLogin} of that name, if there is one. */
export function dropFetcherLogin(name: string): Promise<void> {
  return execute(databaseServerUrl(), `DROP ROLE IF EXISTS fetcher_${name}`);
}
