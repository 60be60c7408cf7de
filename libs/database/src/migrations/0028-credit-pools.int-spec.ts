import type { QueryRunner } from 'typeorm';
import { newId } from '@app/contracts';
import { CreditFixture } from '../../../accounts/test/credit-fixture.js';
import { readBalance } from '@app/accounts';
import { setPayment } from '@app/accounts';
import { CreditPools1732180000028 } from './0028-credit-pools.js';

describe('the pools of credits in a database with accounts', () => {
  let fixture: CreditFixture;
  beforeEach(async () => {
    fixture = await CreditFixture.open();
  }, 30_000);
  afterEach(() => fixture?.close());

  const migrate = (way: 'down' | 'up') =>
    fixture.store.transaction((tx) =>
      new CreditPools1732180000028()[way](tx as unknown as QueryRunner),
    );

  it('are granted for the month that has begun, by the plan, where its grant is not withheld', async () => {
    const [hobby, unpaid, behind, unseen, custom] = [
      await fixture.tenant('hobby'),
      await fixture.tenant('hobby'),
      await fixture.tenant('pro'),
      await fixture.tenant('free'),
      await fixture.tenant('custom', 10),
    ];
    await migrate('down');
    const month = new Date().toISOString().slice(0, 7);
    for (const [tenant, period, granted] of [
      [hobby, month, 5_000],
      [unpaid, month, null],
      [behind, '2020-01', 100_000],
      [custom, month, 10],
    ] as const) {
      await fixture.sql(
        'INSERT INTO credit_balances (tenant_id, period, grant_left) VALUES ($1, $2, $3)',
        [tenant.id, period, granted ?? 0],
      );
      await fixture.sql(
        'INSERT INTO credit_periods (tenant_id, period, granted) VALUES ($1, $2, $3)',
        [tenant.id, period, granted],
      );
      await fixture.sql(
        `INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
         SELECT $1, $2, 'issued', 'grant', $3::bigint, gen_random_uuid(), now() WHERE $3::bigint > 0`,
        [tenant.id, period, granted ?? 0],
      );
    }
    await fixture.sql(`UPDATE credit_balances SET payment = 'pending' WHERE tenant_id = $1`, [
      unpaid.id,
    ]);
    await migrate('up');
    expect(await fixture.audit()).toEqual([]);
    expect(await fixture.pools(hobby.id)).toEqual({
      enrich: [5_000, 0, 5_000],
      kyb: [500, 0, 500],
    });
    expect(await fixture.pools(unpaid.id)).toEqual({ enrich: [0, 0, 0], kyb: [0, 0, 0] });
    expect(await fixture.pools(custom.id)).toEqual({ enrich: [0, 0, 0], kyb: [0, 0, 0] });
    await setPayment(fixture.store, { tenantId: unpaid.id, payment: 'confirmed' });
    expect(await fixture.pools(unpaid.id)).toMatchObject({ enrich: [5_000, 0, 5_000] });
    expect((await readBalance(fixture.store, behind.id))?.enrich.remaining).toBe(100_000);
    expect((await readBalance(fixture.store, unseen.id))?.enrich.remaining).toBe(1_000);
    expect(await fixture.audit()).toEqual([]);
  });

  it('are merged into the common one when they are undone, and the books stay balanced', async () => {
    const tenant = await fixture.tenant('hobby', 10);
    const [spent, held] = [newId(), newId()];
    await fixture.openCall(tenant, { operation: 'enrich', credits: 3, reference: spent });
    await fixture.closeCall(tenant, { operation: 'enrich', credits: 3, reference: spent });
    await fixture.openCall(tenant, { operation: 'enrich', credits: 2, reference: held });
    await migrate('down');
    expect(await fixture.balance(tenant.id)).toMatchObject({ grantLeft: 10 + 4_995 + 500 });
    await migrate('up');
    expect(await fixture.audit()).toEqual([]);
  });

  it('refuse a balance below zero, and overage of the enrich pool', async () => {
    const tenant = await fixture.tenant('free', 10);
    await fixture.openCall(tenant);
    for (const column of ['enrich_grant_left', 'enrich_topup_left', 'kyb_grant_left'])
      await expect(fixture.sql(`UPDATE credit_balances SET ${column} = -1`)).rejects.toThrow(
        /credit_balances_pools/,
      );
    const insert = fixture.sql(
      `INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
       SELECT gen_random_uuid(), '2026-11', 'enrich', 'overage', 'held', 1, gen_random_uuid(), now()`,
    );
    await expect(insert).rejects.toThrow(/credit_transfers_pool/);
  });
});
