import type { PlanPrice } from '@app/config';
import { PaymentProviderError, type PaymentProvider, type Subscription } from '@app/providers';
import { createTenant } from '@app/accounts';
import { keepCustomer, openBillingAccount } from './billing-account.js';
import { receivePaymentEvent } from './payment-events.js';
import { type Database } from '@app/database';
import { Metrics } from '@app/telemetry';
import { until } from '@app/testing';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { EventApplier } from './event-applier.js';

const PRICES: readonly PlanPrice[] = [{ plan: 'pro', priceId: 'p_pro' }];

function paying(priceId = 'p_pro'): readonly Subscription[] {
  const items = [{ id: 'si_1', priceId, periodStart: null, periodEnd: null }];
  return [{ id: 'sub_1', state: 'active', isLive: true, isOverdue: false, items, endsAt: null }];
}

describe('the applier of payment events', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let customerId: string;
  let reads: string[];
  let answer: (customerId: string) => Promise<readonly Subscription[]>;
  let metrics: Metrics;
  const logged: { level: string; what: string; details: Record<string, unknown> }[] = [];
  const note = (level: string) => (details: Record<string, unknown>, what: string) =>
    void logged.push({ level, what, details });
  const log = { info: note('info'), warn: note('warn'), error: note('error') };

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(async () => {
    reads = [];
    metrics = new Metrics();
    logged.length = 0;
    answer = async () => paying();
    tenantId = (await createTenant(database, 'spec', 'free')).id;
    customerId = `cus_${tenantId}`;
    const account = await openBillingAccount(database, { tenantId, provider: 'stripe' });
    await keepCustomer(database, { tenantId, claimId: account?.claimId ?? '', customerId });
  });
  // So that no test leaves due events to the next one.
  afterEach(() =>
    database.query({ name: 'spec_no_events', text: 'DELETE FROM payment_events' }, []),
  );

  function applier(over: { waitsMs?: readonly number[]; leaseMs?: number } = {}): EventApplier {
    const provider = {
      name: 'stripe',
      readSubscriptions: (id: string) => {
        reads.push(id);
        return answer(id);
      },
    } as unknown as PaymentProvider;
    const parts = { database, provider, prices: PRICES, log: log as never, metrics };
    return new EventApplier({ ...parts, ...over });
  }

  /** How many events ended so. */
  async function counted(outcome: string): Promise<number | undefined> {
    const { values } = await metrics.paymentEvents.get();
    return values.find(({ labels }) => labels['outcome'] === outcome)?.value;
  }

  const tell = (id: string, of = customerId) =>
    receivePaymentEvent(database, { provider: 'stripe', id, type: 'invoice.paid', customerId: of });

  const events = () =>
    database.query<{ id: string; state: string; attempts: number; error: string | null }>(
      {
        name: 'spec_events',
        text: 'SELECT id, state, attempts, error FROM payment_events ORDER BY id',
      },
      [],
    );

  async function plan(): Promise<string> {
    const text = 'SELECT plan FROM tenants WHERE id = $1';
    const [row] = await database.query<{ plan: string }>({ name: 'spec_plan', text }, [tenantId]);
    return row?.plan ?? 'none';
  }

  it('reads a customer once for all its events', async () => {
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await tell(id);
    const one = applier();
    expect(await one.round()).toBe(0);
    expect(await one.round()).toBeNull();
    expect(reads).toEqual([customerId]);
    expect(await plan()).toBe('pro');
    expect((await events()).map(({ state }) => state)).toEqual(['applied', 'applied', 'applied']);
    expect([await counted('applied'), await counted('given_up')]).toEqual([3, 0]);
  });

  it('shares the work with other replicas', async () => {
    for (let n = 0; n < 40; n++) await tell(`evt_${n}`);
    await Promise.all(Array.from({ length: 4 }, () => applier().round()));
    await applier().round();
    expect((await events()).every(({ state }) => state === 'applied')).toBe(true);
    expect(await plan()).toBe('pro');
  });

  it('ignores events of unknown customers', async () => {
    await tell('evt_1', 'cus_elsewhere');
    await applier().round();
    expect(reads).toEqual([]);
    expect(await events()).toMatchObject([
      { state: 'ignored', error: 'no account has this customer' },
    ]);
    expect([await counted('ignored'), await counted('applied')]).toEqual([1, 0]);
  });

  it('retries failed events by schedule, and ends them with the reason', async () => {
    await tell('evt_1');
    answer = () => Promise.reject(new PaymentProviderError('failed', 'Stripe answered 500'));
    const one = applier({ waitsMs: [1, 1] });
    for (let n = 1; n <= 2; n++) {
      await until(async () => (await one.round()) === 0);
      const error = 'Stripe answered 500';
      expect(await events()).toMatchObject([{ state: 'pending', attempts: n, error }]);
    }
    await until(async () => (await one.round()) === 0);
    expect(await events()).toMatchObject([
      { state: 'failed', attempts: 3, error: 'Stripe answered 500' },
    ]);
    expect(logged.filter(({ level }) => level === 'error')).toMatchObject([
      { what: 'a payment event was given up', details: { eventId: 'evt_1' } },
    ]);
    expect([await counted('retried'), await counted('given_up')]).toEqual([2, 1]);
    answer = async () => paying();
    expect(await one.round()).toBeNull();
    expect(await plan()).toBe('free');
  });

  it('waits between tries', async () => {
    await tell('evt_1');
    answer = () => Promise.reject(new PaymentProviderError('unreachable', 'no answer'));
    const one = applier({ waitsMs: [60_000] });
    expect(await one.round()).toBe(0);
    expect(await one.round()).toBeNull();
    expect(reads).toHaveLength(1);
  });

  it('heals by the next event', async () => {
    await tell('evt_1');
    answer = () => Promise.reject(new PaymentProviderError('unreachable', 'no answer'));
    const one = applier();
    await one.round();
    answer = async () => paying();
    await tell('evt_2');
    await one.round();
    expect((await events()).map(({ state }) => state)).toEqual(['applied', 'applied']);
    expect(await plan()).toBe('pro');
  });

  it('changes no plan for an unknown price, and names the price', async () => {
    await tell('evt_1');
    answer = async () => paying('p_unknown');
    await applier().round();
    expect(await events()).toMatchObject([
      { state: 'pending', error: 'STRIPE_PRICES names no plan for p_unknown' },
    ]);
    expect(await plan()).toBe('free');
  });

  it('keeps texts of unknown errors out of the event log', async () => {
    await tell('evt_1');
    answer = () => Promise.reject(new Error('secret'));
    await applier().round();
    expect(await events()).toMatchObject([{ error: 'internal error' }]);
  });

  it('returns unfinished events when it stops, uncounted', async () => {
    await tell('evt_1');
    const one = applier();
    answer = async () => {
      one.stop();
      throw new PaymentProviderError('unreachable', 'broken off');
    };
    expect(await one.round()).toBeNull();
    expect(await events()).toMatchObject([{ state: 'pending', attempts: 0, error: null }]);
    answer = async () => paying();
    expect(await applier().round()).toBe(0);
    expect(await plan()).toBe('pro');
  });

  it('applies late events to the state of now', async () => {
    await tell('evt_created');
    answer = async () => [];
    await applier().round();
    expect(await plan()).toBe('free');
    answer = async () => paying();
    await tell('evt_deleted_of_an_older_subscription');
    await applier().round();
    expect(await plan()).toBe('pro');
  });
});
