import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { settleJobCredits, reserveJobCredits } from './job-credits.js';

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

  describe('of a job', () => {
    const begin = (tenant: CreditTenant, credits: number, chargeId: string, now = NOON) =>
      fixture.database.transaction((tx) =>
        reserveJobCredits(tx, { tenant, chargeId, operation: 'crawl', credits, now }),
      );
    const end = ({ id }: CreditTenant, chargeId: string, now = NOON) =>
      fixture.database.transaction((tx) => settleJobCredits(tx, { tenantId: id, chargeId, now }));

    it.each([
      ['free', 10, { kind: 'open', credits: 10, isReserved: true }, [90, 0, 0]],
      ['free', 150, { kind: 'open', credits: 100, isReserved: true }, [0, 0, 0]],
      ['hobby', 150, { kind: 'open', credits: 150, isReserved: true }, [0, 0, 50]],
    ] as const)('are held for its pages: %s, %i pages', async (plan, pages, opened, left) => {
      const tenant = await fixture.tenant(plan, 100);
      expect(await begin(tenant, pages, newId())).toEqual(opened);
      expect(await leftOf(tenant)).toEqual(left);
    });

    it('are refused when the balance is zero', async () => {
      const tenant = await fixture.tenant('free', 5);
      await begin(tenant, 5, newId());
      expect(await begin(tenant, 5, newId())).toEqual({ kind: 'refused', balance: 0, required: 1 });
    });

    it('are not reserved where nothing limits them', async () => {
      const tenant = await fixture.tenant('custom');
      const opened = { kind: 'open', credits: 1_000_000, isReserved: false };
      expect(await begin(tenant, 1_000_000, newId())).toEqual(opened);
      expect(await fixture.balance(tenant.id)).toBeUndefined();
    });

    it('return when it ends, less the cost of its pages, once', async () => {
      const tenant = await fixture.tenant('free', 100);
      const job = newId();
      await begin(tenant, 10, job);
      for (let page = 0; page < 4; page++) await fixture.page(tenant.id, job, NOON);
      expect(await end(tenant, job)).toEqual({ wasReserved: true, charged: 4 });
      expect(await end(tenant, job)).toEqual({ wasReserved: false, charged: 0 });
      expect(await leftOf(tenant)).toEqual([96, 0, 0]);
    });

    it('are released even if others were spent under its id without the reservation', async () => {
      const tenant = await fixture.tenant('free', 100);
      const job = newId();
      await begin(tenant, 10, job);
      await fixture.sql(
        `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits)
         VALUES ($1, 'extract', $2, gen_random_uuid(), 4)`,
        [tenant.id, job],
      );
      expect(await end(tenant, job)).toEqual({ wasReserved: true, charged: 0 });
    });

    it('stay reserved while it runs, however long', async () => {
      const tenant = await fixture.tenant('free', 100);
      await begin(tenant, 10, newId());
      const now = new Date(NOON.getTime() + 1e10);
      while ((await releaseExpiredReservations(fixture.database, { limit: 100, now })) > 0);
      expect(await leftOf(tenant)).toEqual([90, 0, 0]);
    });

    it('are released with the transaction that ends it, or not at all', async () => {
      const tenant = await fixture.tenant('free', 100);
      const job = newId();
      await begin(tenant, 10, job);
      const broken = fixture.database.transaction(async (tx) => {
        await settleJobCredits(tx, { tenantId: tenant.id, chargeId: job });
        throw new Error('the server went');
      });
      await expect(broken).rejects.toThrow('the server went');
      expect(await leftOf(tenant)).toEqual([90, 0, 0]);
      expect(await end(tenant, job)).toMatchObject({ wasReserved: true });
    });
  });
});
