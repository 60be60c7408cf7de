import { newId } from '@app/contracts';
import { until } from '@app/testing';
import { CreditFixture } from '../../test/credit-fixture.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { reserveJobCredits } from './job-credits.js';
import { CREDIT_STATES, readBalance } from './read-balance.js';
import { readUsage } from './read-usage.js';
import { checkClosedPeriods, findDrift, correctBalance, reconcileCredits } from './reconcile.js';
import { setPayment } from './set-plan.js';

const NOVEMBER = new Date('2026-11-15T12:00:00Z');
const DECEMBER = new Date('2026-12-01T00:00:00Z');
const LIMIT = { limit: 100 };

describe('the credit accounts', () => {
  let fixture: CreditFixture;
  let tenant: CreditTenant;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    await fixture.sql(
      'TRUNCATE credit_balances, credit_periods, credit_holds, credit_transfers, credit_ledger',
    );
    tenant = await fixture.tenant('hobby', 10);
    await grantCredits(fixture.database, { tenantId: tenant.id, credits: 3, reference: newId() });
    await fixture.reserveCredits(tenant, { credits: 16, now: NOVEMBER });
  });

  const falsify = (text: string, and = '') =>
    fixture.sql(`${text} WHERE tenant_id = $1 ${and}`, [tenant.id]);
  const stateOf = async () =>
    (await readBalance(fixture.database, tenant.id, { now: NOVEMBER }))?.state;

  it('of a tenant without any drift show none', async () => {
    const open = newId();
    await fixture.reserveCredits(tenant, { chargeId: open, credits: 2, now: NOVEMBER });
    await fixture.settleCredits(tenant, { chargeId: open, credits: 1, now: NOVEMBER });
    expect(await reconcileCredits(fixture.database, LIMIT)).toEqual({ balances: [], periods: [] });
    expect(await stateOf()).toBe('ok');
  });

  it.each([
    ['grant_left = grant_left + 7', { pool: 'scrape', grantLeft: 7 }],
    ['topup_left = topup_left + 2', { pool: 'scrape', toppedUp: 2 }],
    ['overage_used = overage_used - 1', { pool: 'scrape', overage: -1 }],
    ['enrich_grant_left = enrich_grant_left - 3', { pool: 'enrich', grantLeft: -3 }],
    ['enrich_topup_left = enrich_topup_left + 4', { pool: 'enrich', toppedUp: 4 }],
    ['kyb_grant_left = kyb_grant_left + 5', { pool: 'kyb', grantLeft: 5 }],
    ['kyb_topup_left = kyb_topup_left + 6', { pool: 'kyb', toppedUp: 6 }],
  ])('report by how much a balance is wrong, and correct it: %s', async (change, drift) => {
    await falsify(`UPDATE credit_balances SET ${change}`);
    expect(await fixture.audit()).toHaveLength(1);
    const { balances } = await reconcileCredits(fixture.database, LIMIT);
    const none = { grantLeft: 0, toppedUp: 0, overage: 0, granted: 0 };
    expect(balances).toEqual([{ tenantId: tenant.id, period: '2026-11', ...none, ...drift }]);
    expect(await fixture.audit()).toEqual([]);
    expect(await stateOf()).toBe('ok');
    expect((await reconcileCredits(fixture.database, LIMIT)).balances).toEqual([]);
  });

  it('correct the grant of a month', async () => {
    await falsify('UPDATE credit_periods SET granted = 99');
    const { balances } = await reconcileCredits(fixture.database, LIMIT);
    expect(balances).toMatchObject([{ granted: 89 }]);
    expect(await fixture.balance(tenant.id)).toMatchObject({ granted: 10 });
  });

  it('write off credits of the enrich pool that were spent because its balance was too high', async () => {
    await falsify('UPDATE credit_balances SET enrich_grant_left = 5007, enrich_topup_left = 2');
    const call = { operation: 'enrich', credits: 5_009, now: NOVEMBER } as const;
    await fixture.reserveCredits(tenant, call);
    const { balances } = await reconcileCredits(fixture.database, LIMIT);
    expect(balances).toMatchObject([{ pool: 'enrich', grantLeft: 7, toppedUp: 2 }]);
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.pools(tenant.id)).toMatchObject({ enrich: [0, 0, 5_007] });
  });

  it('keep a withheld grant withheld when another pool is fixed', async () => {
    await setPayment(fixture.database, { tenantId: tenant.id, payment: 'pending', now: DECEMBER });
    await fixture.reserveCredits(tenant, { operation: 'enrich', now: DECEMBER });
    await falsify('UPDATE credit_balances SET kyb_grant_left = 9');
    await reconcileCredits(fixture.database, LIMIT);
    expect(await fixture.balance(tenant.id)).toMatchObject({ period: '2026-12', granted: null });
    expect(await fixture.audit()).toEqual([]);
  });

  it('show that they are being fixed, from detection to the end', async () => {
    await falsify('UPDATE credit_balances SET grant_left = 5');
    await findDrift(fixture.database, [tenant.id]);
    expect(await stateOf()).toBe('reconciling');
    // The replica that found it died: the next round fixes it, though it finds no difference.
    await falsify('UPDATE credit_balances SET grant_left = 0');
    await reconcileCredits(fixture.database, LIMIT);
    expect(await stateOf()).toBe('ok');
  });

  it('that cannot be explained stay flagged, and no balance goes below zero', async () => {
    await fixture.sql(
      `INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
       VALUES ($1, '2026-11', 'held', 'overage', 500, gen_random_uuid(), now())`,
      [tenant.id],
    );
    await findDrift(fixture.database, [tenant.id]);
    await correctBalance(fixture.database, tenant.id);
    expect([await stateOf(), (await fixture.balance(tenant.id))?.overage]).toEqual([
      'reconciling',
      0,
    ]);
  });

  it('write off credits that were spent because a balance was too high', async () => {
    await falsify('UPDATE credit_balances SET grant_left = 20, topup_left = 5');
    await fixture.reserveCredits(tenant, { credits: 24, now: NOVEMBER });
    await reconcileCredits(fixture.database, LIMIT);
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.balance(tenant.id)).toMatchObject({
      ...{ grantLeft: 0, topupLeft: 0, overage: 3, granted: 30 },
    });
    expect(
      await fixture.sql(
        `SELECT from_account AS "from", to_account AS "to", credits::int FROM credit_entries
         WHERE tenant_id = $1 AND from_account = 'issued' AND to_account IN ('topup', 'grant:2026-11') ORDER BY credits`,
        [tenant.id],
      ),
    ).toEqual([
      { from: 'issued', to: 'topup', credits: 3 },
      { from: 'issued', to: 'topup', credits: 4 },
      { from: 'issued', to: 'grant:2026-11', credits: 10 },
      { from: 'issued', to: 'grant:2026-11', credits: 20 },
    ]);
  });

  it('check the least recently checked first, a limited number at a time', async () => {
    const others = [];
    for (let n = 0; n < 4; n++) others.push(await fixture.tenant('free', 5));
    for (const other of others) await fixture.reserveCredits(other);
    await fixture.sql('UPDATE credit_balances SET grant_left = grant_left + 1');
    const found = [];
    for (let round = 0; round < 3; round++)
      found.push((await reconcileCredits(fixture.database, { limit: 2 })).balances.length);
    expect(found).toEqual([2, 2, 1]);
  });

  it('of many replicas at once fix a balance in use', async () => {
    await falsify('UPDATE credit_balances SET grant_left = grant_left + 50');
    const calls = Array.from({ length: 30 }, () =>
      fixture.reserveCredits(tenant, { now: NOVEMBER }),
    );
    const sweeps = Array.from({ length: 4 }, () => reconcileCredits(fixture.database, LIMIT));
    await Promise.all([...calls, ...sweeps]);
    await reconcileCredits(fixture.database, LIMIT);
    expect(await fixture.audit()).toEqual([]);
    expect(await stateOf()).toBe('ok');
  });

  it('wait for a transaction that reserves credits, and include it', async () => {
    let mended: Promise<void> | undefined;
    await fixture.database.transaction(async (tx) => {
      const job = { tenant, chargeId: newId(), operation: 'crawl', credits: 5 } as const;
      await reserveJobCredits(tx, { ...job, now: NOVEMBER });
      mended = correctBalance(fixture.database, tenant.id);
      await until(async () => (await waiting()) > 0, { what: 'the fix to wait for the row' });
    });
    await mended;
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.balance(tenant.id)).toMatchObject({ overage: 8 });
  });

  async function waiting(): Promise<number> {
    const [row] = await fixture.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.n ?? 0;
  }

  describe('of a month that is over', () => {
    const read = () => readBalance(fixture.database, tenant.id, { now: DECEMBER });

    it('are compared once it has no more reservations', async () => {
      await fixture.reserveCredits(tenant, { now: DECEMBER });
      await falsify('UPDATE credit_periods SET overage_used = 77', "AND period = '2026-11'");
      expect(await checkClosedPeriods(fixture.database, LIMIT)).toEqual([]);
      await fixture.sql(`DELETE FROM credit_holds WHERE period = '2026-11'`);
      expect(await checkClosedPeriods(fixture.database, LIMIT)).toEqual([
        { tenantId: tenant.id, period: '2026-11', drift: 74 },
      ]);
      expect(await read()).toMatchObject({ state: 'ok', priorPeriodsUnresolved: true });
    });

    it('are corrected', async () => {
      await fixture.reserveCredits(tenant, { now: DECEMBER });
      await fixture.sql(`DELETE FROM credit_holds WHERE period = '2026-11'`);
      await falsify(
        'UPDATE credit_periods SET grant_left = 6, enrich_grant_left = 1, kyb_granted = 503',
        "AND period = '2026-11'",
      );
      const { periods } = await reconcileCredits(fixture.database, LIMIT);
      expect(periods).toMatchObject([{ drift: 6 + 4_999 + 3 }]);
      expect(
        await fixture.sql(
          `SELECT enrich_grant_left::int AS enrich, kyb_granted::int AS kyb FROM credit_periods
           WHERE tenant_id = $1 AND period = '2026-11'`,
          [tenant.id],
        ),
      ).toEqual([{ enrich: 5_000, kyb: 500 }]);
      expect(await read()).toMatchObject({ priorPeriodsUnresolved: false });
    });
  });

  describe('report their state', () => {
    const reach: Readonly<Record<string, () => Promise<unknown>>> = {
      ok: async () => undefined,
      grant_pending: () =>
        setPayment(fixture.database, { tenantId: tenant.id, payment: 'pending' }),
      grant_failed: () => setPayment(fixture.database, { tenantId: tenant.id, payment: 'failed' }),
      reconciling: async () => {
        await falsify('UPDATE credit_balances SET topup_left = 1');
        await findDrift(fixture.database, [tenant.id]);
      },
      unavailable: () => fixture.sql('ALTER TABLE credit_balances RENAME TO credit_balances_gone'),
    };
    afterEach(() =>
      fixture.sql('ALTER TABLE IF EXISTS credit_balances_gone RENAME TO credit_balances'),
    );

    it.each(CREDIT_STATES)('%s', async (state) => {
      await reach[state]?.();
      const problems: unknown[] = [];
      const options = { now: DECEMBER, onError: (error: unknown) => problems.push(error) };
      const balance = await readBalance(fixture.database, tenant.id, options);
      const usage = await readUsage(fixture.database, tenant.id, options);
      expect([balance?.state, usage?.credits.state]).toEqual([state, state]);
      expect(usage).toMatchObject({
        plan: 'hobby',
        pagesQuota: 10,
        credits: { period: '2026-12' },
      });
      expect(problems).toHaveLength(state === 'unavailable' ? 2 : 0);
    });
  });
});
