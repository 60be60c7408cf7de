import { newId } from '@app/contracts';
import { freshStore, type FreshStore } from '../../../../test/setup/fresh-store.js';
import type { Store } from '@app/database';
import { createTenant } from '../tenants/tenants.js';
import {
  findBillingAccount,
  keepCustomer,
  openBillingAccount,
  renewClaim,
} from './billing-account.js';

describe('billing accounts', () => {
  let fresh: FreshStore;
  let store: Store;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    tenantId = (await createTenant(store, 'spec', 'free')).id;
  });

  const opened = async () => {
    const account = await openBillingAccount(store, { tenantId, provider: 'stripe' });
    if (account === null) throw new Error('no account');
    return account;
  };

  it('are made once, with one claim, however many open them', async () => {
    expect(await findBillingAccount(store, tenantId)).toBeNull();
    const made = await Promise.all(Array.from({ length: 10 }, opened));
    expect(new Set(made.map(({ claimId }) => claimId)).size).toBe(1);
    expect(made[0]).toMatchObject({ tenantId, provider: 'stripe', customerId: null, plan: null });
  });

  it('are of tenants only', async () => {
    const none = { tenantId: newId(), provider: 'stripe' };
    expect(await openBillingAccount(store, none)).toBeNull();
  });

  it('keep the first customer of their claim', async () => {
    const { claimId } = await opened();
    const keep = (customerId: string) => keepCustomer(store, { tenantId, claimId, customerId });
    expect(await keep(`cus_a${tenantId}`)).toBe(true);
    expect(await keep(`cus_a${tenantId}`)).toBe(true);
    expect(await keep(`cus_b${tenantId}`)).toBe(false);
    expect((await opened()).customerId).toBe(`cus_a${tenantId}`);
  });

  it('forget the customer with the claim, once, and take none under the old one', async () => {
    const { claimId } = await opened();
    await keepCustomer(store, { tenantId, claimId, customerId: `cus_${tenantId}` });
    await renewClaim(store, { tenantId, claimId });
    const renewed = await opened();
    expect(renewed.customerId).toBeNull();
    expect(renewed.claimId).not.toBe(claimId);
    await renewClaim(store, { tenantId, claimId });
    expect((await opened()).claimId).toBe(renewed.claimId);
    expect(await keepCustomer(store, { tenantId, claimId, customerId: 'cus_x' })).toBe(false);
  });
});
