import { newId, ApiError } from '@app/contracts';
import { EgressGuard, HttpClient } from '@app/egress';
import { StripePayments } from '@app/providers';
import { createTenant } from '@app/accounts';
import { findBillingAccount } from './billing-account.js';
import { type Database } from '@app/database';
import { startFakeStripe, until, type FakeStripe } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { BillingCustomers } from './billing-customers.js';

describe('customers of the payment provider', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let fake: FakeStripe;
  let http: HttpClient;
  let provider: StripePayments;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    fake = await startFakeStripe();
    open(30_000);
  });
  afterEach(async () => {
    await close();
    await fake.close();
  });

  function open(timeoutMs: number): void {
    const url = fake.baseUrl;
    const guard = EgressGuard.forEndpoint(url);
    http = new HttpClient({ guard, userAgent: 'spec', connectTimeoutMs: 60_000 });
    provider = new StripePayments({
      ...{ http, url, secretKey: fake.key, webhookSecret: 'whsec_spec' },
      ...{ timeoutMs, maxRetries: 0 },
    });
  }
  async function close(): Promise<void> {
    provider.close();
    await http.close();
  }
  async function reopen(timeoutMs: number): Promise<void> {
    await close();
    open(timeoutMs);
  }

  const made = () => fake.account.customers.size;

  it('are made once for twenty calls at a time, in one process and in several', async () => {
    let open = (): void => undefined;
    fake.gate = new Promise((resolve) => (open = resolve));
    const replicas = Array.from({ length: 4 }, () => new BillingCustomers(database));
    const calls = Array.from({ length: 5 }, () => replicas)
      .flat()
      .map((customers) => customers.ensure(provider, tenantId));
    await until(() => fake.requests.length >= 4);
    open();
    const ids = (await Promise.all(calls)).map(({ customerId }) => customerId);
    expect(new Set(ids).size).toBe(1);
    expect(made()).toBe(1);
    expect((await findBillingAccount(database, tenantId))?.customerId).toBe(ids[0]);
  });

  it('are known from then on', async () => {
    const customers = new BillingCustomers(database);
    const first = await customers.ensure(provider, tenantId);
    expect(first.isNew).toBe(true);
    expect(await customers.ensure(provider, tenantId)).toEqual({ ...first, isNew: false });
    expect(fake.requests).toHaveLength(1);
  });

  it.each(['lost', 'truncated', 'garbage_json', 'hang'] as const)(
    'are made once when an answer is %s',
    async (mode) => {
      if (mode === 'hang') await reopen(300);
      fake.nextModes.push(mode, mode);
      const customers = new BillingCustomers(database);
      await expect(customers.ensure(provider, tenantId)).rejects.toThrow('Stripe');
      fake.nextModes.length = 0;
      await reopen(30_000);
      await customers.ensure(provider, tenantId);
      expect(made()).toBe(1);
    },
  );

  it('can be made after a failure, which the provider repeats for its key', async () => {
    fake.nextModes.push('lost_500');
    const customers = new BillingCustomers(database);
    await expect(customers.ensure(provider, tenantId)).rejects.toThrow('Stripe answered 500');
    expect(await customers.ensure(provider, tenantId)).toMatchObject({ isNew: true });
    const keys = fake.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  it('are created again when they were deleted', async () => {
    const customers = new BillingCustomers(database);
    const first = await customers.ensure(provider, tenantId);
    await customers.forget(first);
    const second = await customers.ensure(provider, tenantId);
    expect(second.customerId).not.toBe(first.customerId);
    expect(second.isNew).toBe(true);
    await customers.forget(first);
    expect((await customers.ensure(provider, tenantId)).customerId).toBe(second.customerId);
  });

  it('are of tenants only', async () => {
    const error: unknown = await new BillingCustomers(database)
      .ensure(provider, newId())
      .catch((thrown: unknown) => thrown);
    expect((error as ApiError).code).toBe('tenant_not_found');
    expect(fake.requests).toHaveLength(0);
  });
});
