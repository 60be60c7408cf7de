import { randomBytes } from 'node:crypto';
import { freshStore, type FreshStore } from '../../../../test/setup/fresh-store.js';
import type { Store } from '@app/database';
import { createFirstTenant, findTenant } from '../tenants/tenants.js';
import {
  beginSettlement,
  claimPayment,
  endSettlement,
  giveUpSettlements,
  releasePayment,
  sweepPayments,
  type SettlementEnd,
} from './claim-payment.js';
import { payPerCallTenant } from './pay-per-call-tenant.js';
import { sweepPayerWindows, takePayerRequest } from './payer-window.js';
import { PAY_PER_CALL_TENANT_ID } from './tenant-id.js';

interface PaymentRow extends Record<string, unknown> {
  readonly state: string;
  readonly payer: string | null;
  readonly transaction: string | null;
  readonly error: string | null;
}

describe('payments of calls', () => {
  let fresh: FreshStore;
  let store: Store;
  let id: Buffer;

  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => {
    id = randomBytes(32);
  });
  // So that no test leaves payments to the next one.
  afterEach(() =>
    store.query({ name: 'spec_none', text: 'DELETE FROM pay_per_call_payments' }, []),
  );

  const claim = (of = id) =>
    claimPayment(store, {
      ...{ id: of, network: 'eip155:84532', asset: '0xa', amount: '1000' },
      ...{ operation: 'scrape', payer: '0xp' },
    });
  const rowOf = async (of = id): Promise<PaymentRow | undefined> => {
    const text =
      'SELECT state, payer, transaction_id AS transaction, error FROM pay_per_call_payments WHERE id = $1';
    return (await store.query<PaymentRow>({ name: 'spec_payment', text }, [of]))[0];
  };
  const age = (seconds: number) =>
    store.query(
      {
        name: 'spec_age_payments',
        text: `UPDATE pay_per_call_payments SET created_at = created_at - $1::int * interval '1 second',
                 state_at = state_at - $1::int * interval '1 second'`,
      },
      [seconds],
    );
  const settled = (transaction: string) =>
    ({ state: 'settled', transaction, payer: '0xp' }) as const;

  it('are claimed by one of twenty', async () => {
    const claimed = await Promise.all(Array.from({ length: 20 }, () => claim()));
    expect(claimed.filter(Boolean)).toHaveLength(1);
    expect(await rowOf()).toMatchObject({ state: 'claimed', payer: '0xp' });
  });

  it('are free again when nothing was settled, and only then', async () => {
    await claim();
    await releasePayment(store, id);
    expect(await claim()).toBe(true);
    await beginSettlement(store, id);
    await releasePayment(store, id);
    expect(await claim()).toBe(false);
  });

  it('are begun to settle by one', async () => {
    await claim();
    const begun = await Promise.all(Array.from({ length: 10 }, () => beginSettlement(store, id)));
    expect(begun.filter(Boolean)).toHaveLength(1);
  });

  it.each<[SettlementEnd, object]>([
    [settled('0xt'), { state: 'settled', transaction: '0xt', error: null }],
    [
      { state: 'failed', error: 'why' },
      { state: 'failed', error: 'why' },
    ],
    [
      { state: 'unknown', error: 'who knows' },
      { state: 'unknown', error: 'who knows' },
    ],
  ])('end once, as %j', async (end, row) => {
    await claim();
    await beginSettlement(store, id);
    expect(await endSettlement(store, id, end)).toBe(true);
    await endSettlement(store, id, { state: 'failed', error: 'later' });
    expect(await rowOf()).toMatchObject(row);
    expect(await claim()).toBe(false);
  });

  it('are not settled by a transaction that paid for another call', async () => {
    const other = randomBytes(32);
    for (const one of [id, other]) {
      await claim(one);
      await beginSettlement(store, one);
    }
    expect(await endSettlement(store, id, settled('0xsame'))).toBe(true);
    expect(await endSettlement(store, other, settled('0xsame'))).toBe(false);
    expect(await rowOf(other)).toMatchObject({
      state: 'failed',
      error: 'transaction 0xsame paid for another call',
    });
  });

  it('of a process that died during settlement become unknown', async () => {
    await claim();
    await beginSettlement(store, id);
    const give = () => giveUpSettlements(store, { olderThanSeconds: 60, limit: 10 });
    expect(await give()).toBe(0);
    await age(61);
    expect(await give()).toBe(1);
    expect(await rowOf()).toMatchObject({ state: 'unknown' });
    expect(await claim()).toBe(false);
  });

  it('are forgotten: a call that died after an hour, an end after its days', async () => {
    const settling = randomBytes(32);
    await claim();
    await claim(settling);
    await beginSettlement(store, settling);
    const sweep = () => sweepPayments(store, { olderThanDays: 1, limit: 10 });
    await age(3_500);
    expect(await sweep()).toBe(0);
    await age(200);
    expect(await sweep()).toBe(1);
    expect(await rowOf()).toBeUndefined();
    await age(90_000);
    expect(await sweep()).toBe(0);
    await endSettlement(store, settling, settled('0xold'));
    expect(await sweep()).toBe(1);
  });
});

describe('the tenant of paid calls', () => {
  let fresh: FreshStore;
  let store: Store;
  beforeAll(async () => {
    fresh = await freshStore();
    ({ store } = fresh);
  });
  afterAll(() => fresh.drop());

  it('is made once, has no bound of credits, and is no first tenant', async () => {
    expect(await findTenant(store, PAY_PER_CALL_TENANT_ID)).toBeNull();
    const made = await Promise.all(Array.from({ length: 8 }, () => payPerCallTenant(store)));
    for (const one of made) {
      expect(one).toMatchObject({ id: PAY_PER_CALL_TENANT_ID, plan: 'custom', keyId: null });
      expect(one.agreed.monthlyCredits).toBeNull();
    }
    // A deployment with a paid call first still gets its first tenant.
    expect(await createFirstTenant(store)).toMatch(/^trawl_live_/);
    expect(await createFirstTenant(store)).toBeNull();
  });

  it('counts each network of payers apart, exactly', async () => {
    await payPerCallTenant(store);
    const take = (network: string) => takePayerRequest(store, { network, limit: 5 });
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('192.0.2.1/32')));
    expect(taken.filter(({ admitted }) => admitted === 1)).toHaveLength(5);
    expect(await take('2001:db8::/64')).toMatchObject({ admitted: 1, remaining: 4 });
    expect(await take('192.0.2.1/32')).toMatchObject({ admitted: 0 });
  });

  it('forgets networks that have not paid for an hour, and no windows of others', async () => {
    await payPerCallTenant(store);
    await takePayerRequest(store, { network: '198.51.100.7/32', limit: 5 });
    expect(await sweepPayerWindows(store, 10)).toBe(0);
    const text = `UPDATE rate_windows SET last_at = last_at - interval '61 minutes'`;
    await store.query({ name: 'spec_age_windows', text }, []);
    expect(await sweepPayerWindows(store, 10)).toBeGreaterThan(0);
    expect(await sweepPayerWindows(store, 10)).toBe(0);
  });
});
