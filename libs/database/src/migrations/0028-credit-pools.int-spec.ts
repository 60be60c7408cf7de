import type { QueryRunner } from 'typeorm';
import { newId } from '@app/contracts';
import { CreditRig } from '../../../accounts/test/credit-fixture.js';
import { readBalance } from '@app/accounts';
import { setPayment } from '@app/accounts';
import { CreditPools1732180000028 } from './0028-credit-pools.js';

describe('the pools of credits in a database with accounts', () => {
  let rig: CreditRig;
  beforeEach(async () => {
    rig = await CreditRig.open();
  }, 30_000);
  afterEach(() => rig?.close());

  const migrate = (way: 'down' | 'up') =>
    rig.store.transaction((tx) =>
      new CreditPools1732180000028()[way](tx as unknown as QueryRunner),
    );

  it('are granted for the month that has begun, by the plan, where its grant is not withheld', async () => {
    const [hobby, unpaid, behind, unseen, custom] = [
      await rig.tenant('hobby'),
      await rig.tenant('hobby'),
      await rig.tenant('pro'),
      await rig.tenant('free'),
      await rig.tenant('custom', 10),
    ];
    await migrate('down');
    const month = new Date().toISOString().slice(0, 7);
    for (const [tenant, period, granted] of [
      [hobby, month, 5_000],
      [unpaid, month, null],
      [behind, '2020-01', 100_000],
      [custom, month, 10],
    ] as const) {
      await rig.sql(
        'INSERT INTO credit_balances (tenant_id, period, grant_left) VALUES ($1, $2, $3)',
        [tenant.id, period, granted ?? 0],
      );
      await rig.sql('INSERT INTO credit_periods (tenant_id, period, granted) VALUES ($1, $2, $3)', [
        tenant.id,
        period,
        granted,
      ]);
      await rig.sql(
        `INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
         SELECT $1, $2, 'issued', 'grant', $3::bigint, gen_random_uuid(), now() WHERE $3::bigint > 0`,
        [tenant.id, period, granted ?? 0],
      );
    }
    await rig.sql(`UPDATE credit_balances SET payment = 'pending' WHERE tenant_id = $1`, [
      unpaid.id,
    ]);
    await migrate('up');
    expect(await rig.audit()).toEqual([]);
    expect(await rig.pools(hobby.id)).toEqual({ enrich: [5_000, 0, 5_000], kyb: [500, 0, 500] });
    expect(await rig.pools(unpaid.id)).toEqual({ enrich: [0, 0, 0], kyb: [0, 0, 0] });
    expect(await rig.pools(custom.id)).toEqual({ enrich: [0, 0, 0], kyb: [0, 0, 0] });
    await setPayment(rig.store, { tenantId: unpaid.id, payment: 'confirmed' });
    expect(await rig.pools(unpaid.id)).toMatchObject({ enrich: [5_000, 0, 5_000] });
    expect((await readBalance(rig.store, behind.id))?.enrich.remaining).toBe(100_000);
    expect((await readBalance(rig.store, unseen.id))?.enrich.remaining).toBe(1_000);
    expect(await rig.audit()).toEqual([]);
  });

  it('are merged into the common one when they are undone, and the books stay balanced', async () => {
    const tenant = await rig.tenant('hobby', 10);
    const [spent, held] = [newId(), newId()];
    await rig.openCall(tenant, { operation: 'enrich', credits: 3, reference: spent });
    await rig.closeCall(tenant, { operation: 'enrich', credits: 3, reference: spent });
    await rig.openCall(tenant, { operation: 'enrich', credits: 2, reference: held });
    await migrate('down');
    expect(await rig.balance(tenant.id)).toMatchObject({ grantLeft: 10 + 4_995 + 500 });
    await migrate('up');
    expect(await rig.audit()).toEqual([]);
  });

  it('refuse a balance below zero, and overage of the enrich pool', async () => {
    const tenant = await rig.tenant('free', 10);
    await rig.openCall(tenant);
    for (const column of ['enrich_grant_left', 'enrich_topup_left', 'kyb_grant_left'])
      await expect(rig.sql(`UPDATE credit_balances SET ${column} = -1`)).rejects.toThrow(
        /credit_balances_pools/,
      );
    const insert = rig.sql(
      `INSERT INTO credit_transfers (tenant_id, period, pool, from_account, to_account, credits, reference, created_at)
       SELECT gen_random_uuid(), '2026-11', 'enrich', 'overage', 'held', 1, gen_random_uuid(), now()`,
    );
    await expect(insert).rejects.toThrow(/credit_transfers_pool/);
  });
});
