import { newId } from '@app/contracts';
import {
  openFreshDatabase,
  type FreshDatabase,
} from '../../../../test/setup/open-fresh-database.js';
import {
  releaseDaily,
  reserveDaily,
  reserveModelCall,
  sweepDailyQuotas,
  utcDay,
} from './daily-quota.js';
import { charge } from '../credits/reserve-credits.js';
import { Database } from '@app/database';
import { createTenant } from '../tenants/tenants.js';

describe('daily quotas of a tenant', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let tenantId: string;

  beforeAll(async () => {
    fresh = await openFreshDatabase();
    ({ database } = fresh);
  });
  afterAll(async () => {
    await fresh.drop();
  });
  beforeEach(async () => {
    await database.query({ name: 'reset', text: 'TRUNCATE tenants CASCADE' });
    tenantId = (await createTenant(database, 'spec', 'free')).id;
  });

  const day = '2026-03-04';
  const quota = (over: { day?: string; tenantId?: string } = {}) =>
    ({ tenantId, operation: 'screenshot', day, ...over }) as const;
  const reserve = (limit: number, over = {}) => reserveDaily(database, { ...quota(over), limit });
  const rows = () =>
    database.query({ name: 'rows', text: 'SELECT day::text, used FROM daily_quotas ORDER BY day' });

  it('assigns exactly the limit, under any concurrency', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => reserve(25)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(25);
    expect(new Set(answers.filter(({ ok }) => ok).map(({ used }) => used)).size).toBe(25);
    expect(await rows()).toEqual([{ day, used: 25 }]);
    expect(await reserve(25)).toEqual({ ok: false, used: 25 });
  });

  it('counts several at a time, all of them or none', async () => {
    const take = (amount: number) => reserveDaily(database, { ...quota(), limit: 100, amount });
    expect(await take(101)).toEqual({ ok: false, used: 100 });
    expect(await rows()).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 20 }, () => take(30)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(await take(11)).toEqual({ ok: false, used: 90 });
    expect(await take(10)).toEqual({ ok: true, used: 100 });
  });

  it('refuses everything at a limit of 0, and more when a plan was lowered', async () => {
    expect(await reserve(0)).toEqual({ ok: false, used: 0 });
    expect(await rows()).toEqual([]);
    for (let n = 0; n < 3; n++) await reserve(10);
    expect(await reserve(2)).toEqual({ ok: false, used: 3 });
    expect(await reserve(0)).toEqual({ ok: false, used: 3 });
  });

  it('counts each day and each tenant separately', async () => {
    const other = await createTenant(database, 'other', 'free');
    expect(await reserve(1)).toEqual({ ok: true, used: 1 });
    expect(await reserve(1, { day: '2026-03-05' })).toEqual({ ok: true, used: 1 });
    expect(await reserve(1, { tenantId: other.id })).toEqual({ ok: true, used: 1 });
    expect(await reserve(1)).toEqual({ ok: false, used: 1 });
  });

  it('returns the count of failed work, never below zero', async () => {
    await reserve(5);
    await Promise.all(Array.from({ length: 4 }, () => releaseDaily(database, quota())));
    expect(await rows()).toEqual([{ day, used: 0 }]);
    await releaseDaily(database, quota({ day: '2026-03-09' }));
    expect(await reserve(1)).toEqual({ ok: true, used: 1 });
  });

  it('sweeps past days, some at a time', async () => {
    for (const past of ['2026-03-01', '2026-03-02', '2026-03-03', day])
      await reserve(1, { day: past });
    expect(await sweepDailyQuotas(database, { beforeDay: day, limit: 2 })).toBe(2);
    expect(await sweepDailyQuotas(database, { beforeDay: day, limit: 2 })).toBe(1);
    expect(await sweepDailyQuotas(database, { beforeDay: day, limit: 2 })).toBe(0);
    expect(await rows()).toEqual([{ day, used: 1 }]);
  });

  it('has the model calls of the plan', async () => {
    const used = { tenantId, operation: 'model_call', day: utcDay() } as const;
    await reserveDaily(database, { ...used, limit: 1_000, amount: 999 });
    expect(await reserveModelCall(database, tenantId)).toEqual({ ok: true, limit: 1_000 });
    expect(await reserveModelCall(database, tenantId)).toEqual({ ok: false, limit: 1_000 });
    expect(await reserveModelCall(database, newId())).toEqual({ ok: false, limit: 0 });
  });

  it('is deleted with its tenant', async () => {
    await reserve(1);
    await database.query({ name: 'gone', text: 'DELETE FROM tenants' });
    expect(await rows()).toEqual([]);
  });

  it.each([
    ['2026-03-04T23:59:59.999Z', '2026-03-04'],
    ['2026-03-05T00:30:00+02:00', '2026-03-04'],
    ['2024-02-29T00:00:00Z', '2024-02-29'],
  ])('has %s in the UTC day %s', (at, expected) => {
    expect(utcDay(new Date(at))).toBe(expected);
  });

  it.each(['scrape', 'screenshot'] as const)('counts a %s once', async (operation) => {
    const chargeId = newId();
    for (let n = 0; n < 3; n++)
      await charge(database, { tenantId, operation, chargeId, credits: 1 });
    const booked = await database.query({
      name: 'ledger',
      text: 'SELECT operation, credits FROM credit_ledger',
    });
    expect(booked).toEqual([{ operation, credits: 1 }]);
  });
});
