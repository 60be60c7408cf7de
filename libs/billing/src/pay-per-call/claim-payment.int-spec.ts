import { randomBytes } from 'node:crypto';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import type { Database } from '@app/database';
import { createFirstTenant, findTenant } from '@app/accounts';
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
import { PAY_PER_CALL_TENANT_ID } from '@app/accounts';

interface PaymentRow extends Record<string, unknown> {
  readonly state: string;
  readonly payer: string | null;
  readonly transaction: string | null;
  readonly error: string | null;
}

describe('payments of calls', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let id: Buffer;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());
  beforeEach(() => {
    id = randomBytes(32);
  });
  // So that no test leaves payments to the next one.
  afterEach(() =>
    database.query({ name: 'spec_none', text: 'DELETE FROM pay_per_call_payments' }, []),
  );

  const claim = (of = id) =>
    claimPayment(database, {
      ...{ id: of, network: 'eip155:84532', asset: '0xa', amount: '1000' },
      ...{ operation: 'scrape', payer: '0xp' },
    });
  const rowOf = async (of = id): Promise<PaymentRow | undefined> => {
    const text =
      'SELECT state, payer, transaction_id AS transaction, error FROM pay_per_call_payments WHERE id = $1';
    return (await database.query<PaymentRow>({ name: 'spec_payment', text }, [of]))[0];
  };
  const age = (seconds: number) =>
    database.query(
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
    await releasePayment(database, id);
    expect(await claim()).toBe(true);
    await beginSettlement(database, id);
    await releasePayment(database, id);
    expect(await claim()).toBe(false);
  });

  it('are begun to settle by one', async () => {
    await claim();
    const begun = await Promise.all(
      Array.from({ length: 10 }, () => beginSettlement(database, id)),
    );
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
    await beginSettlement(database, id);
    expect(await endSettlement(database, id, end)).toBe(true);
    await endSettlement(database, id, { state: 'failed', error: 'later' });
    expect(await rowOf()).toMatchObject(row);
    expect(await claim()).toBe(false);
  });

  it('are not settled by a transaction that paid for another call', async () => {
    const other = randomBytes(32);
    for (const one of [id, other]) {
      await claim(one);
      await beginSettlement(database, one);
    }
    expect(await endSettlement(database, id, settled('0xsame'))).toBe(true);
    expect(await endSettlement(database, other, settled('0xsame'))).toBe(false);
    expect(await rowOf(other)).toMatchObject({
      state: 'failed',
      error: 'transaction 0xsame paid for another call',
    });
  });

  it('of a process that died during settlement become unknown', async () => {
    await claim();
    await beginSettlement(database, id);
    const give = () => giveUpSettlements(database, { olderThanSeconds: 60, limit: 10 });
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
    await beginSettlement(database, settling);
    const sweep = () => sweepPayments(database, { olderThanDays: 1, limit: 10 });
    await age(3_500);
    expect(await sweep()).toBe(0);
    await age(200);
    expect(await sweep()).toBe(1);
    expect(await rowOf()).toBeUndefined();
    await age(90_000);
    expect(await sweep()).toBe(0);
    await endSettlement(database, settling, settled('0xold'));
    expect(await sweep()).toBe(1);
  });
});

describe('the tenant of paid calls', () => {
  let fresh: FreshDatabase;
  let database: Database;
  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(() => fresh.drop());

  it('is made once, has no bound of credits, and is no first tenant', async () => {
    expect(await findTenant(database, PAY_PER_CALL_TENANT_ID)).toBeNull();
    const made = await Promise.all(Array.from({ length: 8 }, () => payPerCallTenant(database)));
    for (const one of made) {
      expect(one).toMatchObject({ id: PAY_PER_CALL_TENANT_ID, plan: 'custom', keyId: null });
      expect(one.agreed.monthlyCredits).toBeNull();
    }
    // A deployment with a paid call first still gets its first tenant.
    expect(await createFirstTenant(database)).toMatch(/^trawl_live_/);
    expect(await createFirstTenant(database)).toBeNull();
  });

  it('counts each network of payers apart, exactly', async () => {
    await payPerCallTenant(database);
    const take = (network: string) => takePayerRequest(database, { network, limit: 5 });
    const taken = await Promise.all(Array.from({ length: 20 }, () => take('192.0.2.1/32')));
    expect(taken.filter(({ admitted }) => admitted === 1)).toHaveLength(5);
    expect(await take('2001:db8::/64')).toMatchObject({ admitted: 1, remaining: 4 });
    expect(await take('192.0.2.1/32')).toMatchObject({ admitted: 0 });
  });

  it('deletes windows of networks that have not paid for an hour, and no others', async () => {
    await payPerCallTenant(database);
    await takePayerRequest(database, { network: '198.51.100.7/32', limit: 5 });
    expect(await sweepPayerWindows(database, 10)).toBe(0);
    const text = `UPDATE rate_windows SET last_at = last_at - interval '61 minutes'`;
    await database.query({ name: 'spec_age_windows', text }, []);
    expect(await sweepPayerWindows(database, 10)).toBeGreaterThan(0);
    expect(await sweepPayerWindows(database, 10)).toBe(0);
  });
});
