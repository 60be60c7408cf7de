import { PLANS, API_ERRORS, type Plan } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { Tenant, Usage } from '@app/accounts';
import { NOTHING_AGREED } from '../../../../../libs/accounts/src/tenants/tenants.js';
import { type Statement } from '@app/database';
import { presentUsage, UsageService } from './usage.service.js';

const TENANT = {
  id: '018f0000-0000-7000-8000-000000000001',
  plan: 'free',
  keyId: null,
  agreed: NOTHING_AGREED,
} as const satisfies Tenant;

const USAGE: Usage = {
  plan: 'hobby',
  pagesScraped: 12,
  pagesQuota: 5_000,
  llmExtractions: 3,
  extractQuota: 5_000,
  costMicroUsd: 1_250_001,
  credits: { state: 'ok', period: '2026-11', priorPeriodsUnresolved: false },
  pools: {
    scrape: { granted: 5_000, toppedUp: 20, remaining: 4_320 },
    enrich: { granted: 5_000, toppedUp: 0, remaining: 4_999 },
    kyb: { granted: 500, toppedUp: 3, remaining: 503 },
  },
};

/** A service with a fake database that returns the given results. */
function serviceOver(answer: (name: string) => Promise<unknown[]>): {
  service: UsageService;
  warned: unknown[];
} {
  const warned: unknown[] = [];
  const database = { query: ({ name }: Statement) => answer(name) };
  const log = { warn: (what: unknown) => warned.push(what) };
  return { service: new UsageService({ database, log } as unknown as Runtime), warned };
}

describe('the usage record', () => {
  it('has the fields of the specification, and the balance of each pool', () => {
    expect(presentUsage(USAGE, 7)).toEqual({
      plan: 'starter',
      pages_scraped: 12,
      pages_quota: 5_000,
      llm_extractions: 3,
      extract_quota: 5_000,
      cost_usd: 1.250001,
      year_month: '2026-11',
      credits: { state: 'ok', period: '2026-11', prior_periods_unresolved: false },
      credit_pools: {
        scrape: { granted: 5_000, topped_up: 20, remaining: 4_320 },
        enrich: { granted: 5_000, topped_up: 0, remaining: 4_999 },
        kyb: { granted: 500, topped_up: 3, remaining: 503 },
      },
      storage: { bytes: 7, limit: 10_000_000_000 },
    });
  });

  it('reports every plan by its legacy name', () => {
    const names = PLANS.map((plan: Plan) => presentUsage({ ...USAGE, plan }, 0).plan);
    expect(names).toEqual(['free', 'starter', 'pro', 'business', 'enterprise']);
  });

  it('has a number where there is no limit', () => {
    const unbounded = { granted: 0, toppedUp: 0, remaining: null };
    const { pages_quota, extract_quota, credit_pools } = presentUsage(
      {
        ...USAGE,
        pagesQuota: null,
        extractQuota: null,
        pools: { scrape: unbounded, enrich: unbounded, kyb: unbounded },
      },
      0,
    );
    const pools = [credit_pools.scrape, credit_pools.enrich, credit_pools.kyb];
    expect(
      new Set([pages_quota, extract_quota, ...pools.map(({ remaining }) => remaining)]),
    ).toEqual(new Set([9_007_199_254_740_991]));
  });

  it('is 404 for a deleted tenant', async () => {
    const { service } = serviceOver(async () => []);
    await expect(service.read(TENANT)).rejects.toMatchObject({
      code: 'tenant_not_found',
      message: 'Tenant not found',
    });
    expect(API_ERRORS.tenant_not_found.status).toBe(404);
  });

  it('reports that the credit ledger cannot be read, and logs why', async () => {
    const { service, warned } = serviceOver(async (name) => {
      if (name !== 'find_credit_tenant') throw new Error('the table is gone');
      return [{ ...TENANT }];
    });
    const { credits, credit_pools, plan, pages_scraped, pages_quota, extract_quota } =
      await service.read(TENANT);
    expect({ plan, pages_scraped, pages_quota, extract_quota }).toEqual({
      plan: 'free',
      pages_scraped: 0,
      pages_quota: 1_000,
      extract_quota: 0,
    });
    expect(credits).toMatchObject({ state: 'unavailable', prior_periods_unresolved: false });
    const unread = { granted: 0, topped_up: 0, remaining: 0 };
    expect(credit_pools).toEqual({ scrape: unread, enrich: unread, kyb: unread });
    const gone = { err: expect.objectContaining({ message: 'the table is gone' }) };
    expect(warned).toEqual([expect.objectContaining(gone), expect.objectContaining(gone)]);
  });

  it('is a 500 if nothing can be read', async () => {
    const { service } = serviceOver(async () => {
      throw new Error('the database is gone');
    });
    await expect(service.read(TENANT)).rejects.toMatchObject({
      code: 'internal',
      message: 'Internal server error',
    });
  });
});
