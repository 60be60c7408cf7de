import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { createTenant } from '@app/accounts';
import { keepCustomer, openBillingAccount } from './billing-account.js';
import { takeDueRereads } from './subscription-rereader.js';
import { beginRead, applySubscription } from './apply-subscription.js';

const provider = 'stripe';

describe('billing accounts without an event', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterEach(() => fresh.drop());

  async function customer(): Promise<string> {
    const tenantId = (await createTenant(database, 'spec', 'free')).id;
    const account = await openBillingAccount(database, { tenantId, provider });
    const customerId = `cus_${tenantId}`;
    await keepCustomer(database, { tenantId, claimId: account?.claimId ?? '', customerId });
    return customerId;
  }

  const take = (most = 10) => takeDueRereads(database, { provider, most, retryInSeconds: 3_600 });
  const age = (hours: number) =>
    database.query(
      {
        name: 'spec_age_accounts',
        text: `UPDATE billing_accounts SET reread_at = reread_at - $1::int * interval '1 hour'`,
      },
      [hours],
    );
  async function read(customerId: string): Promise<void> {
    const begun = await beginRead(database, { provider, customerId });
    if (begun === null) throw new Error('no tenant has this customer');
    await applySubscription(database, begun, {
      plan: 'free',
      subscriptionId: null,
      subscriptionState: null,
      payment: 'confirmed',
      periodEnd: null,
      endsAt: null,
    });
  }

  it('are due a day after they were made, and a day after each reading', async () => {
    const one = await customer();
    await age(23);
    expect(await take()).toEqual([]);
    await age(2);
    expect(await take()).toEqual([one]);
    await read(one);
    await age(23);
    expect(await take()).toEqual([]);
    await age(2);
    expect(await take()).toEqual([one]);
  });

  it('are due again soon when their reading failed', async () => {
    const one = await customer();
    await age(25);
    expect(await take()).toEqual([one]);
    expect(await take()).toEqual([]);
    await age(2);
    expect(await take()).toEqual([one]);
  });

  it('are claimed by one of many replicas, a bounded number at a time', async () => {
    for (let n = 0; n < 12; n++) await customer();
    await age(25);
    const taken = (await Promise.all(Array.from({ length: 5 }, () => take(3)))).flat();
    expect(new Set(taken).size).toBe(taken.length);
    expect([...taken, ...(await take(12))]).toHaveLength(12);
  });

  it('are not due without a customer, nor for another provider', async () => {
    const { id: tenantId } = await createTenant(database, 'spec', 'free');
    await openBillingAccount(database, { tenantId, provider });
    await age(25);
    expect(await take()).toEqual([]);
    await customer();
    await age(25);
    expect(
      await takeDueRereads(database, { provider: 'other', most: 10, retryInSeconds: 1 }),
    ).toEqual([]);
  });
});
