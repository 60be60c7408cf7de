import type { Plan } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import { listAdminActs } from '@app/accounts';
import type { Database } from '@app/database';
import { readBalance } from '@app/accounts';
import { createTenant } from '@app/accounts';
import { findBillingAccount, keepCustomer, openBillingAccount } from './billing-account.js';
import { beginRead, applySubscription } from './apply-subscription.js';
import type { BegunRead, SubscriptionStatus } from './subscription-status.js';
import { receivePaymentEvent } from './payment-events.js';

const provider = 'stripe';

function subscriptionStatus(
  plan: Plan,
  over: Partial<SubscriptionStatus> = {},
): SubscriptionStatus {
  const isPaid = plan !== 'free';
  return {
    plan,
    subscriptionId: isPaid ? 'sub_1' : null,
    subscriptionState: isPaid ? 'active' : null,
    payment: 'confirmed',
    periodEnd: isPaid ? new Date('2026-12-01T00:00:00Z') : null,
    endsAt: null,
    ...over,
  };
}

describe('a tenant that follows its subscription', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;
  let customerId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => newTenant('free'));

  async function newTenant(plan: Plan): Promise<void> {
    tenantId = (await createTenant(database, 'spec', plan)).id;
    customerId = `cus_${tenantId}`;
    const account = await openBillingAccount(database, { tenantId, provider });
    await keepCustomer(database, { tenantId, claimId: account?.claimId ?? '', customerId });
  }

  async function begin(): Promise<BegunRead> {
    const read = await beginRead(database, { provider, customerId });
    if (read === null) throw new Error('no tenant has this customer');
    return read;
  }

  const follow = async (plan: Plan, over?: Partial<SubscriptionStatus>) =>
    (await applySubscription(database, await begin(), subscriptionStatus(plan, over))).followed;

  async function planNow(): Promise<string> {
    const text = 'SELECT plan FROM tenants WHERE id = $1';
    const [row] = await database.query<{ plan: string }>({ name: 'spec_plan', text }, [tenantId]);
    return row?.plan ?? 'none';
  }

  async function setByHand(plan: Plan): Promise<void> {
    const text = 'UPDATE tenants SET plan = $2 WHERE id = $1';
    await database.query({ name: 'spec_set_plan', text }, [tenantId, plan]);
  }

  const actsOf = async () =>
    (await listAdminActs(database, { tenantId, limit: 10 })).map(({ actor, act, details }) => ({
      ...{ actor, act, from: details['from'], to: details['to'] },
    }));

  it('is of a customer that is known', async () => {
    expect(await beginRead(database, { provider, customerId: 'cus_none' })).toBeNull();
    expect(await beginRead(database, { provider: 'other', customerId })).toBeNull();
  });

  it('gets the plan it pays for, and each change is recorded once', async () => {
    expect(await follow('pro')).toEqual({ kind: 'changed', from: 'free', to: 'pro' });
    expect(await follow('pro')).toEqual({ kind: 'same' });
    expect(await follow('scale')).toEqual({ kind: 'changed', from: 'pro', to: 'scale' });
    expect(await follow('free')).toEqual({ kind: 'changed', from: 'scale', to: 'free' });
    expect(await planNow()).toBe('free');
    const act = { actor: 'stripe', act: 'plan.follow' };
    expect(await actsOf()).toEqual([
      { ...act, from: 'scale', to: 'free' },
      { ...act, from: 'pro', to: 'scale' },
      { ...act, from: 'free', to: 'pro' },
    ]);
  });

  it('is recorded with its subscription', async () => {
    const endsAt = new Date('2026-12-01T00:00:00Z');
    await follow('pro', { endsAt, subscriptionState: 'past_due' });
    expect(await findBillingAccount(database, tenantId)).toMatchObject({
      ...{ customerId, plan: 'pro', subscriptionId: 'sub_1', subscriptionState: 'past_due' },
      ...{ periodEnd: endsAt, endsAt },
    });
  });

  it('keeps the plan of a tenant that never paid', async () => {
    await newTenant('custom');
    expect(await follow('free')).toEqual({ kind: 'same' });
    expect(await planNow()).toBe('custom');
    expect(await actsOf()).toEqual([]);
  });

  it("keeps the operator's plan until the subscription changes", async () => {
    await follow('pro');
    await setByHand('custom');
    expect(await follow('pro')).toEqual({ kind: 'same' });
    expect(await planNow()).toBe('custom');
    expect(await follow('scale')).toEqual({ kind: 'changed', from: 'custom', to: 'scale' });
  });

  it('has the credits of the month with the plan, once, and keeps them when it ends', async () => {
    expect(await follow('hobby')).toMatchObject({ kind: 'changed' });
    expect(await readBalance(database, tenantId)).toMatchObject({ state: 'ok', remaining: 5_000 });
    await follow('hobby');
    await follow('pro');
    expect(await readBalance(database, tenantId)).toMatchObject({
      remaining: 100_000,
      enrich: { granted: 100_000, remaining: 100_000 },
      kyb: { granted: 5_000, remaining: 5_000 },
    });
    await follow('free');
    expect(await readBalance(database, tenantId)).toMatchObject({ remaining: 100_000 });
  });

  it('waits for its payment where that failed, and gets the credits when it is confirmed', async () => {
    const failed = { payment: 'failed', subscriptionState: 'past_due' } as const;
    await follow('pro', failed);
    expect(await planNow()).toBe('pro');
    expect(await readBalance(database, tenantId)).toMatchObject({
      state: 'grant_failed',
      enrich: { granted: 0, remaining: 0 },
    });
    expect(await follow('pro')).toEqual({ kind: 'same' });
    expect(await readBalance(database, tenantId)).toMatchObject({
      ...{ state: 'ok', remaining: 100_000 },
      enrich: { granted: 100_000, remaining: 100_000 },
    });
  });

  it('that an operator moved is not changed by payments', async () => {
    await follow('pro');
    await setByHand('custom');
    await follow('pro', { payment: 'failed' });
    expect(await planNow()).toBe('custom');
    expect(await readBalance(database, tenantId)).toMatchObject({ state: 'ok' });
  });

  it('believes the reading that was begun later, whichever is written first', async () => {
    const early = await begin();
    const late = await begin();
    expect(
      (await applySubscription(database, late, subscriptionStatus('scale'))).followed,
    ).toMatchObject({
      kind: 'changed',
    });
    expect(
      (await applySubscription(database, early, subscriptionStatus('hobby'))).followed,
    ).toEqual({
      kind: 'stale',
    });
    expect(await planNow()).toBe('scale');
    expect(await follow('hobby')).toMatchObject({ kind: 'changed' });
  });

  it('ends in the state of the last of many concurrent readings', async () => {
    const plans: readonly Plan[] = ['hobby', 'pro', 'scale'];
    const reads: BegunRead[] = [];
    for (let n = 0; n < 9; n++) reads.push(await begin());
    await Promise.all(
      reads.map((read, n) =>
        applySubscription(database, read, subscriptionStatus(plans[n % 3] ?? 'free')),
      ),
    );
    expect(await planNow()).toBe('scale');
  });

  it('completes the events received before the reading began, and no later ones', async () => {
    const tell = (id: string, of = customerId) =>
      receivePaymentEvent(database, {
        provider,
        id: `${id}_${tenantId}`,
        type: 't',
        customerId: of,
      });
    await tell('evt_1');
    await tell('evt_2');
    await tell('evt_other', 'cus_other');
    const read = await begin();
    await tell('evt_late');
    expect(await applySubscription(database, read, subscriptionStatus('pro'))).toMatchObject({
      eventsApplied: 2,
    });
    const text = `SELECT id, state, applied_at IS NOT NULL AS "isApplied" FROM payment_events
                  WHERE id LIKE '%' || $1 ORDER BY id`;
    expect(await database.query({ name: 'spec_event_states', text }, [tenantId])).toEqual([
      { id: `evt_1_${tenantId}`, state: 'applied', isApplied: true },
      { id: `evt_2_${tenantId}`, state: 'applied', isApplied: true },
      { id: `evt_late_${tenantId}`, state: 'pending', isApplied: false },
      { id: `evt_other_${tenantId}`, state: 'pending', isApplied: false },
    ]);
  });

  it('changes nothing for a customer that is no longer its own', async () => {
    const read = await begin();
    await database.query(
      {
        name: 'spec_lose',
        text: 'UPDATE billing_accounts SET customer_id = NULL WHERE tenant_id = $1',
      },
      [tenantId],
    );
    const { followed } = await applySubscription(database, read, subscriptionStatus('pro'));
    expect(followed).toEqual({ kind: 'stale' });
    expect(await planNow()).toBe('free');
  });
});
