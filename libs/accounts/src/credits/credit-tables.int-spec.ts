import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import { charge } from './reserve-credits.js';

describe('the tables of credits', () => {
  let fixture: CreditFixture;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());

  const transfer = (columns: string, values: string) =>
    fixture.sql(
      `INSERT INTO credit_transfers (tenant_id, period, ${columns}, credits, reference, created_at)
       SELECT gen_random_uuid(), '2026-11', ${values}, gen_random_uuid(), now()`,
    );

  it('name both accounts of every entry, with the pool and the month', async () => {
    const tenant = await fixture.tenant('free', 10);
    const chargeId = newId();
    await charge(fixture.database, {
      tenantId: tenant.id,
      operation: 'scrape',
      chargeId,
      credits: 3,
    });
    expect(await fixture.reserveCredits(tenant)).toEqual({ kind: 'open', remaining: 9 });
    expect(
      await fixture.sql(
        `SELECT from_account AS "from", to_account AS "to", credits::int FROM credit_entries
         WHERE tenant_id = $1 ORDER BY 1, 2`,
        [tenant.id],
      ),
    ).toEqual([
      { from: expect.stringMatching(/^grant:\d{4}-\d\d$/), to: 'held', credits: 1 },
      { from: 'issued', to: expect.stringMatching(/^enrich grant:\d{4}-\d\d$/), credits: 1_000 },
      { from: 'issued', to: expect.stringMatching(/^grant:\d{4}-\d\d$/), credits: 10 },
      { from: 'issued', to: 'spent', credits: 3 },
    ]);
  });

  it.each([
    ['between accounts that have nothing to do with each other', "'issued', 'held', 1"],
    ['of nothing', "'grant', 'held', 0"],
    ['of spent credits', "'spent', 'grant', 1"],
  ])('refuse a transfer %s', async (_, values) => {
    await expect(transfer('from_account, to_account', values)).rejects.toThrow(/credit_transfers_/);
  });

  it('refuse overage of the enrich pool', async () => {
    await expect(
      transfer('pool, from_account, to_account', "'enrich', 'overage', 'held', 1"),
    ).rejects.toThrow(/credit_transfers_pool/);
  });

  it.each([
    ...['grant_left', 'topup_left', 'overage_used'],
    ...['enrich_grant_left', 'enrich_topup_left', 'kyb_grant_left', 'kyb_topup_left'],
  ])('refuse a balance below zero: %s', async (column) => {
    await fixture.reserveCredits(await fixture.tenant('free', 10));
    await expect(fixture.sql(`UPDATE credit_balances SET ${column} = -1`)).rejects.toThrow(
      /credit_balances_(\w+_check|pools)/,
    );
  });
});
