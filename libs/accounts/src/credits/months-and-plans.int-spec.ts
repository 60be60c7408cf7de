import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { readBalance } from './read-balance.js';
import { setPayment, setPlan } from './set-plan.js';

const NOVEMBER_ENDS = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');
const NOON = new Date('2026-11-15T12:00:00Z');

describe('credits', () => {
  let fixture: CreditFixture;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());
  afterEach(async () => {
    expect(await fixture.audit()).toEqual([]);
  });

  const leftOf = (tenant: CreditTenant) => fixture.left(tenant);
  const topUp = (tenant: CreditTenant, credits: number, reference = newId()) =>
    grantCredits(fixture.database, { tenantId: tenant.id, credits, reference, now: NOON });

  describe('of a month', () => {
    it('last until its last millisecond, and are granted again from the first of the next', async () => {
      const tenant = await fixture.tenant('free', 5);
      await fixture.reserveCredits(tenant, { credits: 4, now: NOVEMBER_ENDS });
      expect((await fixture.balance(tenant.id))?.period).toBe('2026-11');
      expect(
        await fixture.reserveCredits(tenant, { credits: 2, now: NOVEMBER_ENDS }),
      ).toMatchObject({
        kind: 'refused',
        balance: 1,
      });
      expect(await fixture.reserveCredits(tenant, { credits: 2, now: DECEMBER })).toEqual({
        kind: 'open',
        remaining: 3,
      });
      expect((await fixture.balance(tenant.id))?.period).toBe('2026-12');
    });

    it('are granted once, by the first of many calls', async () => {
      const tenant = await fixture.tenant('free', 30);
      await fixture.reserveCredits(tenant, { now: NOVEMBER_ENDS });
      const calls = Array.from({ length: 40 }, (_, n) =>
        fixture.reserveCredits(tenant, { now: n % 2 === 0 ? DECEMBER : NOVEMBER_ENDS }),
      );
      const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
      const grants = await fixture.sql<{ period: string; pool: string; n: number }>(
        `SELECT period, pool, count(*)::int AS n FROM credit_transfers
         WHERE tenant_id = $1 AND from_account = 'issued' GROUP BY 1, 2 ORDER BY 1, 2`,
        [tenant.id],
      );
      expect(grants).toEqual([
        { period: '2026-11', pool: 'enrich', n: 1 },
        { period: '2026-11', pool: 'scrape', n: 1 },
        { period: '2026-12', pool: 'enrich', n: 1 },
        { period: '2026-12', pool: 'scrape', n: 1 },
      ]);
      // A caller that arrives late from November got its answer in December.
      expect(kinds.filter((kind) => kind === 'open').length).toBeGreaterThanOrEqual(30);
      expect((await fixture.balance(tenant.id))?.grantLeft).toBeGreaterThanOrEqual(0);
    });

    it('that is over gets the reserved part of its grant back, which expires there', async () => {
      const tenant = await fixture.tenant('hobby', 5);
      await topUp(tenant, 1);
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, credits: 8, now: NOVEMBER_ENDS });
      await fixture.reserveCredits(tenant, { credits: 2, now: DECEMBER });
      expect(await readBalance(fixture.database, tenant.id, { now: DECEMBER })).toMatchObject({
        priorPeriodsUnresolved: true,
      });
      await fixture.settleCredits(tenant, { chargeId, credits: 2, now: DECEMBER });
      expect(await leftOf(tenant)).toEqual([3, 1, 0]);
      expect(
        await fixture.sql(
          `SELECT period, grant_left::int AS left, overage_used::int AS overage FROM credit_periods
           WHERE tenant_id = $1 AND closed_at IS NOT NULL`,
          [tenant.id],
        ),
      ).toEqual([{ period: '2026-11', left: 3, overage: 0 }]);
      expect(await readBalance(fixture.database, tenant.id, { now: DECEMBER })).toMatchObject({
        priorPeriodsUnresolved: false,
      });
    });

    it('are spent in the month of the settlement, by the clock of the settlement', async () => {
      const tenant = await fixture.tenant('free', 5);
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, now: NOVEMBER_ENDS });
      await fixture.settleCredits(tenant, { chargeId, now: DECEMBER });
      expect(await readBalance(fixture.database, tenant.id, { now: DECEMBER })).toMatchObject({
        period: '2026-12',
        spent: 1,
        remaining: 5,
      });
    });
  });

  describe('of a plan', () => {
    it('that is larger count at once, by the difference, and once', async () => {
      const tenant = await fixture.tenant('free');
      await fixture.reserveCredits(tenant, { credits: 600, now: NOON });
      const change = { tenantId: tenant.id, plan: 'hobby', now: NOON } as const;
      await Promise.all(Array.from({ length: 5 }, () => setPlan(fixture.database, change)));
      expect(await leftOf(tenant)).toEqual([4_400, 0, 0]);
      expect(await fixture.balance(tenant.id)).toMatchObject({ granted: 5_000 });
    });

    it('that is smaller count from the next month', async () => {
      const tenant = await fixture.tenant('hobby');
      await fixture.reserveCredits(tenant, { now: NOON });
      await setPlan(fixture.database, { tenantId: tenant.id, plan: 'free', now: NOON });
      expect(await leftOf(tenant)).toEqual([4_999, 0, 0]);
      await fixture.reserveCredits({ ...tenant, plan: 'free' }, { now: DECEMBER });
      expect(await leftOf(tenant)).toEqual([999, 0, 0]);
    });

    it('of an unknown tenant change nothing', async () => {
      expect(await setPlan(fixture.database, { tenantId: newId(), plan: 'free' })).toBe(false);
      expect(await setPayment(fixture.database, { tenantId: newId(), payment: 'failed' })).toBe(
        false,
      );
    });

    it('that is not paid are withheld, and nothing exceeds the prepaid credits', async () => {
      const tenant = await fixture.tenant('hobby');
      await topUp(tenant, 2);
      await setPayment(fixture.database, { tenantId: tenant.id, payment: 'pending', now: NOON });
      await fixture.reserveCredits(tenant, { credits: 2, now: NOON });
      expect(await fixture.reserveCredits(tenant, { now: NOON })).toMatchObject({
        kind: 'refused',
      });
      const paid = { tenantId: tenant.id, payment: 'confirmed', now: NOON } as const;
      await Promise.all(Array.from({ length: 8 }, () => setPayment(fixture.database, paid)));
      expect(await leftOf(tenant)).toEqual([5_000, 0, 0]);
    });

    it('that were granted stay when a payment fails later', async () => {
      const tenant = await fixture.tenant('hobby');
      await fixture.reserveCredits(tenant, { now: NOON });
      await setPayment(fixture.database, { tenantId: tenant.id, payment: 'failed', now: NOON });
      expect(await leftOf(tenant)).toEqual([4_999, 0, 0]);
      expect(await readBalance(fixture.database, tenant.id, { now: NOON })).toMatchObject({
        state: 'ok',
      });
      expect(await readBalance(fixture.database, tenant.id, { now: DECEMBER })).toMatchObject({
        state: 'grant_failed',
        granted: 0,
        remaining: 0,
      });
    });
  });
});
