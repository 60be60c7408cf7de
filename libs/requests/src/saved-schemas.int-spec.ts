import { randomUUID } from 'node:crypto';
import { createTenant } from '@app/accounts';
import type { Database } from '@app/database';
import { openFreshDatabase, type FreshDatabase } from '../../../test/setup/open-fresh-database.js';
import {
  deleteSchema,
  deleteTenantSchemas,
  findSchema,
  listSchemas,
  MAX_SAVED_SCHEMAS,
  saveSchema,
} from './saved-schemas.js';

describe('saved schemas', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'free')).id;
  });

  it('are found by name, replaced and deleted, by their tenant alone', async () => {
    const other = (await createTenant(database, 'other', 'free')).id;
    expect(await saveSchema(database, tenantId, { name: 'a', schema: { z: 1, b: 2 } })).toBe(true);
    expect(await saveSchema(database, tenantId, { name: 'a', schema: { z: 3, b: 4 } })).toBe(true);
    const found = await findSchema(database, tenantId, 'a');
    expect(JSON.stringify(found?.schema)).toBe('{"z":3,"b":4}');
    expect(await findSchema(database, other, 'a')).toBeNull();
    await deleteSchema(database, other, 'a');
    expect(await listSchemas(database, tenantId)).toHaveLength(1);
    await deleteSchema(database, tenantId, 'a');
    expect(await listSchemas(database, tenantId)).toEqual([]);
  });

  it('go with the data of their tenant', async () => {
    await saveSchema(database, tenantId, { name: 'a', schema: {} });
    const later = new Date(Date.now() + 60_000);
    await deleteTenantSchemas(database, { tenantId: randomUUID(), until: later });
    await deleteTenantSchemas(database, { tenantId, until: new Date(0) });
    expect(await listSchemas(database, tenantId)).toHaveLength(1);
    await deleteTenantSchemas(database, { tenantId, until: later });
    expect(await listSchemas(database, tenantId)).toEqual([]);
  });

  it('are as many as a tenant may have, also when saved at once', async () => {
    const save = (name: string) => saveSchema(database, tenantId, { name, schema: {} });
    const names = Array.from({ length: MAX_SAVED_SCHEMAS + 20 }, (_, n) => `s${n}`);
    const saved = await Promise.all(names.map(save));
    expect(saved.filter(Boolean)).toHaveLength(MAX_SAVED_SCHEMAS);
    const [first] = await listSchemas(database, tenantId);
    expect(await save(first?.name ?? '')).toBe(true);
    expect(await save('one more')).toBe(false);
  });
});
