import { LEGACY_PLANS, PLAN_LIMITS, PLANS, type Overage, type Plan } from '@app/contracts';
import { CREDIT_COSTS, OPERATION_POOLS, type CreditOperation } from '@app/accounts';
import { UNCHANGED_PER_CREDIT } from '@app/jobs';
import type { EndpointPriceView, OverageView, PlanView } from './pricing.dto.js';

interface Unit {
  readonly paths: readonly string[];
  readonly unit: string;
  readonly note?: string;
}

export const SEARCH_PATH = '/v1/search';

/** The unit each endpoint counts (specification: Limits, "Credit cost per call"). Prices are in CREDIT_COSTS only. */
const UNITS: Readonly<Record<CreditOperation, Unit>> = {
  scrape: { paths: ['/v1/scrape', '/v1/scrapers/directory'], unit: 'page' },
  crawl: {
    paths: ['/v1/crawl'],
    unit: 'page',
    note: `A page that is unchanged \`since\` an earlier crawl, and was not rendered, costs ${CREDIT_COSTS.crawl / UNCHANGED_PER_CREDIT} credits. The same for the crawls of /v1/sites.`,
  },
  batch: { paths: ['/v1/batch'], unit: 'page' },
  map: { paths: ['/v1/map'], unit: 'call' },
  search: { paths: [SEARCH_PATH], unit: '10 results' },
  scraper: {
    paths: ['/v1/scrapers/maps', '/v1/scrapers/reviews', '/v1/scrapers/listings'],
    unit: 'row',
  },
  pull: {
    paths: ['/v1/pull'],
    unit: 'row',
    note: 'Some connectors return several rows for a credit; GET /v1/connectors has the price of each.',
  },
  feed: {
    paths: ['/v1/feeds'],
    unit: 'row',
    note: 'New and changed rows, by the price of the connector; ten known rows count as one.',
  },
  extract: {
    paths: ['/v1/extract'],
    unit: 'page',
    note: 'Without `schema` it is free. Model usage is charged in addition.',
  },
  screenshot: { paths: ['/v1/screenshot'], unit: 'call' },
  parse: { paths: ['/v1/parse'], unit: 'document' },
  brand: { paths: ['/v1/brand'], unit: 'call' },
  resolve: { paths: ['/v1/resolve'], unit: 'call' },
  enrich: {
    paths: ['/v1/enrich', '/v1/enrich/website'],
    unit: 'call',
    note: 'Provider usage is charged in addition on paid plans.',
  },
};

/** Whether a path is served for POST. */
type IsServed = (path: string) => boolean;

function presentPlan(plan: Plan, isServed: IsServed): PlanView {
  const limits = PLAN_LIMITS[plan];
  const search = { search: limits.hasSearch, search_results: limits.searchResults };
  return {
    plan,
    legacy_plan: LEGACY_PLANS[plan],
    price_per_month_usd: limits.priceMonthUsd,
    price_per_month_billed_yearly_usd: limits.priceYearMonthUsd,
    credits_per_month: limits.monthlyCredits,
    enrich_credits_per_month: limits.enrichCredits,
    kyb_credits_per_month: limits.kybCredits,
    overage: presentOverage(limits.overage),
    requests_per_minute: limits.requestsPerMinute,
    concurrent_requests: limits.concurrentRequests,
    ...(isServed(SEARCH_PATH) ? search : {}),
    screenshots_per_day: limits.screenshotsPerDay,
    batch_workers: limits.batchWorkers,
    map_links: limits.mapLinks,
  };
}

/** An endpoint that is not served is not listed among a plan's features. */
export const presentPlans = (isServed: IsServed): readonly PlanView[] =>
  PLANS.map((plan) => presentPlan(plan, isServed));

function presentOverage(overage: Overage | 'agreed' | null): OverageView {
  if (overage === null) return { kind: 'none', price_usd: null, credits: null };
  if (overage === 'agreed') return { kind: 'agreed', price_usd: null, credits: null };
  return { kind: 'block', price_usd: overage.priceUsd, credits: overage.credits };
}

/** Only endpoints that are served. */
export function presentPrices(isServed: IsServed): readonly EndpointPriceView[] {
  return (Object.keys(UNITS) as CreditOperation[]).flatMap((operation) => {
    const { paths, unit, note = null } = UNITS[operation];
    const credits = CREDIT_COSTS[operation];
    const pool = OPERATION_POOLS[operation];
    return paths
      .filter(isServed)
      .map((path) => ({ method: 'POST', path, credits, pool, unit, note }));
  });
}
