import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { charge } from './reserve-credits.js';
import type { Database } from '@app/database';
import { createTenant } from '../tenants/tenants.js';

describe('the credit ledger', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    tenantId = (await createTenant(database, 'spec', 'pro')).id;
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(() => database.query({ name: 'reset', text: 'TRUNCATE credit_ledger' }));

  const rows = () =>
    database.query({
      name: 'rows',
      text: `SELECT operation, credits, cost_micro_usd::int AS cost FROM credit_ledger ORDER BY operation`,
    });

  it('stores the model cost with the credits', async () => {
    await charge(database, {
      tenantId,
      operation: 'extract',
      chargeId: newId(),
      credits: 1,
      costMicroUsd: 249,
    });
    await charge(database, { tenantId, operation: 'parse', chargeId: newId(), credits: 1 });
    expect(await rows()).toEqual([
      { operation: 'extract', credits: 1, cost: 249 },
      { operation: 'parse', credits: 1, cost: 0 },
    ]);
  });

  it('charges a request once, cost included, however often it is replayed concurrently', async () => {
    const entry = {
      tenantId,
      operation: 'extract',
      chargeId: newId(),
      credits: 0,
      costMicroUsd: 7,
    } as const;
    await Promise.all(Array.from({ length: 20 }, () => charge(database, entry)));
    expect(await rows()).toEqual([{ operation: 'extract', credits: 0, cost: 7 }]);
  });

  it('refuses a negative cost', async () => {
    const entry = { tenantId, operation: 'extract', chargeId: newId(), credits: 1 } as const;
    await expect(charge(database, { ...entry, costMicroUsd: -1 })).rejects.toThrow(
      /credit_ledger_cost/,
    );
    expect(await rows()).toEqual([]);
  });
});
