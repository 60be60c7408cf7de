import { CREDIT_COSTS } from '@app/accounts';
import { startTestApi, type StartedApi } from '../../../test/started-api.js';
import { presentPlans } from './present-pricing.js';
import type { PlanView, PricingView } from './pricing.dto.js';

const UNPAID = { kind: 'none', price_usd: null, credits: null };
const block = (price_usd: number, credits: number) => ({ kind: 'block', price_usd, credits });

describe('GET /v1/pricing', () => {
  let api: StartedApi;
  let pricing: PricingView;
  let paths: object;
  beforeAll(async () => {
    api = await startTestApi();
    ({ paths } = (await (await fetch(`${api.url}/openapi.json`)).json()) as { paths: object });
    pricing = (await api.client.call('GET', '/v1/pricing')).body as PricingView;
  });
  afterAll(() => api.stop());

  it('needs a key', async () => {
    expect((await fetch(`${api.url}/v1/pricing`)).status).toBe(401);
  });

  /** The specification's table (Limits: Plans), column by column. */
  it.each<[keyof PlanView, readonly unknown[]]>([
    ['plan', ['free', 'hobby', 'pro', 'scale', 'custom']],
    ['legacy_plan', ['free', 'starter', 'pro', 'business', 'enterprise']],
    ['price_per_month_usd', [0, 12, 59, 239, null]],
    ['price_per_month_billed_yearly_usd', [0, 10, 49, 199, null]],
    ['credits_per_month', [1_000, 5_000, 100_000, 500_000, null]],
    ['enrich_credits_per_month', [1_000, 5_000, 100_000, 500_000, null]],
    ['kyb_credits_per_month', [0, 500, 5_000, 25_000, null]],
    ['requests_per_minute', [10, 60, 200, 600, 3_000]],
    ['concurrent_requests', [2, 5, 50, 100, null]],
    [
      'overage',
      [
        UNPAID,
        block(7, 1_500),
        block(39, 35_000),
        block(147, 175_000),
        { ...UNPAID, kind: 'agreed' },
      ],
    ],
    ['screenshots_per_day', [10, 100, 1_000, 5_000, 50_000]],
  ])('shows %s of every plan', (field, expected) => {
    expect(pricing.plans.map((plan) => plan[field])).toEqual(expected);
  });

  it('shows the workers of a batch where the specification has a figure', () => {
    expect(pricing.plans.slice(0, 4).map((plan) => plan.batch_workers)).toEqual([2, 5, 10, 20]);
  });

  it('prices exactly the endpoints that are served', () => {
    const priced = pricing.endpoints.map(({ path }) => path);
    expect(priced).toEqual(expect.arrayContaining(['/v1/scrape', '/v1/enrich/website']));
    expect(priced.filter((path) => !(path in paths))).toEqual([]);
    const operations = Object.keys(CREDIT_COSTS).filter((name) => `/v1/${name}` in paths);
    expect(operations.filter((name) => !priced.includes(`/v1/${name}`))).toEqual([]);
  });

  it('uses the prices that calls are charged by', () => {
    const scrape = pricing.endpoints.find(({ path }) => path === '/v1/scrape');
    expect(scrape).toEqual({
      method: 'POST',
      path: '/v1/scrape',
      credits: CREDIT_COSTS.scrape,
      pool: 'scrape',
      unit: 'page',
      note: null,
    });
  });

  it('says what an unchanged page of a recrawl costs', () => {
    const crawl = pricing.endpoints.find(({ path }) => path === '/v1/crawl');
    expect(crawl).toMatchObject({ credits: 1, unit: 'page' });
    expect(crawl?.note).toMatch(/unchanged `since` an earlier crawl.* costs 0\.1 credits/);
  });

  it('names the pool that each endpoint draws on first, and no unused pool', () => {
    const pools = new Map(pricing.endpoints.map(({ path, pool }) => [path, pool]));
    expect([pools.get('/v1/enrich/website'), pools.get('/v1/brand')]).toEqual(['enrich', 'enrich']);
    expect([...new Set(pools.values())].sort()).toEqual(['enrich', 'scrape']);
  });

  it('mentions search only if it is served', () => {
    const named = (plans: readonly PlanView[]) =>
      plans.map((plan) => Object.keys(plan).filter((name) => name.startsWith('search')));
    const [without, served] = [presentPlans(() => false), presentPlans(() => true)];
    expect(new Set(named(without).flat())).toEqual(new Set());
    expect(served.map(({ search }) => search)).toEqual([false, false, true, true, true]);
    expect(served.map(({ search_results }) => search_results)).toEqual([20, 20, 100, 100, 100]);
    expect(pricing.plans).toEqual('/v1/search' in paths ? served : without);
  });
});
