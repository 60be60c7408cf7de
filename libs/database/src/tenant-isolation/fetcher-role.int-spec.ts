import { Client } from 'pg';
import { newId } from '@app/contracts';
import { fetcherLogin } from '../../../../test/setup/fetcher-login.js';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { freshPrefix, type Fresh } from '../../../../test/setup/test-servers.js';
import { fillTenant } from '../../test/tenant-rows.js';
import { Database } from '../database.js';
import { DatabaseAccountError, FETCHER_GRANTS } from './fetcher-role.js';

const RIGHTS = `SELECT string_agg(xmin::text, ' ' ORDER BY oid) AS rows FROM pg_class`;

describe('the role of fetchers', () => {
  let fresh: FreshDatabase;
  let login: Fresh;
  let fetcher: Database;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    login = await fetcherLogin(fresh.database.url);
    fetcher = new Database({
      url: login.url,
      poolSize: 2,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    await fetcher.connect();
  });
  afterAll(async () => {
    await fetcher?.close();
    await fresh?.drop();
    await login?.drop();
  });

  it('has its rights from the next migration on, which changes nothing when it finds them', async () => {
    await fresh.database.migrate();
    expect(await fetcher.isMigrated()).toBe(true);
    const before = await fresh.database.query({ name: 'spec rights', text: RIGHTS });
    await fresh.database.migrate();
    expect(await fresh.database.query({ name: 'spec rights', text: RIGHTS })).toEqual(before);
  });

  it('sees the rows of all tenants in the tables it reaches', async () => {
    await fresh.database.migrate();
    await fillTenant(fresh.database, newId());
    await fillTenant(fresh.database, newId());
    for (const table of ['tenants', 'jobs']) {
      const text = `SELECT count(*)::int AS rows FROM (SELECT id FROM ${table}) t`;
      expect(await fetcher.query({ name: `spec ${table}`, text })).toEqual([{ rows: 2 }]);
    }
  });

  it('reaches no table but those that are written down, and no new one', async () => {
    await fresh.database.query({ name: 'spec new', text: 'CREATE TABLE made_later (n int)' });
    await fresh.database.migrate();
    const text = `
      SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'S')
        AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'USAGE, SELECT, UPDATE')
            ELSE has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
              OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE') END
      UNION ALL
      SELECT p.oid::regprocedure::text FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND has_function_privilege(p.oid, 'EXECUTE')`;
    const reached = await fetcher.query<{ name: string }>({ name: 'spec reached', text });
    const granted = Object.keys(FETCHER_GRANTS).map((name) => name.replaceAll(', ', ','));
    expect(reached.map(({ name }) => name).sort()).toEqual(granted.sort());
  });

  it('is named in the error of a login without it, with the statements to run', async () => {
    const stranger = `stranger_${freshPrefix()}`;
    const asOwner = async (text: string): Promise<void> => {
      const client = new Client(fresh.database.url);
      await client.connect();
      await client.query(text).finally(() => client.end());
    };
    await asOwner(`CREATE ROLE ${stranger} LOGIN PASSWORD 'spec'`);
    const url = new URL(fresh.database.url);
    const { username: owner } = url;
    [url.username, url.password] = [stranger, 'spec'];
    const database = new Database({
      url: url.href,
      poolSize: 2,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    try {
      await database.connect();
      const refusal = await database.isMigrated().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(DatabaseAccountError);
      expect(String(refusal)).toContain(`GRANT "trawl_fetcher_${owner}" TO "${stranger}"`);
    } finally {
      await database.close();
      await asOwner(`DROP ROLE ${stranger}`);
    }
  });
});
