import { createTenant } from '@app/accounts';
import { newId } from '@app/contracts';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import { TenantEntity } from '../../accounts/src/tenants/tenant.entity.js';
import type { Database } from './database.js';
import { rowsIn } from './repositories.js';

describe('rows of an entity', () => {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh?.drop());

  const tenantOf = (name: string) => ({ id: newId(), name, plan: 'free' as const });
  const namesLike = async (name: string) =>
    (await database.rows(TenantEntity).findBy({ name })).map((tenant) => tenant.name);

  it('are part of the transaction they are written in', async () => {
    const write = (name: string, isUndone: boolean) =>
      database.transaction(async (tx) => {
        await rowsIn(tx, TenantEntity).insert(tenantOf(name));
        await rowsIn(tx, TenantEntity).update({ name }, { email: 'a@b.example' });
        expect(await namesLike(name)).toEqual([]);
        if (isUndone) throw new Error('undone');
      });
    await write('kept', false);
    await expect(write('lost', true)).rejects.toThrow('undone');
    expect([await namesLike('kept'), await namesLike('lost')]).toEqual([['kept'], []]);
  });

  it('are those of one tenant in a transaction of that tenant, and change no others', async () => {
    const [{ id }, other] = [await createTenant(database, 'own', 'free'), tenantOf('other')];
    await database.rows(TenantEntity).insert(other);
    const change = { name: 'renamed' };
    const seen = await database.asTenant(id).transaction(async (tx) => {
      const tenants = rowsIn(tx, TenantEntity);
      expect(await tenants.update({ id: other.id }, change)).toMatchObject({ affected: 0 });
      expect(await tenants.update({ id }, change)).toMatchObject({ affected: 1 });
      return tenants.find();
    });
    expect(seen.map((tenant) => tenant.id)).toEqual([id]);
    expect(await namesLike('renamed')).toEqual(['renamed']);
  });

  it('fail with the error of the server, which has no values for logs', async () => {
    const twice = tenantOf('twice');
    await database.rows(TenantEntity).insert(twice);
    const again = await database
      .rows(TenantEntity)
      .insert(twice)
      .catch((error: unknown) => error);
    expect(again).toMatchObject({ name: 'error', code: '23505', constraint: 'tenants_pkey' });
    expect(again).not.toHaveProperty('parameters');
  });

  it('are not written on a connection that is in no transaction', () => {
    const stranger = { query: () => undefined } as never;
    expect(() => rowsIn(stranger, TenantEntity)).toThrow('part of no transaction');
  });
});
