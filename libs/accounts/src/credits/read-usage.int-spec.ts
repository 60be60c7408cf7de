import { newId } from '@app/contracts';
import { CreditFixture } from '../../test/credit-fixture.js';
import type { CreditTenant } from './credit-terms.js';
import { readBalance } from './read-balance.js';
import { readUsage, usageByDay } from './read-usage.js';

const NOW = new Date('2026-11-15T12:00:00Z');

describe('usage', () => {
  let fixture: CreditFixture;
  let tenant: CreditTenant;
  beforeAll(async () => {
    fixture = await CreditFixture.open();
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    tenant = await fixture.tenant('hobby');
  });

  const book = (
    operation: string,
    at: string,
    { credits = 1, cost = 0, isExtraction = false } = {},
  ) =>
    fixture.sql(
      `INSERT INTO credit_ledger (tenant_id, operation, reference, item, credits, cost_micro_usd, created_at, is_extraction)
       VALUES ($1, $2, gen_random_uuid(), gen_random_uuid(), $3, $4, $5, $6)`,
      [tenant.id, operation, credits, cost, at, isExtraction],
    );
  const read = (now = NOW) => readUsage(fixture.database, tenant.id, { now });

  it.each([
    ['free', 1_000, 0, 0],
    ['hobby', 5_000, 5_000, 500],
    ['scale', 500_000, 500_000, 25_000],
    ['custom', null, null, null],
  ] as const)('of a new account shows zeros: %s', async (plan, pagesQuota, extractQuota, kyb) => {
    tenant = await fixture.tenant(plan);
    const pool = (quota: number | null) => ({
      ...{ granted: quota ?? 0, toppedUp: 0, remaining: quota },
    });
    expect(await read()).toEqual({
      ...{ plan, pagesScraped: 0, pagesQuota, llmExtractions: 0, extractQuota, costMicroUsd: 0 },
      pools: { scrape: pool(pagesQuota), enrich: pool(pagesQuota), kyb: pool(kyb) },
      credits: { state: 'ok', period: '2026-11', priorPeriodsUnresolved: false },
    });
  });

  it('has the quota that was agreed', async () => {
    tenant = await fixture.tenant('custom', 750_000);
    expect(await read()).toMatchObject({ pagesQuota: 750_000, extractQuota: 750_000 });
  });

  it('counts pages with data, extractions, and model cost', async () => {
    const at = '2026-11-02T00:00:00Z';
    for (const operation of ['scrape', 'crawl', 'extract', 'enrich'])
      await book(operation, at, { cost: 100 });
    for (const operation of ['scrape', 'map', 'screenshot']) await book(operation, at);
    await book('crawl', at, { credits: 0 });
    await book('extract', at, { credits: 0, cost: 7 });
    await book('scrape', at, { credits: 0, cost: 5, isExtraction: true });
    // On the free plan a model costs nothing.
    await book('scrape', at, { isExtraction: true });
    const used = { pagesScraped: 4, llmExtractions: 2, costMicroUsd: 412 };
    expect(await read()).toMatchObject(used);
  });

  it('begins with the month and ends with it, UTC', async () => {
    for (const at of ['2026-10-31T23:59:59.999Z', '2026-11-01T00:00:00Z', '2026-11-30T23:59:59.999Z', '2026-12-01T00:00:00Z'])
      await book('scrape', at); // prettier-ignore
    const seen = [];
    for (const month of ['2026-10-31T23:59:59.999Z', '2026-11-01', '2026-12-01'])
      seen.push((await read(new Date(month)))?.pagesScraped);
    expect(seen).toEqual([1, 2, 1]);
  });

  it('of an unknown tenant is null', async () => {
    expect(await readUsage(fixture.database, newId())).toBeNull();
    expect(await readBalance(fixture.database, newId())).toBeNull();
  });

  it('is that of one tenant', async () => {
    await book('scrape', NOW.toISOString());
    tenant = await fixture.tenant('free');
    expect(await read()).toMatchObject({ pagesScraped: 0 });
  });

  it('of the balance has the granted, spent and remaining credits', async () => {
    await fixture.reserveCredits(tenant, { credits: 3, now: NOW });
    const chargeId = newId();
    await fixture.reserveCredits(tenant, { chargeId, credits: 2, now: NOW });
    await fixture.settleCredits(tenant, { chargeId, credits: 2, now: NOW });
    expect(await readBalance(fixture.database, tenant.id, { now: NOW })).toEqual({
      state: 'ok',
      period: '2026-11',
      priorPeriodsUnresolved: false,
      granted: 5_000,
      toppedUp: 0,
      spent: 2,
      overage: 0,
      remaining: 4_995,
      enrich: { granted: 5_000, toppedUp: 0, remaining: 5_000 },
      kyb: { granted: 500, toppedUp: 0, remaining: 500 },
    });
  });

  it('by day has every day, the oldest first, and its spending', async () => {
    await book('scrape', '2026-11-13T00:00:00Z', { credits: 2 });
    await book('map', '2026-11-13T23:59:59.999Z');
    await book('map', '2026-11-13T12:00:00Z', { credits: 0, cost: 5 });
    await book('crawl', '2026-11-15T13:00:00Z');
    await book('crawl', '2026-11-11T23:59:59Z');
    expect(await usageByDay(fixture.database, tenant.id, 4, NOW)).toEqual([
      { day: '2026-11-12', credits: 0, calls: 0 },
      { day: '2026-11-13', credits: 3, calls: 2 },
      { day: '2026-11-14', credits: 0, calls: 0 },
      { day: '2026-11-15', credits: 1, calls: 1 },
    ]);
  });

  it.each([0, 1.5, 367, Number.NaN])('refuses a chart of %d days', async (days) => {
    await expect(usageByDay(fixture.database, tenant.id, days)).rejects.toThrow(RangeError);
  });
});
