import type { QueryRunner } from 'typeorm';
import { newId } from '@app/contracts';
import { CreditFixture } from '../../../accounts/test/credit-fixture.js';
import { charge } from '@app/accounts';
import { Credits1732180000019 } from './0019-credits.js';
import { CreditPools1732180000028 } from './0028-credit-pools.js';

describe('the tables of credits', () => {
  let fixture: CreditFixture;
  beforeEach(async () => {
    fixture = await CreditFixture.open();
  }, 30_000);
  afterEach(() => fixture?.close());

  it('are undone and made again, what was spent before kept and without a hold', async () => {
    const tenant = await fixture.tenant('free', 10);
    const booking = {
      tenantId: tenant.id,
      operation: 'scrape',
      reference: newId(),
      credits: 3,
    } as const;
    await charge(fixture.store, booking);
    const [credits, pools] = [new Credits1732180000019(), new CreditPools1732180000028()];
    for (const step of [
      (runner: QueryRunner) => pools.down(runner),
      (runner: QueryRunner) => credits.down(runner),
      (runner: QueryRunner) => credits.up(runner),
      (runner: QueryRunner) => pools.up(runner),
    ])
      await fixture.store.transaction((tx) => step(tx as unknown as QueryRunner));
    expect(await fixture.sql('SELECT operation, credits, from_hold FROM credit_ledger')).toEqual([
      { operation: 'scrape', credits: 3, from_hold: false },
    ]);
    expect(await fixture.openCall(tenant)).toEqual({ kind: 'open', remaining: 9 });
    expect(
      await fixture.sql(
        'SELECT from_account AS "from", to_account AS "to", credits::int FROM credit_entries ORDER BY 1, 2',
      ),
    ).toEqual([
      { from: expect.stringMatching(/^grant:\d{4}-\d\d$/), to: 'held', credits: 1 },
      { from: 'issued', to: expect.stringMatching(/^enrich grant:\d{4}-\d\d$/), credits: 1_000 },
      { from: 'issued', to: expect.stringMatching(/^grant:\d{4}-\d\d$/), credits: 10 },
      { from: 'issued', to: 'spent', credits: 3 },
    ]);
  });

  it.each([
    ['a transfer between accounts that have nothing to do with each other', "'issued', 'held', 1"],
    ['a transfer of nothing', "'grant', 'held', 0"],
    ['a transfer out of what was spent', "'spent', 'grant', 1"],
  ])('refuse %s', async (_, accounts) => {
    const insert = fixture.sql(
      `INSERT INTO credit_transfers (tenant_id, period, from_account, to_account, credits, reference, created_at)
       SELECT gen_random_uuid(), '2026-11', ${accounts}, gen_random_uuid(), now()`,
    );
    await expect(insert).rejects.toThrow(/credit_transfers_/);
  });

  it('refuse a balance below zero', async () => {
    const tenant = await fixture.tenant('free', 10);
    await fixture.openCall(tenant);
    for (const account of ['grant_left', 'topup_left', 'overage_used'])
      await expect(fixture.sql(`UPDATE credit_balances SET ${account} = -1`)).rejects.toThrow(
        /credit_balances_/,
      );
  });
});
