import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { reserveJobCredits } from './job-credits.js';
import { readBalance } from './read-balance.js';
import { readUsage } from './read-usage.js';
import { setPayment, setPlan } from './set-plan.js';

const NOON = new Date('2026-11-15T12:00:00Z');
const NOVEMBER_ENDS = new Date('2026-11-30T23:59:59.999Z');
const DECEMBER = new Date('2026-12-01T00:00:00.000Z');
/** The enrich pool's grant on the Free plan. */
const ENRICH = 1_000;

describe('the pools of credits', () => {
  let fixture: CreditFixture;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());
  afterEach(async () => {
    expect(await fixture.audit()).toEqual([]);
  });

  /** Enrich grant, enrich top-ups, common grant, top-ups, overage. */
  const leftOf = async (tenant: CreditTenant) => {
    const { enrich } = (await fixture.pools(tenant.id)) ?? { enrich: [] };
    return [...enrich.slice(0, 2), ...(await fixture.left(tenant))];
  };
  const open = (tenant: CreditTenant, credits: number, chargeId = newId(), now = NOON) =>
    fixture.reserveCredits(tenant, { operation: 'enrich', credits, chargeId, now });
  const settle = (tenant: CreditTenant, credits: number, chargeId: string, now = NOON) =>
    fixture.settleCredits(tenant, { operation: 'enrich', credits, chargeId, now });
  const topUp = (tenant: CreditTenant, credits: number, pool?: 'enrich' | 'kyb') =>
    grantCredits(fixture.database, {
      tenantId: tenant.id,
      credits,
      reference: newId(),
      pool,
      now: NOON,
    });
  /** A tenant with these credits left in the enrich pool and in the common one. */
  const tenantWith = async (enrich: number, common: number, plan: 'free' | 'hobby' = 'free') => {
    const tenant = await fixture.tenant(plan, common);
    const chargeId = newId();
    const granted = plan === 'free' ? ENRICH : 5_000;
    if (enrich < granted) {
      await open(tenant, granted - enrich, chargeId);
      await settle(tenant, granted - enrich, chargeId);
    }
    return tenant;
  };

  it.each([
    ['free', 1_000, 1_000, 0],
    ['hobby', 5_000, 5_000, 500],
    ['pro', 100_000, 100_000, 5_000],
    ['scale', 500_000, 500_000, 25_000],
  ] as const)('are granted by the plan: %s', async (plan, scrape, enrich, kyb) => {
    const tenant = await fixture.tenant(plan);
    const pool = (granted: number) => ({ granted, toppedUp: 0, remaining: granted });
    expect(await readBalance(fixture.database, tenant.id, { now: NOON })).toMatchObject({
      ...pool(scrape),
      enrich: pool(enrich),
      kyb: pool(kyb),
    });
    expect((await readUsage(fixture.database, tenant.id, { now: NOON }))?.pools).toEqual({
      scrape: pool(scrape),
      enrich: pool(enrich),
      kyb: pool(kyb),
    });
  });

  it.each(['enrich', 'brand', 'resolve'] as const)(
    '%s draws on the enrich pool alone',
    async (operation) => {
      const tenant = await fixture.tenant('free', 10);
      const call = { operation, chargeId: newId(), credits: 1, now: NOON } as const;
      expect(await fixture.reserveCredits(tenant, call)).toEqual({
        kind: 'open',
        remaining: ENRICH - 1 + 10,
      });
      const closed = await fixture.settleCredits(tenant, call);
      expect(closed).toMatchObject({ charged: 1, remaining: ENRICH - 1 + 10 });
      expect(await leftOf(tenant)).toEqual([ENRICH - 1, 0, 10, 0, 0]);
    },
  );

  it.each(['scrape', 'map', 'screenshot', 'extract', 'parse'] as const)(
    '%s never draws on the enrich pool',
    async (operation) => {
      const tenant = await fixture.tenant('free', 1);
      const call = { operation, credits: 1, now: NOON } as const;
      expect(await fixture.reserveCredits(tenant, call)).toEqual({ kind: 'open', remaining: 0 });
      const refused = { kind: 'refused', balance: 0, required: 1 };
      expect(await fixture.reserveCredits(tenant, call)).toEqual(refused);
      expect(await leftOf(tenant)).toEqual([ENRICH, 0, 0, 0, 0]);
    },
  );

  it('nor does a job', async () => {
    const tenant = await fixture.tenant('free', 3);
    const job = { tenant, chargeId: newId(), operation: 'crawl', credits: 9, now: NOON } as const;
    const opened = await fixture.database.transaction((tx) => reserveJobCredits(tx, job));
    expect(opened).toEqual({ kind: 'open', credits: 3, isReserved: true });
    expect(await leftOf(tenant)).toEqual([ENRICH, 0, 0, 0, 0]);
  });

  it.each([
    [1, 2, 1, [0, 0, 2, 0, 0], 'exactly empties the enrich pool'],
    [1, 2, 2, [0, 0, 1, 0, 0], 'is split across the pools'],
    [1, 2, 3, [0, 0, 0, 0, 0], 'exactly empties both'],
    [0, 2, 1, [0, 0, 1, 0, 0], 'finds the enrich pool empty'],
  ])('with %i and %i left a call of %i: %j', async (enrich, common, credits, left) => {
    const tenant = await tenantWith(enrich, common);
    expect(await open(tenant, credits)).toEqual({
      kind: 'open',
      remaining: enrich + common - credits,
    });
    expect(await leftOf(tenant)).toEqual(left);
  });

  it('refuse by the sum of both, and reserve nothing', async () => {
    const tenant = await tenantWith(1, 2);
    expect(await open(tenant, 4)).toEqual({ kind: 'refused', balance: 3, required: 4 });
    expect(await leftOf(tenant)).toEqual([1, 0, 2, 0, 0]);
  });

  it.each([
    [0, [4, 3, 5, 2, 0]],
    [3, [1, 3, 5, 2, 0]],
    [4, [0, 3, 5, 2, 0]],
    [6, [0, 1, 5, 2, 0]],
    [7, [0, 0, 5, 2, 0]],
    [10, [0, 0, 2, 2, 0]],
    [13, [0, 0, 0, 1, 0]],
    [14, [0, 0, 0, 0, 0]],
    [16, [0, 0, 0, 0, 2]],
  ])('get back the unused credits that came from them: %i of 20', async (used, left) => {
    const tenant = await tenantWith(4, 5, 'hobby');
    await topUp(tenant, 3, 'enrich');
    await topUp(tenant, 2);
    const chargeId = newId();
    await open(tenant, 20, chargeId);
    expect(await leftOf(tenant)).toEqual([0, 0, 0, 0, 6]);
    expect(await settle(tenant, used, chargeId)).toMatchObject({
      charged: used,
      returned: 20 - used,
    });
    expect(await leftOf(tenant)).toEqual(left);
    // A second settlement changes nothing, and returns the remaining credits of both pools.
    const remaining = left.slice(0, 4).reduce((sum, one) => sum + one, 0);
    expect(await settle(tenant, 0, chargeId)).toMatchObject({ charged: 0, remaining });
    expect(await leftOf(tenant)).toEqual(left);
  });

  it('get back the reservations of a dead process', async () => {
    const tenant = await tenantWith(2, 3);
    const held = { operation: 'enrich', credits: 4, now: NOON, lifeMs: 60_000 } as const;
    await fixture.reserveCredits(tenant, held);
    expect(await leftOf(tenant)).toEqual([0, 0, 1, 0, 0]);
    const now = new Date(NOON.getTime() + 60_000);
    expect(await releaseExpiredReservations(fixture.database, { limit: 10, now })).toBe(1);
    expect(await leftOf(tenant)).toEqual([2, 0, 3, 0, 0]);
  });

  it('are granted each month, the rest expires with it, top-ups stay', async () => {
    const tenant = await fixture.tenant('hobby', 5);
    await topUp(tenant, 7, 'enrich');
    await topUp(tenant, 8, 'kyb');
    const chargeId = newId();
    await open(tenant, 5_003, chargeId, NOVEMBER_ENDS);
    expect(await fixture.pools(tenant.id)).toEqual({ enrich: [0, 4, 5_000], kyb: [500, 8, 500] });
    await open(tenant, 1, newId(), DECEMBER);
    expect(await fixture.pools(tenant.id)).toEqual({
      enrich: [4_999, 4, 5_000],
      kyb: [500, 8, 500],
    });
    // Credits of November's grant return to November, where they have expired.
    await settle(tenant, 4_000, chargeId, DECEMBER);
    expect(await fixture.pools(tenant.id)).toMatchObject({ enrich: [4_999, 7, 5_000] });
    expect(
      await fixture.sql(
        `SELECT period, enrich_grant_left::int AS enrich, kyb_grant_left::int AS kyb FROM credit_periods
         WHERE tenant_id = $1 AND closed_at IS NOT NULL`,
        [tenant.id],
      ),
    ).toEqual([{ period: '2026-11', enrich: 1_000, kyb: 500 }]);
  });

  it('grow by the difference with a larger plan, once', async () => {
    const tenant = await tenantWith(400, 0);
    const change = { tenantId: tenant.id, plan: 'pro', now: NOON } as const;
    await Promise.all(Array.from({ length: 5 }, () => setPlan(fixture.database, change)));
    expect(await fixture.pools(tenant.id)).toEqual({
      enrich: [99_400, 0, 100_000],
      kyb: [5_000, 0, 5_000],
    });
    await setPlan(fixture.database, { ...change, plan: 'free' });
    expect(await fixture.pools(tenant.id)).toMatchObject({ enrich: [99_400, 0, 100_000] });
  });

  it('are withheld until the plan is paid, all of them, and then granted once', async () => {
    const tenant = await fixture.tenant('hobby');
    await setPayment(fixture.database, { tenantId: tenant.id, payment: 'pending', now: NOON });
    expect(await open(tenant, 1)).toEqual({ kind: 'refused', balance: 0, required: 1 });
    const paid = { tenantId: tenant.id, payment: 'confirmed', now: NOON } as const;
    await Promise.all(Array.from({ length: 8 }, () => setPayment(fixture.database, paid)));
    expect(await fixture.pools(tenant.id)).toEqual({
      enrich: [5_000, 0, 5_000],
      kyb: [500, 0, 500],
    });
  });

  it('have no limit where the tenant has none', async () => {
    const tenant = await fixture.tenant('custom');
    expect(await open(tenant, 1e9)).toEqual({ kind: 'open', remaining: null });
    const unbounded = { granted: 0, toppedUp: 0, remaining: null };
    expect(await readBalance(fixture.database, tenant.id, { now: NOON })).toMatchObject({
      ...unbounded,
      enrich: unbounded,
      kyb: unbounded,
    });
  });

  it('are spent exactly by many calls of two processes at once, whichever pool they draw on', async () => {
    const tenant = await tenantWith(20, 30);
    const other = await fixture.another();
    const calls = Array.from({ length: 120 }, (_, n) => ({
      chargeId: newId(),
      operation: n % 3 === 0 ? ('scrape' as const) : ('enrich' as const),
      database: n % 2 === 0 ? fixture.database : other,
    }));
    const run = async ({ database, ...call }: (typeof calls)[number]): Promise<boolean> => {
      const opened = await fixture.reserveCredits(tenant, { ...call, now: NOON }, database);
      if (opened.kind === 'refused') return false;
      await fixture.settleCredits(tenant, { ...call, now: NOON }, database);
      return true;
    };
    const served = (await Promise.all(calls.map(run))).filter((isServed) => isServed);
    await other.close();
    expect(served).toHaveLength(50);
    expect(await leftOf(tenant)).toEqual([0, 0, 0, 0, 0]);
  });
});
