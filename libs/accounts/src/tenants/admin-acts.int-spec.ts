import { adHocStatement } from '@app/testing';
import { newId } from '@app/contracts';
import { freshStore, type FreshStore } from '../../../../test/setup/fresh-store.js';
import { listAdminActs, recordAdminAct } from './admin-acts.js';
import type { Store } from '@app/database';
import {
  changeAgreement,
  createTenant,
  findTenant,
  findTenantsNamed,
  listTenants,
} from './tenants.js';

describe('what operators do', () => {
  let fresh: FreshStore;
  let store: Store;

  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => store.query({ name: 'reset', text: 'TRUNCATE tenants, admin_acts CASCADE' }));

  const entry = (act: string, tenantId: string | null = null) => ({
    actor: 'spec',
    act,
    tenantId,
    details: { n: 1 },
  });
  const acts = async (tenantId: string | null = null, limit = 10) =>
    (await listAdminActs(store, { tenantId, limit })).map(({ act }) => act);

  it('is written down, newest first, for all or one tenant', async () => {
    const tenantId = newId();
    await recordAdminAct(store, entry('a'));
    await store.transaction((tx) => recordAdminAct(tx, entry('b', tenantId)));
    await recordAdminAct(store, entry('c'));
    expect(await acts()).toEqual(['c', 'b', 'a']);
    expect(await acts(tenantId)).toEqual(['b']);
    expect(await acts(null, 2)).toEqual(['c', 'b']);
    const [act] = await listAdminActs(store, { tenantId, limit: 1 });
    expect(act).toEqual({
      ...entry('b', tenantId),
      id: expect.stringMatching(/^\d+$/),
      at: expect.any(Date),
    });
  });

  it('is not written down when it is undone', async () => {
    const failing = store.transaction(async (tx) => {
      await recordAdminAct(tx, entry('undone'));
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await acts()).toEqual([]);
  });

  it.each([`UPDATE admin_acts SET actor = 'nobody'`, 'DELETE FROM admin_acts'])(
    'stands: %s',
    async (text) => {
      await recordAdminAct(store, entry('stays'));
      await expect(store.query({ name: text, text })).rejects.toThrow('only added to');
      expect(await acts()).toEqual(['stays']);
    },
  );

  it('changes agreements of tenants', async () => {
    const { id } = await createTenant(store, 'a', 'free', 'a@example.com');
    await createTenant(store, 'b', 'free');
    await store.transaction(async (tx) => {
      const agreed = { monthlyCredits: 0, requestsPerMinute: null, concurrentRequests: 4 };
      await changeAgreement(tx, id, agreed);
    });
    const tenant = await findTenant(store, id);
    expect(tenant).toEqual({
      id,
      name: 'a',
      plan: 'free',
      email: 'a@example.com',
      createdAt: expect.any(Date),
      agreed: { monthlyCredits: 0, requestsPerMinute: null, concurrentRequests: 4 },
    });
    expect(await findTenantsNamed(store, 'a')).toEqual([tenant]);
    expect((await listTenants(store, 10)).map(({ name }) => name)).toEqual(['b', 'a']);
    expect(await findTenant(store, newId())).toBeNull();
  });

  it('takes and gives back what accounts are made of, keys kept', async () => {
    const { id } = await createTenant(store, 'old', 'free');
    const sql = (text: string) => store.query(adHocStatement(text));
    await sql('DROP TABLE admin_acts, key_provisions');
    await sql('DROP FUNCTION admin_acts_keep');
    await sql('DROP INDEX api_keys_tenant');
    await sql(
      'ALTER TABLE api_keys DROP COLUMN last_used_at, DROP COLUMN expires_at, DROP COLUMN origin, DROP COLUMN replaced_by',
    );
    await sql(
      'ALTER TABLE tenants DROP COLUMN email, DROP COLUMN agreed_monthly_credits, DROP COLUMN agreed_requests_per_minute',
    );
    await sql(
      `INSERT INTO api_keys (id, tenant_id, prefix, secret_hash, label)
       SELECT gen_random_uuid(), '${id}', label, '', label FROM unnest(ARRAY['first key', 'other']) label`,
    );
    await sql(`DELETE FROM schema_migrations WHERE name = 'Accounts1732180000018'`);
    expect(await store.migrate()).toEqual(['Accounts1732180000018']);
    expect(await sql('SELECT label, origin FROM api_keys ORDER BY label')).toEqual([
      { label: 'first key', origin: 'first' },
      { label: 'other', origin: 'admin' },
    ]);
  });
});
