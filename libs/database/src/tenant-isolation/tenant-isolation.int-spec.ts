import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { fillTenant, TENANT_ROWS, type FilledTenant } from '../../test/tenant-rows.js';
import { Database, type Queries } from '../database.js';
import type { Statement } from '../statement.js';
import { readTenantRole, TENANT_GRANTS } from './tenant-role.js';

/** Tables whose rows name no tenant. A new table must be added here or get a policy. */
const SHARED = [
  'business_evidence',
  'business_imports',
  'business_keys',
  'business_merges',
  'businesses',
  'company_optouts',
  'credit_usage_mark',
  'host_rungs',
  'hosts',
  'key_provisions',
  'outbox',
  'page_cache_waste',
  'pay_per_call_payments',
  'payment_events',
  'schema_migrations',
  'search_backends',
  'sign_in_asks',
  'task_keys',
];

const TABLES = `
  SELECT c.relname AS name, c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid) AS "isLocked"
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY 1`;
const COLUMNS = `
  SELECT format('%I', attname) AS name, attidentity = '' AS "mayChange" FROM pg_attribute
  WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum`;

const named = (text: string): Statement => ({ name: `spec ${text}`.slice(0, 50), text });

describe('rows of another tenant', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let [one, other]: FilledTenant[] = [];

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    [one, other] = [await fillTenant(database, newId()), await fillTenant(database, newId())];
    // This tests the policies alone; the rights of the role are tested below.
    const role = await database.transaction((tx) => readTenantRole(tx));
    await database.query(named(`GRANT ALL ON ALL TABLES IN SCHEMA public TO "${role}"`));
  });
  afterAll(() => fresh?.drop());

  const rowsOf = async (who: Queries, table: string): Promise<string[]> => {
    const text = `SELECT to_jsonb(t)::text AS row FROM ${table} t`;
    const rows = await who.query<{ row: string }>({ name: `spec rows of ${table}`, text });
    return rows.map(({ row }) => row).sort();
  };
  const columnsOf = (table: string) =>
    database.query<{ name: string; mayChange: boolean }>({ name: 'spec columns', text: COLUMNS }, [
      table,
    ]);

  it('are isolated in every table with rows of tenants', async () => {
    const tables = await database.query<{ name: string; isLocked: boolean }>(named(TABLES));
    const open = tables.filter(({ isLocked }) => !isLocked).map(({ name }) => name);
    expect(open).toEqual(SHARED);
    const locked = tables.filter(({ isLocked }) => isLocked).map(({ name }) => name);
    expect(locked).toEqual(Object.keys(TENANT_ROWS).sort());
  });

  describe.each(Object.keys(TENANT_ROWS))('in %s', (table) => {
    it('are not seen by a statement without a condition, and its own are', async () => {
      const all = await rowsOf(database, table);
      const ofOne = await rowsOf(database.asReader(one?.tenantId ?? ''), table);
      const ofOther = await rowsOf(database.asTenant(other?.tenantId ?? ''), table);
      expect([ofOne.length > 0, ofOther.length > 0]).toEqual([true, true]);
      expect([...ofOne, ...ofOther].sort()).toEqual(all);
    });

    it('are neither changed nor deleted by one', async () => {
      const before = await rowsOf(database, table);
      const stranger = database.asTenant(newId());
      const column = (await columnsOf(table)).find(({ mayChange }) => mayChange)?.name ?? '';
      const change = `UPDATE ${table} SET ${column} = ${column} RETURNING 1`;
      expect(await stranger.query({ name: `spec change ${table}`, text: change })).toEqual([]);
      const remove = `DELETE FROM ${table} RETURNING 1`;
      expect(await stranger.query({ name: `spec remove ${table}`, text: remove })).toEqual([]);
      expect(await rowsOf(database, table)).toEqual(before);
    });

    it('are not added', async () => {
      const [row] = await rowsOf(database.asReader(one?.tenantId ?? ''), table);
      const columns = (await columnsOf(table)).map(({ name }) => name).join(', ');
      const text = `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1::jsonb)`;
      const stranger = database.asTenant(newId());
      await expect(stranger.query({ name: `spec add ${table}`, text }, [row])).rejects.toThrow(
        'violates row-level security policy',
      );
    });
  });

  it('are not made of one’s own', async () => {
    const text = 'UPDATE webhook_secrets SET tenant_id = $1 RETURNING 1';
    const give = database.asTenant(one?.tenantId ?? '').query(named(text), [other?.tenantId]);
    await expect(give).rejects.toThrow('violates row-level security policy');
  });
});

const RIGHTS = `
  SELECT relname AS object, x.privilege_type AS privilege, relrowsecurity AS "isLocked"
  FROM pg_class, aclexplode(relacl) x JOIN pg_roles r ON r.oid = x.grantee
  WHERE r.rolname::text = $1 AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT relname, format('%s (%s)', x.privilege_type, attname), relrowsecurity
  FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid, aclexplode(attacl) x JOIN pg_roles r ON r.oid = x.grantee
  WHERE r.rolname::text = $1 AND relnamespace = 'public'::regnamespace
  UNION ALL
  SELECT format('%s(%s)', proname, oidvectortypes(proargtypes)), x.privilege_type, prosecdef
  FROM pg_proc, aclexplode(proacl) x JOIN pg_roles r ON r.oid = x.grantee
  WHERE r.rolname::text = $1 AND pronamespace = 'public'::regnamespace`;
const STANDING = `
  SELECT current_user = session_user AS "isOwner", coalesce(current_setting('trawl.tenant', true), '') AS tenant,
         current_setting('transaction_read_only') AS "readOnly"`;
const OWNER = [{ isOwner: true, tenant: '', readOnly: 'off' }];

describe('statements of a tenant', () => {
  let fresh: FreshDatabase;
  /** With one connection, so that each statement follows the one before it. */
  let database: Database;
  let own: FilledTenant;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    own = await fillTenant(fresh.database, newId());
    database = new Database({
      url: fresh.database.url,
      poolSize: 1,
      applicationName: 'spec',
      connectTimeoutMs: 60_000,
    });
    await database.connect();
  });
  afterAll(async () => {
    await database?.close();
    await fresh?.drop();
  });

  it('has the rights of the list, and only on tables with a policy', async () => {
    const role = await database.transaction((tx) => readTenantRole(tx));
    const rights = await database.query<{ object: string; privilege: string; isLocked: boolean }>(
      named(RIGHTS),
      [role],
    );
    expect(rights.filter(({ isLocked }) => !isLocked)).toEqual([]);
    const granted = rights.map(({ object, privilege }) => `${object}: ${privilege}`).sort();
    const wanted = Object.entries(TENANT_GRANTS).flatMap(([object, privileges]) =>
      privileges.map((privilege) => `${object}: ${privilege}`),
    );
    expect(granted).toEqual(wanted.sort());
  });

  it.each([
    ['read of what they have nothing to do with', 'SELECT 1 FROM outbox'],
    ['read a partition past its policy', 'SELECT 1 FROM pages_00'],
    ['read what a view shows', 'SELECT 1 FROM credit_entries'],
    ['change their plan', `UPDATE tenants SET plan = 'custom'`],
    ['spend', 'SELECT 1 FROM credit_balances FOR UPDATE'],
  ])('may not %s', async (_, text) => {
    await expect(database.asTenant(own.tenantId).query(named(text))).rejects.toThrow(
      'permission denied',
    );
  });

  it('write nothing as a reader', async () => {
    const write = database
      .asReader(own.tenantId)
      .query(named(`UPDATE api_keys SET label = 'x' RETURNING 1`));
    await expect(write).rejects.toThrow('read-only transaction');
    const standing = await database.asReader(own.tenantId).query(named(STANDING));
    expect(standing).toEqual([{ isOwner: false, tenant: own.tenantId, readOnly: 'on' }]);
  });

  it('write as a tenant, alone and in a transaction that is all or nothing', async () => {
    const tenant = database.asTenant(own.tenantId);
    const rename = 'UPDATE api_keys SET label = $1 RETURNING label';
    expect(await tenant.query(named(rename), ['alone'])).toEqual([{ label: 'alone' }]);
    const labels = await tenant.transaction(async (tx) => {
      await tx.query(rename, ['together']);
      return (await tx.query<{ label: string }>('SELECT label FROM api_keys')).rows;
    });
    expect(labels).toEqual([{ label: 'together' }]);
    const undone = tenant.transaction(async (tx) => {
      await tx.query(rename, ['undone']);
      throw new Error('changed its mind');
    });
    await expect(undone).rejects.toThrow('changed its mind');
    expect(await tenant.query(named('SELECT label FROM api_keys'))).toEqual(labels);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an answer', () => database.asReader(own.tenantId).query(named('SELECT 1'))],
    ['no rows', () => database.asTenant(own.tenantId).query(named('DELETE FROM webhook_disabled'))],
    ['a refused value', () => database.asTenant(own.tenantId).query(named(`SELECT 'x'::uuid`))],
    ['a text that is no statement', () => database.asTenant(own.tenantId).query(named('SELEKT'))],
    [
      'a value that cannot be sent',
      () => database.asTenant(own.tenantId).query(named('SELECT $1'), [cyclic()]),
    ],
    ['a tenant that is none', () => database.asTenant(`'; --`).query(named('SELECT 1 FROM jobs'))],
    [
      'a transaction',
      () => database.asTenant(own.tenantId).transaction((tx) => tx.query('SELECT 1')),
    ],
    [
      'a broken transaction',
      () => database.asTenant(own.tenantId).transaction((tx) => tx.query('SELEKT')),
    ],
  ])('leave their connection to others as it was, after %s', async (_, work) => {
    await work().catch(() => undefined);
    expect(await database.query(named(STANDING))).toEqual(OWNER);
    expect(await database.asReader(own.tenantId).query(named('SELECT id FROM jobs'))).toEqual([
      { id: own.jobId },
    ]);
    expect(await database.query(named(STANDING))).toEqual(OWNER);
  });

  it('take one round trip, and in a transaction none beside those of the transaction', async () => {
    const connection = await database.transaction(async (tx) => tx.connection);
    let answers = 0;
    const count = () => answers++;
    connection.on('readyForQuery', count);
    const read = () => database.asReader(own.tenantId).query(named('SELECT id FROM jobs'));
    await read(); // the first of a connection is prepared
    answers = 0;
    await read();
    expect(answers).toBe(1);
    await database.asTenant(own.tenantId).transaction((tx) => tx.query('SELECT 1'));
    expect(answers).toBe(1 + 3);
    connection.off('readyForQuery', count);
  });

  it('are prepared again after one could not be', async () => {
    const read = () =>
      database.asTenant(own.tenantId).query(named('SELECT 1 AS n FROM not_there_yet'));
    await expect(read()).rejects.toThrow('does not exist');
    const role = await database.transaction((tx) => readTenantRole(tx));
    await database.query(named('CREATE TABLE not_there_yet AS SELECT 1 AS n'));
    await database.query(named(`GRANT SELECT ON not_there_yet TO "${role}"`));
    expect(await read()).toEqual([{ n: 1 }]);
    await database.query(named('DROP TABLE not_there_yet'));
  });

  it('see their own rows while other tenants read theirs', async () => {
    const beside = await fillTenant(fresh.database, newId());
    const read = { name: 'spec ids of jobs', text: 'SELECT id FROM jobs' };
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        if (n % 3 === 0) return (await fresh.database.query(read)).length;
        const { tenantId, jobId } = n % 3 === 1 ? own : beside;
        const [job, ...more] = await fresh.database.asReader(tenantId).query<{ id: string }>(read);
        return job?.id === jobId && more.length === 0;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? 2 : true)));
  });
});

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}
