import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { charge } from './reserve-credits.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { readBalance } from './read-balance.js';

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

  describe('of a call', () => {
    it('are reserved before its work and charged after it', async () => {
      const tenant = await fixture.tenant('free');
      const chargeId = newId();
      expect(await fixture.reserveCredits(tenant, { chargeId, credits: 2 })).toEqual({
        kind: 'open',
        remaining: 998,
      });
      expect(await fixture.spentBy(tenant.id)).toBe(0);
      expect(await fixture.settleCredits(tenant, { chargeId, credits: 2 })).toMatchObject({
        charged: 2,
        remaining: 998,
      });
      expect([await fixture.spent(chargeId), await leftOf(tenant)]).toEqual([2, [998, 0, 0]]);
    });

    it.each([
      ['nothing', 0, 1_000],
      ['less than was held', 1, 999],
      ['the reserved credits', 3, 997],
      ['no more than was held', 9, 997],
    ])('are released when it costs %s', async (_, credits, remaining) => {
      const tenant = await fixture.tenant('free');
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, credits: 3 });
      const closed = await fixture.settleCredits(tenant, { chargeId, credits });
      expect(closed).toMatchObject({ charged: Math.min(credits, 3), remaining });
      expect(await leftOf(tenant)).toEqual([remaining, 0, 0]);
    });

    it('are recorded with the model cost', async () => {
      const tenant = await fixture.tenant('free');
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, operation: 'extract' });
      await fixture.settleCredits(tenant, { chargeId, operation: 'extract', costMicroUsd: 249 });
      expect(
        await fixture.sql(
          `SELECT operation, credits, cost_micro_usd::int AS cost, from_hold FROM credit_ledger WHERE reference = $1`,
          [chargeId],
        ),
      ).toEqual([{ operation: 'extract', credits: 1, cost: 249, from_hold: true }]);
    });

    it('are refused where the balance does not cover them, and nothing is reserved', async () => {
      const tenant = await fixture.tenant('free', 5);
      await fixture.reserveCredits(tenant, { credits: 3 });
      const refused = { kind: 'refused', balance: 2, required: 3 };
      expect(await fixture.reserveCredits(tenant, { credits: 3 })).toEqual(refused);
      expect(await fixture.reserveCredits(tenant, { credits: 3 })).toEqual(refused);
      expect(await fixture.reserveCredits(tenant, { credits: 2 })).toEqual({
        kind: 'open',
        remaining: 0,
      });
    });

    it('are refused at the very first call, too', async () => {
      const tenant = await fixture.tenant('free', 0);
      expect(await fixture.reserveCredits(tenant)).toEqual({
        kind: 'refused',
        balance: 0,
        required: 1,
      });
      expect(await fixture.reserveCredits(tenant)).toEqual({
        kind: 'refused',
        balance: 0,
        required: 1,
      });
    });

    it('are reserved once and charged once, however often it is tried', async () => {
      const tenant = await fixture.tenant('free', 10);
      const chargeId = newId();
      const opened = { kind: 'open', remaining: 7 };
      expect(await fixture.reserveCredits(tenant, { chargeId, credits: 3 })).toEqual(opened);
      expect(await fixture.reserveCredits(tenant, { chargeId, credits: 3 })).toEqual(opened);
      await fixture.settleCredits(tenant, { chargeId, credits: 3 });
      expect(await fixture.reserveCredits(tenant, { chargeId, credits: 3 })).toEqual(opened);
      const again = await fixture.settleCredits(tenant, { chargeId, credits: 3 });
      expect(again).toMatchObject({ charged: 0, remaining: 7 });
      expect([await fixture.spent(chargeId), await leftOf(tenant)]).toEqual([3, [7, 0, 0]]);
    });

    it('that were released are reserved again by the next try', async () => {
      const tenant = await fixture.tenant('free', 10);
      const chargeId = newId();
      for (const credits of [0, 0, 1]) {
        await fixture.reserveCredits(tenant, { chargeId });
        await fixture.settleCredits(tenant, { chargeId, credits });
      }
      expect([await fixture.spent(chargeId), await leftOf(tenant)]).toEqual([1, [9, 0, 0]]);
    });

    it('that are no number reserve nothing', async () => {
      const tenant = await fixture.tenant('free');
      for (const credits of [0.5, -1, Number.NaN])
        await expect(fixture.reserveCredits(tenant, { credits })).rejects.toThrow(RangeError);
      expect(await fixture.balance(tenant.id)).toBeUndefined();
    });

    it('of another tenant stay where they are', async () => {
      const [one, other] = [await fixture.tenant('free', 10), await fixture.tenant('free', 10)];
      const chargeId = newId();
      await fixture.reserveCredits(one, { chargeId, credits: 4 });
      expect(await fixture.settleCredits(other, { chargeId, credits: 0 })).toMatchObject({
        charged: 0,
      });
      expect(await leftOf(one)).toEqual([6, 0, 0]);
    });
  });

  describe('of a dead process', () => {
    const at = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);
    const sweep = (minutes: number) =>
      releaseExpiredReservations(fixture.database, { limit: 100, now: at(minutes) });

    it('are released when the reservation expires, and not before', async () => {
      const tenant = await fixture.tenant('free', 10);
      await fixture.reserveCredits(tenant, { credits: 4, now: NOON, lifeMs: 60_000 });
      expect([await sweep(0.9), await leftOf(tenant)]).toEqual([0, [6, 0, 0]]);
      expect([await sweep(1), await leftOf(tenant)]).toEqual([1, [10, 0, 0]]);
      expect(await sweep(2)).toBe(0);
    });

    it('are not released when they were settled', async () => {
      const tenant = await fixture.tenant('free', 10);
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, now: NOON, lifeMs: 60_000 });
      await fixture.settleCredits(tenant, { chargeId, now: NOON });
      expect([await sweep(5), await leftOf(tenant), await fixture.spent(chargeId)]).toEqual([
        0,
        [9, 0, 0],
        1,
      ]);
    });

    it('are reserved again by the next try of the request, and charged once', async () => {
      const tenant = await fixture.tenant('free', 10);
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, now: NOON, lifeMs: 60_000 });
      expect(await sweep(1)).toBe(1);
      await fixture.reserveCredits(tenant, { chargeId, now: at(2) });
      await fixture.settleCredits(tenant, { chargeId, now: at(2) });
      expect([await fixture.spent(chargeId), await leftOf(tenant)]).toEqual([1, [9, 0, 0]]);
    });

    it('are charged when it was only slow, as far as the balance allows', async () => {
      const tenant = await fixture.tenant('free', 5);
      const [late, tooLate] = [newId(), newId()];
      const held = { credits: 2, now: NOON, lifeMs: 60_000 };
      await fixture.reserveCredits(tenant, { ...held, chargeId: late });
      await fixture.reserveCredits(tenant, { ...held, chargeId: tooLate });
      expect(await sweep(1)).toBe(2);
      const now = at(2);
      expect(
        await fixture.settleCredits(tenant, { chargeId: late, credits: 2, now }),
      ).toMatchObject({
        charged: 2,
      });
      await fixture.reserveCredits(tenant, { credits: 2, now });
      const given = await fixture.settleCredits(tenant, { chargeId: tooLate, credits: 2, now });
      expect(given).toEqual({ charged: 0, spent: 0, returned: 0, remaining: 1 });
      expect([await fixture.spent(late), await fixture.spent(tooLate)]).toEqual([2, 0]);
    });

    it('are swept a bounded number at a time, the oldest first', async () => {
      const tenant = await fixture.tenant('free', 10);
      for (let n = 0; n < 5; n++)
        await fixture.reserveCredits(tenant, { now: at(n), lifeMs: 1, credits: n + 1 > 3 ? 1 : 2 });
      const rounds = [];
      for (let n = 0; n < 3; n++)
        rounds.push(await releaseExpiredReservations(fixture.database, { limit: 2, now: at(9) }));
      expect([rounds, await leftOf(tenant)]).toEqual([
        [2, 2, 1],
        [10, 0, 0],
      ]);
    });
  });

  describe('are spent', () => {
    it('from the grant of the month first, top-ups last', async () => {
      const tenant = await fixture.tenant('free', 5);
      await topUp(tenant, 4);
      const steps = [];
      for (const credits of [4, 3, 2, 1]) {
        await fixture.reserveCredits(tenant, { credits, now: NOON });
        steps.push(await leftOf(tenant));
      }
      expect(steps).toEqual([
        [1, 4, 0],
        [0, 2, 0],
        [0, 0, 0],
        [0, 0, 0],
      ]);
    });

    it('into overage on a paid plan, when all that is prepaid is spent', async () => {
      const tenant = await fixture.tenant('hobby', 5);
      await topUp(tenant, 2);
      const chargeId = newId();
      const opened = await fixture.reserveCredits(tenant, { chargeId, credits: 10, now: NOON });
      expect([opened, await leftOf(tenant)]).toEqual([{ kind: 'open', remaining: 0 }, [0, 0, 3]]);
      await fixture.settleCredits(tenant, { chargeId, credits: 10, now: NOON });
      expect(await leftOf(tenant)).toEqual([0, 0, 3]);
    });

    it.each([
      [0, [5, 2, 0]],
      [3, [2, 2, 0]],
      [5, [0, 2, 0]],
      [6, [0, 1, 0]],
      [7, [0, 0, 0]],
      [9, [0, 0, 2]],
    ])('and return to the accounts they came from: %i of 10 used', async (used, left) => {
      const tenant = await fixture.tenant('hobby', 5);
      await topUp(tenant, 2);
      const chargeId = newId();
      await fixture.reserveCredits(tenant, { chargeId, credits: 10, now: NOON });
      await fixture.settleCredits(tenant, { chargeId, credits: used, now: NOON });
      expect(await leftOf(tenant)).toEqual(left);
    });

    it('without a limit where none is agreed, and counted', async () => {
      const tenant = await fixture.tenant('custom');
      const chargeId = newId();
      const open = { kind: 'open', remaining: null };
      expect(await fixture.reserveCredits(tenant, { chargeId, credits: 1e9 })).toEqual(open);
      const closed = await fixture.settleCredits(tenant, { chargeId, credits: 1_000 });
      expect(closed).toEqual({ charged: 1_000, spent: 1_000, returned: 0, remaining: null });
      expect(await fixture.settleCredits(tenant, { chargeId, credits: 1_000 })).toMatchObject({
        charged: 0,
      });
      expect(await fixture.settleCredits(tenant, { credits: 0 })).toMatchObject({ charged: 0 });
      expect(await readBalance(fixture.database, tenant.id)).toMatchObject({
        spent: 1_000,
        remaining: null,
        state: 'ok',
      });
    });
  });

  it('that are added count once for each reference, and do not expire', async () => {
    const tenant = await fixture.tenant('free', 5);
    const reference = newId();
    const added = await Promise.all(Array.from({ length: 10 }, () => topUp(tenant, 7, reference)));
    expect(added.filter((isNew) => isNew)).toHaveLength(1);
    await fixture.reserveCredits(tenant, { now: DECEMBER });
    expect(await leftOf(tenant)).toEqual([4, 7, 0]);
  });

  it('spent before there were reservations are no drift', async () => {
    const tenant = await fixture.tenant('free', 10);
    await charge(fixture.database, {
      tenantId: tenant.id,
      operation: 'scrape',
      chargeId: newId(),
      credits: 3,
    });
    await fixture.reserveCredits(tenant);
    expect(await leftOf(tenant)).toEqual([9, 0, 0]);
  });
});
