import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { reserveJobCredits } from './job-credits.js';
import type { Database } from '@app/database';

/** Replicas of the API on one database. */
const REPLICAS = 4;

describe('credits of concurrent calls', () => {
  let fixture: CreditFixture;
  let replicas: Database[];
  beforeAll(async () => {
    fixture = await CreditFixture.open();
    replicas = await Promise.all(Array.from({ length: REPLICAS }, () => fixture.another(5)));
  });
  afterAll(async () => {
    await Promise.all(replicas.map((database) => database.close()));
    await fixture?.close();
  });
  afterEach(async () => {
    expect(await fixture.audit()).toEqual([]);
  });

  const replica = (n: number): Database => replicas[n % REPLICAS] ?? fixture.database;
  const times = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, n) => work(n)));
  const kinds = (opened: readonly { readonly kind: string }[], kind: string): number =>
    opened.filter((one) => one.kind === kind).length;

  it('are reserved for exactly the calls they cover: 200 calls, 10 credits', async () => {
    const tenant = await fixture.tenant('free', 10);
    const opened = await times(200, (n) => fixture.reserveCredits(tenant, {}, replica(n)));
    expect([kinds(opened, 'open'), kinds(opened, 'refused')]).toEqual([10, 190]);
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 0, granted: 10 });
  });

  it('are reserved for exactly the calls that grant and top-up cover together, of 3 credits each', async () => {
    const tenant = await fixture.tenant('free', 10);
    const reference = newId();
    await grantCredits(fixture.database, { tenantId: tenant.id, credits: 9, reference });
    const opened = await times(60, (n) =>
      fixture.reserveCredits(tenant, { credits: 3 }, replica(n)),
    );
    expect(kinds(opened, 'open')).toBe(6);
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 0, topupLeft: 1 });
  });

  it('of one charge id are reserved and charged once, when many callers reserve and settle it concurrently', async () => {
    const tenant = await fixture.tenant('free', 10);
    const chargeId = newId();
    const opened = await times(24, (n) =>
      fixture.reserveCredits(tenant, { chargeId, credits: 3 }, replica(n)),
    );
    expect(kinds(opened, 'open')).toBe(24);
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 7 });
    const closed = await times(24, (n) =>
      fixture.settleCredits(tenant, { chargeId, credits: 2 }, replica(n)),
    );
    expect(closed.filter(({ charged }) => charged === 2)).toHaveLength(1);
    expect(closed.reduce((sum, { charged }) => sum + charged, 0)).toBe(2);
    expect([await fixture.spent(chargeId), await fixture.balance(tenant.id)]).toEqual([
      2,
      expect.objectContaining({ grantLeft: 8 }),
    ]);
  });

  it('of one charge id are released once, when many callers release and sweep it concurrently', async () => {
    const tenant = await fixture.tenant('free', 10);
    const chargeId = newId();
    await fixture.reserveCredits(tenant, { chargeId, credits: 4, lifeMs: 0 });
    await times<unknown>(24, (n) =>
      n % 2 === 0
        ? fixture.settleCredits(tenant, { chargeId, credits: 0 }, replica(n))
        : releaseExpiredReservations(replica(n), { limit: 10 }),
    );
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 10 });
  });

  it('of one charge id are charged at most once, when it is settled and swept concurrently', async () => {
    const tenant = await fixture.tenant('free', 100);
    const chargeIds = Array.from({ length: 40 }, () => newId());
    await Promise.all(
      chargeIds.map((chargeId) =>
        fixture.reserveCredits(tenant, { chargeId, credits: 2, lifeMs: 0 }),
      ),
    );
    const settle = chargeIds.map((chargeId, n) =>
      fixture.settleCredits(tenant, { chargeId, credits: 1 }, replica(n)),
    );
    await Promise.all([
      ...settle,
      ...replicas.map((one) => releaseExpiredReservations(one, { limit: 40 })),
    ]);
    expect(await fixture.spentBy(tenant.id)).toBe(40);
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 60 });
  });

  it('are reserved for jobs as far as the balance allows', async () => {
    const tenant = await fixture.tenant('free', 25);
    const opened = await times(10, (n) =>
      replica(n).transaction((tx) =>
        reserveJobCredits(tx, { tenant, chargeId: newId(), operation: 'crawl', credits: 10 }),
      ),
    );
    const held = opened.map((one) => (one.kind === 'open' ? one.credits : 0));
    expect(held.filter((credits) => credits > 0).sort((a, b) => a - b)).toEqual([5, 10, 10]);
  });

  it('are neither lost nor created by replicas that reserve, settle, repeat and die at random', async () => {
    const tenants = await times(3, () => fixture.tenant('free', 60));
    const chargeIds = Array.from({ length: 30 }, () => newId());
    const random = randomOf(20_261_122);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const step = async (database: Database): Promise<void> => {
      const at = Math.floor(random() * chargeIds.length);
      const tenant = tenants[at % tenants.length] as CreditTenant;
      const chargeId = chargeIds[at];
      const credits = Math.floor(random() * 4);
      const kind = pick(['open', 'open', 'settle', 'release', 'sweep', 'die']);
      if (kind === 'open')
        await fixture.reserveCredits(
          tenant,
          { chargeId, credits: credits + 1, lifeMs: 5 },
          database,
        );
      if (kind === 'settle') await fixture.settleCredits(tenant, { chargeId, credits }, database);
      if (kind === 'release')
        await fixture.settleCredits(tenant, { chargeId, credits: 0 }, database);
      if (kind === 'sweep') await releaseExpiredReservations(database, { limit: 5 });
      if (kind === 'die') await fixture.reserveCredits(tenant, { credits: 1, lifeMs: 5 }, database);
    };
    await times(16, async (n) => {
      for (let steps = 0; steps < 40; steps++) await step(replica(n));
    });
    const later = new Date(Date.now() + 60_000);
    while ((await releaseExpiredReservations(fixture.database, { limit: 100, now: later })) > 0);
    for (const { id } of tenants) {
      const [balance, spent] = [await fixture.balance(id), await fixture.spentBy(id)];
      expect((balance?.grantLeft ?? -1) + spent).toBe(60);
    }
    const twice = await fixture.sql(
      'SELECT reference FROM credit_ledger GROUP BY 1 HAVING count(*) > 1',
    );
    expect(twice).toEqual([]);
  });
});

/** Numbers that look random and come again in every run (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
