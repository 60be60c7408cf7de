import { newId } from '@app/contracts';
import { until } from '@app/testing';
import { itInFull } from '../../../../test/setup/full-run.js';
import { CreditFixture } from '../../test/credit-fixture.js';
import { charge } from './reserve-credits.js';
import type { Database } from '@app/database';
import type { CreditTenant } from './credit-terms.js';
import { readBalance } from './read-balance.js';
import { readUsage, usageByDay } from './read-usage.js';
import { rollUpUsage } from './roll-up-usage.js';

/** Of a tenant's ledger by itself, whatever is summed up. */
const TRUTH = `
  SELECT coalesce(sum(credits), 0)::float8 AS credits, count(*) FILTER (WHERE credits > 0)::float8 AS calls,
         coalesce(sum(cost_micro_usd), 0)::float8 AS cost,
         count(*) FILTER (WHERE credits > 0 AND is_extraction)::float8 AS extractions
  FROM credit_ledger WHERE tenant_id = $1`;

describe('the sums of usage', () => {
  let fixture: CreditFixture;
  let tenant: CreditTenant;
  beforeEach(async () => {
    fixture = await CreditFixture.open();
    tenant = await fixture.tenant('hobby');
  });
  afterEach(() => fixture?.close());

  const book = (database: Database = fixture.database, credits = 1): Promise<boolean> =>
    charge(database, {
      tenantId: tenant.id,
      operation: 'scrape',
      chargeId: newId(),
      credits,
      costMicroUsd: 3,
      isExtraction: true,
    });
  /** Backdates all rows by this number of seconds, so that no test waits. */
  const age = (seconds: number): Promise<void> =>
    fixture.database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM credit_usage_mark FOR UPDATE');
      await tx.query('LOCK TABLE credit_ledger IN SHARE ROW EXCLUSIVE MODE');
      const span = `interval '${seconds} seconds'`;
      await tx.query(`UPDATE credit_ledger SET created_at = created_at - ${span}`);
      await tx.query(
        `UPDATE credit_usage_mark SET summed_until = summed_until - ${span}, seen_at = seen_at - ${span}`,
      );
    });
  const summed = async (): Promise<number> => {
    const [row] = await fixture.sql<{ n: number }>(
      'SELECT coalesce(sum(calls), 0)::int AS n FROM credit_usage_days WHERE tenant_id = $1',
      [tenant.id],
    );
    return row?.n ?? -1;
  };
  /** Every report agrees with the credit ledger. */
  const expectTruth = async (): Promise<void> => {
    const [truth] = await fixture.sql<Record<'credits' | 'calls' | 'cost' | 'extractions', number>>(
      TRUTH,
      [tenant.id],
    );
    const usage = await readUsage(fixture.database, tenant.id);
    const balance = await readBalance(fixture.database, tenant.id);
    const days = await usageByDay(fixture.database, tenant.id, 30);
    const sum = (of: 'credits' | 'calls') => days.reduce((total, day) => total + day[of], 0);
    expect({
      pages: usage?.pagesScraped,
      extractions: usage?.llmExtractions,
      cost: usage?.costMicroUsd,
      spent: balance?.spent,
      byDay: [sum('credits'), sum('calls')],
    }).toEqual({
      pages: truth?.calls,
      extractions: truth?.extractions,
      cost: truth?.cost,
      spent: truth?.credits,
      byDay: [truth?.credits, truth?.calls],
    });
  };

  it('are added to rows not summed up yet', async () => {
    for (let n = 0; n < 5; n++) await book();
    await book(fixture.database, 0);
    await expectTruth();
    await age(20);
    expect(await rollUpUsage(fixture.database)).toBe(1);
    expect(await summed()).toBe(5);
    await expectTruth();
    await book();
    expect(await summed()).toBe(5);
    await expectTruth();
    for (let round = 0; round < 3; round++) {
      await age(20);
      await rollUpUsage(fixture.database);
      await expectTruth();
    }
    expect(await summed()).toBe(6);
  });

  itInFull('leave out rows of open transactions, and include them after the commit', async () => {
    const slow = await fixture.another();
    const begun = Promise.withResolvers<void>();
    const mayEnd = Promise.withResolvers<void>();
    const transaction = slow.transaction(async (tx) => {
      await tx.query('SELECT now()');
      begun.resolve();
      await mayEnd.promise;
      await tx.query(
        `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits)
         VALUES ($1, 'scrape', gen_random_uuid(), gen_random_uuid(), 1)`,
        [tenant.id],
      );
    });
    try {
      await begun.promise;
      // Longer than the seconds the roll-up leaves alone anyway.
      const [began] = await fixture.sql<{ at: Date }>('SELECT now() AS at');
      await until(() => Date.now() - (began?.at.getTime() ?? 0) > 5_500);
      await book();
      await rollUpUsage(fixture.database);
      const [mark] = await fixture.sql<{ isBefore: boolean }>(
        'SELECT summed_until < $1::timestamptz AS "isBefore" FROM credit_usage_mark',
        [began?.at],
      );
      expect([mark?.isBefore, await summed()]).toEqual([true, 0]);
    } finally {
      mayEnd.resolve();
      await transaction;
      await slow.close();
    }
    await expectTruth();
    await age(20);
    await rollUpUsage(fixture.database);
    expect(await summed()).toBe(2);
    await expectTruth();
  });

  it('count each row once, however many replicas sum up while others book', async () => {
    const replicas = await Promise.all([fixture.another(5), fixture.another(5)]);
    try {
      const sums = replicas.map(async (database) => {
        for (let round = 0; round < 20; round++) {
          await age(6);
          await rollUpUsage(database);
        }
      });
      for (let n = 0; n < 100; n++) {
        await Promise.all(replicas.map((database) => book(database)));
        if (n % 10 === 0) await expectTruth();
      }
      await Promise.all(sums);
    } finally {
      for (const database of replicas) await database.close();
    }
    await age(20);
    await rollUpUsage(fixture.database);
    expect(await summed()).toBe(200);
    await expectTruth();
  });

  it('include rows that a clock set back dated before them', async () => {
    await book();
    await age(20);
    await rollUpUsage(fixture.database);
    await fixture.sql(
      `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, created_at)
       SELECT $1, 'scrape', gen_random_uuid(), gen_random_uuid(), 1, summed_until - interval '1 minute'
       FROM credit_usage_mark`,
      [tenant.id],
    );
    await age(20);
    await rollUpUsage(fixture.database);
    expect(await summed()).toBe(2);
    await expectTruth();
  });

  it('pause while sessions hide their start', async () => {
    await book();
    await age(20);
    const hidden = await fixture.another();
    try {
      await hidden.transaction(async (tx) => {
        await tx.query('SET LOCAL track_activities = off');
        await tx.query('SELECT 1');
        expect(await rollUpUsage(fixture.database)).toBeNull();
      });
    } finally {
      await hidden.close();
    }
    await expectTruth();
  });

  it('are made by one at a time', async () => {
    await book();
    await age(20);
    await fixture.database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM credit_usage_mark FOR UPDATE');
      const other = await fixture.another();
      try {
        expect(await rollUpUsage(other)).toBeNull();
      } finally {
        await other.close();
      }
    });
    expect(await rollUpUsage(fixture.database)).toBe(1);
  });
});
