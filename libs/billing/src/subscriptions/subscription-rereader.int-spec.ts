import type { PlanPrice } from '@app/config';
import { PaymentProviderError, type PaymentProvider, type Subscription } from '@app/providers';
import { createTenant } from '@app/accounts';
import { keepCustomer, openBillingAccount } from './billing-account.js';
import { type Database } from '@app/database';
import { Metrics } from '@app/telemetry';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { SubscriptionRereader } from './subscription-rereader.js';

const PRICES: readonly PlanPrice[] = [{ plan: 'pro', priceId: 'p_pro' }];

function paying(): readonly Subscription[] {
  const items = [{ id: 'si_1', priceId: 'p_pro', periodStart: null, periodEnd: null }];
  return [{ id: 'sub_1', state: 'active', isLive: true, isOverdue: false, items, endsAt: null }];
}

describe('the daily reading of subscriptions', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let metrics: Metrics;
  let reads: string[];
  let warned: unknown[];
  let answer: (customerId: string) => Promise<readonly Subscription[]>;

  beforeEach(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
    [metrics, reads, warned] = [new Metrics(), [], []];
    answer = async () => paying();
  });
  afterEach(() => fresh.drop());

  function rereader(): SubscriptionRereader {
    const provider = {
      name: 'stripe',
      readSubscriptions: (id: string) => {
        reads.push(id);
        return answer(id);
      },
    } as unknown as PaymentProvider;
    const log = { info: () => undefined, warn: (details: unknown) => void warned.push(details) };
    return new SubscriptionRereader({
      ...{ database, provider, prices: PRICES, metrics, log: log as never },
    });
  }

  async function customer(): Promise<{ readonly tenantId: string; readonly customerId: string }> {
    const tenantId = (await createTenant(database, 'spec', 'free')).id;
    const account = await openBillingAccount(database, { tenantId, provider: 'stripe' });
    const customerId = `cus_${tenantId}`;
    await keepCustomer(database, { tenantId, claimId: account?.claimId ?? '', customerId });
    return { tenantId, customerId };
  }

  const age = (hours: number) =>
    database.query(
      {
        name: 'spec_age_accounts',
        text: `UPDATE billing_accounts SET reread_at = reread_at - $1::int * interval '1 hour'`,
      },
      [hours],
    );
  async function planOf(tenantId: string): Promise<string | undefined> {
    const text = 'SELECT plan FROM tenants WHERE id = $1';
    const [row] = await database.query<{ plan: string }>({ name: 'spec_plan', text }, [tenantId]);
    return row?.plan;
  }
  async function counted(outcome: string): Promise<number | undefined> {
    const { values } = await metrics.paymentRereads.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value;
  }

  it('makes up for a lost event, once a day', async () => {
    const { tenantId, customerId } = await customer();
    const one = rereader();
    expect(await one.round()).toBeNull();
    expect(reads).toEqual([]);
    await age(25);
    expect(await one.round()).toBeNull();
    expect([reads, await planOf(tenantId), await counted('changed')]).toEqual([
      [customerId],
      'pro',
      1,
    ]);
    await one.round();
    expect(reads).toHaveLength(1);
    await age(25);
    await one.round();
    expect([reads.length, await counted('changed'), await counted('same')]).toEqual([2, 1, 1]);
    answer = async () => [];
    await age(25);
    await one.round();
    expect([await planOf(tenantId), await counted('changed')]).toEqual(['free', 2]);
  });

  it('retries a failed reading after an hour, and logs it', async () => {
    await customer();
    await age(25);
    answer = () => Promise.reject(new PaymentProviderError('unreachable', 'no answer'));
    const one = rereader();
    await one.round();
    expect([await counted('failed'), warned.length]).toEqual([1, 1]);
    await one.round();
    expect(reads).toHaveLength(1);
    answer = async () => paying();
    await age(2);
    await one.round();
    expect([reads.length, await counted('changed')]).toEqual([2, 1]);
  });

  it('reads each customer once in several replicas, so many a round', async () => {
    for (let n = 0; n < 25; n++) await customer();
    await age(25);
    const rounds = await Promise.all([rereader().round(), rereader().round()]);
    expect(rounds).toEqual([5_000, 5_000]);
    expect(await rereader().round()).toBeNull();
    expect(reads).toHaveLength(25);
    expect(new Set(reads).size).toBe(25);
  });

  it('logs nothing about readings aborted by a stop', async () => {
    await customer();
    await age(25);
    const one = rereader();
    answer = async () => {
      one.stop();
      throw new PaymentProviderError('unreachable', 'broken off');
    };
    expect(await one.round()).toBeNull();
    expect([await counted('failed'), warned.length]).toEqual([0, 0]);
  });
});
