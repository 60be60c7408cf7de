import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { listAdminActs, recordAdminAct } from './admin-acts.js';
import type { Database } from '@app/database';
import {
  changeAgreement,
  createTenant,
  findTenant,
  findTenantsNamed,
  listTenants,
} from './tenants.js';

describe('acts of operators', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => database.query({ name: 'reset', text: 'TRUNCATE tenants, admin_acts CASCADE' }));

  const entry = (act: string, tenantId: string | null = null) => ({
    actor: 'spec',
    act,
    tenantId,
    details: { n: 1 },
  });
  const acts = async (tenantId: string | null = null, limit = 10) =>
    (await listAdminActs(database, { tenantId, limit })).map(({ act }) => act);

  it('is written down, newest first, for all or one tenant', async () => {
    const tenantId = newId();
    await recordAdminAct(database, entry('a'));
    await database.transaction((tx) => recordAdminAct(tx, entry('b', tenantId)));
    await recordAdminAct(database, entry('c'));
    expect(await acts()).toEqual(['c', 'b', 'a']);
    expect(await acts(tenantId)).toEqual(['b']);
    expect(await acts(null, 2)).toEqual(['c', 'b']);
    const [act] = await listAdminActs(database, { tenantId, limit: 1 });
    expect(act).toEqual({
      ...entry('b', tenantId),
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(Date),
    });
  });

  it('is not written down when it is undone', async () => {
    const failing = database.transaction(async (tx) => {
      await recordAdminAct(tx, entry('undone'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await acts()).toEqual([]);
  });

  it.each([`UPDATE admin_acts SET actor = 'nobody'`, 'DELETE FROM admin_acts'])(
    'cannot be changed: %s',
    async (text) => {
      await recordAdminAct(database, entry('stays'));
      await expect(database.query({ name: text, text })).rejects.toThrow('only added to');
      expect(await acts()).toEqual(['stays']);
    },
  );

  it('changes agreements of tenants', async () => {
    const { id } = await createTenant(database, 'a', 'free', 'a@example.com');
    await createTenant(database, 'b', 'free');
    await database.transaction(async (tx) => {
      const agreed = { monthlyCredits: 0, requestsPerMinute: null, concurrentRequests: 4 };
      await changeAgreement(tx, id, agreed);
    });
    const tenant = await findTenant(database, id);
    expect(tenant).toEqual({
      id,
      name: 'a',
      plan: 'free',
      hasLiveMaps: false,
      email: 'a@example.com',
      createdAt: expect.any(Date),
      agreed: { monthlyCredits: 0, requestsPerMinute: null, concurrentRequests: 4 },
    });
    expect(await findTenantsNamed(database, 'a')).toEqual([tenant]);
    expect((await listTenants(database, 10)).map(({ name }) => name)).toEqual(['b', 'a']);
    expect(await findTenant(database, newId())).toBeNull();
  });
});
