import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';
import {
  findBillingAccount,
  keepCustomer,
  openBillingAccount,
  renewClaim,
} from './billing-account.js';

describe('billing accounts', () => {
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

  const opened = async () => {
    const account = await openBillingAccount(database, { tenantId, provider: 'stripe' });
    if (account === null) throw new Error('no account');
    return account;
  };

  it('are made once, with one claim, however many open them', async () => {
    expect(await findBillingAccount(database, tenantId)).toBeNull();
    const made = await Promise.all(Array.from({ length: 10 }, opened));
    expect(new Set(made.map(({ claimId }) => claimId)).size).toBe(1);
    expect(made[0]).toMatchObject({ tenantId, provider: 'stripe', customerId: null, plan: null });
  });

  it('are of tenants only', async () => {
    const none = { tenantId: newId(), provider: 'stripe' };
    expect(await openBillingAccount(database, none)).toBeNull();
  });

  it('keep the first customer of their claim', async () => {
    const { claimId } = await opened();
    const keep = (customerId: string) => keepCustomer(database, { tenantId, claimId, customerId });
    expect(await keep(`cus_a${tenantId}`)).toBe(true);
    expect(await keep(`cus_a${tenantId}`)).toBe(true);
    expect(await keep(`cus_b${tenantId}`)).toBe(false);
    expect((await opened()).customerId).toBe(`cus_a${tenantId}`);
  });

  it('delete the customer with the claim, once, and accept none under the old one', async () => {
    const { claimId } = await opened();
    await keepCustomer(database, { tenantId, claimId, customerId: `cus_${tenantId}` });
    await renewClaim(database, { tenantId, claimId });
    const renewed = await opened();
    expect(renewed.customerId).toBeNull();
    expect(renewed.claimId).not.toBe(claimId);
    await renewClaim(database, { tenantId, claimId });
    expect((await opened()).claimId).toBe(renewed.claimId);
    expect(await keepCustomer(database, { tenantId, claimId, customerId: 'cus_x' })).toBe(false);
  });
});
