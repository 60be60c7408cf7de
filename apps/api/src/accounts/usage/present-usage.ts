import { LEGACY_PLANS, PLAN_LIMITS } from '@app/contracts';
import type { PoolBalance, Usage } from '@app/accounts';
import type { CreditPoolView, UsageRecord } from './usage.dto.js';

const MICRO = 1_000_000;

/** Every figure is a number (specification: Usage record): unlimited is the largest safe integer. */
const boundOf = (quota: number | null): number => quota ?? Number.MAX_SAFE_INTEGER;

/** @param storedBytes what the tenant stores now */
export function presentUsage(usage: Usage, storedBytes: number): UsageRecord {
  const { plan, pagesScraped, llmExtractions, costMicroUsd, credits, pools } = usage;
  return {
    plan: LEGACY_PLANS[plan],
    pages_scraped: pagesScraped,
    pages_quota: boundOf(usage.pagesQuota),
    llm_extractions: llmExtractions,
    extract_quota: boundOf(usage.extractQuota),
    cost_usd: costMicroUsd / MICRO,
    year_month: credits.period,
    credits: {
      state: credits.state,
      period: credits.period,
      prior_periods_unresolved: credits.priorPeriodsUnresolved,
    },
    credit_pools: {
      scrape: presentPool(pools.scrape),
      enrich: presentPool(pools.enrich),
      kyb: presentPool(pools.kyb),
    },
    storage: { bytes: storedBytes, limit: boundOf(PLAN_LIMITS[plan].storageBytes) },
  };
}

function presentPool({ granted, toppedUp, remaining }: PoolBalance): CreditPoolView {
  return { granted, topped_up: toppedUp, remaining: boundOf(remaining) };
}
