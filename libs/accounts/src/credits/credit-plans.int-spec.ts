import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { ExplainingDatabase } from '../../../database/test/explaining-database.js';
import { releaseExpiredReservations } from './settle-credits.js';
import type { CreditTenant } from './credit-terms.js';
import { grantCredits } from './grant-credits.js';
import { settleJobCredits, reserveJobCredits } from './job-credits.js';
import { readBalance } from './read-balance.js';
import { readUsage, usageByDay } from './read-usage.js';
import {
  checkClosedPeriods,
  findDrift,
  correctBalance,
  correctPeriods,
  reconcileCredits,
} from './reconcile.js';
import { rollUpUsage } from './roll-up-usage.js';
import { setPlan } from './set-plan.js';

/**
 * 5,000 tenants in their second month, with 100,000 transfers and charges, and open reservations.
 */
const FILL = `
  INSERT INTO tenants (id, name, plan) SELECT gen_random_uuid(), 't', 'free' FROM generate_series(1, 5000);
  INSERT INTO credit_balances (tenant_id, period, grant_left, checked_at)
    SELECT id, '2026-11', 500, now() - random() * interval '1 hour' FROM tenants;
  INSERT INTO credit_periods (tenant_id, period, granted, grant_left, overage_used, closed_at, drift)
    SELECT id, '2026-10', 1000, 0, 0, now() - random() * interval '30 days', 0 FROM tenants;
  INSERT INTO credit_periods (tenant_id, period, granted) SELECT id, '2026-11', 1000 FROM tenants;
  INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
    SELECT id, CASE WHEN n < 10 THEN '2026-10' ELSE '2026-11' END, CASE WHEN n % 20 = 0 THEN 'topup' ELSE 'grant' END, 'held', 1,
      gen_random_uuid(), now() - n * interval '1 day' FROM tenants, generate_series(1, 20) n;
  INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, from_hold, created_at)
    SELECT tenant_id, 'scrape', reference, reference, 1, true, created_at FROM credit_transfers;
  INSERT INTO credit_usage_days (tenant_id, day, operation, credits, calls, cost_micro_usd)
    SELECT id, current_date - n, 'scrape', 1, 1, 0 FROM tenants, generate_series(1, 10) n;
  INSERT INTO credit_holds (id, tenant_id, operation, period, from_grant, from_topup, from_overage, opened_at, expires_at)
    SELECT gen_random_uuid(), id, 'scrape', '2026-11', 1, 0, 0, now(), now() + (n - 1) * interval '1 minute'
    FROM tenants, generate_series(1, 2) n
`;

/** Where another index would do as well on a small table, and badly on a large one. */
const INDEXES: Readonly<Record<string, string>> = {
  open_credit_hold: 'credit_holds_pkey',
  close_credit_call: 'credit_holds_pkey',
  expire_credit_hold: 'credit_holds_pkey',
  close_job_credits: 'credit_ledger_once',
  expired_credit_holds: 'credit_holds_expiry',
  turn_credit_period: 'credit_balances_pkey',
  raise_credit_grant: 'credit_periods_pkey',
  read_credit_account: 'credit_holds_tenant',
  spent_in_period: 'credit_ledger_tenant',
  usage_in_period: 'credit_ledger_tenant',
  usage_by_day: 'credit_ledger_tenant',
  roll_up_usage: 'credit_ledger_pkey',
  take_credit_balances: 'credit_balances_checked',
  compare_credit_balances: 'credit_transfers_period',
  mend_credit_balance: 'credit_transfers_topups',
  check_closed_periods: 'credit_periods_unchecked',
  mend_closed_periods: 'credit_periods_drift',
};

/** Except for tables of one row and the server's own tables. */
const SCAN = /Seq Scan on (?!clock|credit_usage_mark|pg_)/;

describe('the statements of credits', () => {
  let fixture: CreditFixture<ExplainingDatabase>;
  let database: ExplainingDatabase;
  let tenant: CreditTenant;

  beforeAll(async () => {
    fixture = await CreditFixture.open(ExplainingDatabase);
    ({ database } = fixture);
    for (const [at, text] of FILL.split(';\n').entries())
      await database.query({ name: `fill_${at}`, text });
    await database.query({ name: 'analyze', text: 'ANALYZE' });
    tenant = await fixture.tenant('hobby', 10);
  });
  afterAll(() => fixture?.close());

  it('touch rows by index, however many there are', async () => {
    const tenantId = tenant.id;
    const [call, job] = [newId(), newId()];
    await fixture.reserveCredits(tenant, { chargeId: call });
    await fixture.settleCredits(tenant, { chargeId: call });
    await database.transaction(async (tx) => {
      await reserveJobCredits(tx, { tenant, chargeId: job, operation: 'crawl', credits: 20 });
      await settleJobCredits(tx, { tenantId, chargeId: job });
    });
    await releaseExpiredReservations(database, { limit: 2 });
    await grantCredits(database, { tenantId, credits: 5, reference: newId() });
    await setPlan(database, { tenantId, plan: 'pro' });
    await readBalance(database, tenantId);
    await readUsage(database, tenantId);
    await usageByDay(database, tenantId, 30);
    expect(await rollUpUsage(database)).toBeGreaterThan(0);
    await reconcileCredits(database, { limit: 5 });
    await findDrift(database, [tenantId]);
    await correctBalance(database, tenantId);
    await checkClosedPeriods(database, { limit: 5 });
    await correctPeriods(database, [{ tenantId, period: '2026-10', drift: 1 }]);

    const scans = [...database.plans].filter(([, plan]) => SCAN.test(plan));
    expect(scans).toEqual([]);
    for (const [name, index] of Object.entries(INDEXES))
      expect([name, database.plans.get(name)]).toEqual([name, expect.stringContaining(index)]);
  });

  it('of a call lock the balance to reserve credits, and not to charge all of them', async () => {
    const chargeId = newId();
    await fixture.reserveCredits(tenant, { chargeId });
    const settled = await database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM credit_balances WHERE tenant_id = $1 FOR UPDATE', [tenant.id]);
      return fixture.settleCredits(tenant, { chargeId });
    });
    expect(settled).toMatchObject({ charged: 1 });
  });
});
