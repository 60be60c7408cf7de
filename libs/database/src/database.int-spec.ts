import { newId } from '@app/contracts';
import { adHocStatement as sql, until } from '@app/testing';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { TenantEntity } from '../../accounts/src/tenants/tenant.entity.js';
import { Database } from './database.js';
import { DatabaseUnavailableError } from './server-errors.js';

const ONE = sql('SELECT 1 AS one');

describe('a database that cannot be had', () => {
  let fresh: FreshDatabase;
  let database: Database;
  /** With one connection. */
  let scarce: Database | undefined;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(async () => {
    await scarce?.close();
    await fresh?.drop();
  });

  const isServed = (by: Database) => expect(by.query(ONE)).resolves.toEqual([{ one: 1 }]);

  it('is named in time when every connection stays in use, and serves when one is given back', async () => {
    const pool = new Database({
      ...{ url: database.url, poolSize: 1, applicationName: 'scarce' },
      connectTimeoutMs: 1_000,
    });
    scarce = pool;
    const tenant = pool.asTenant(newId());
    const isReady = async () => {
      await pool.connect();
      return (await tenant.query(ONE)).length === 1;
    };
    await until(() => isReady().catch(() => false), { what: 'a connection' });
    await pool.transaction(async (tx) => {
      const waiting = await Promise.allSettled([
        pool.query(ONE),
        pool.rows(TenantEntity).find(),
        pool.transaction(async () => undefined),
        tenant.query(ONE),
        tenant.transaction(async () => undefined),
      ]);
      const unavailable = { status: 'rejected', reason: expect.any(DatabaseUnavailableError) };
      expect(waiting).toEqual(waiting.map(() => unavailable));
      expect((await tx.query(ONE)).rows).toEqual([{ one: 1 }]);
    });
    await isServed(pool);
  });

  it('is named when the server ends the session, within a statement or between two', async () => {
    const end = sql('SELECT pg_terminate_backend($1)');
    const pid = 'SELECT pg_backend_pid() AS pid';
    await expect(database.query(sql(`SELECT pg_terminate_backend(pid) FROM (${pid}) own`)))
      .rejects.toBeInstanceOf(DatabaseUnavailableError); // prettier-ignore
    const lost = database.transaction(async (tx) => {
      const { rows } = await tx.query<{ pid: number }>(pid);
      await database.query(end, [rows[0]?.pid]);
      await tx.query(ONE);
    });
    await expect(lost).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await isServed(database);
  });

  it('is not taken for it when the server refuses a statement, or the work itself fails', async () => {
    await expect(database.query(sql('SELECT 1 / 0'))).rejects.toMatchObject({ code: '22012' });
    const ours = new Error('ours');
    await expect(database.transaction(() => Promise.reject(ours))).rejects.toBe(ours);
    await isServed(database);
  });
});
