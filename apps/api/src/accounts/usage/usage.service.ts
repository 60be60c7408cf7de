import { Injectable } from '@nestjs/common';
import { ApiError, LEGACY_PLANS, PLAN_LIMITS } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { readUsage, utcDay, type Tenant, type PoolBalance, type Usage } from '@app/accounts';
import { readStoredBytes } from '@app/jobs';
import { InjectRuntime } from '../../runtime.token.js';
import type { UsageRecord, CreditPoolView } from './usage.dto.js';

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

@Injectable()
export class UsageService {
  constructor(@InjectRuntime() private readonly runtime: Pick<Runtime, 'database' | 'log'>) {}

  /** @throws ApiError if the tenant was deleted after its key was checked */
  async read({ id }: Tenant): Promise<UsageRecord> {
    const { database, log } = this.runtime;
    const onError = (err: unknown): void =>
      log.warn({ err, tenantId: id }, 'the credit ledger could not be read');
    const usage = await readUsage(database, id, { onError }).catch((cause: unknown) => {
      throw new ApiError('internal', {}, { cause });
    });
    if (!usage) throw new ApiError('tenant_not_found');
    const stored = await readStoredBytes(database, id, utcDay()).catch((err: unknown) => {
      log.warn({ err, tenantId: id }, 'what a tenant stores could not be read');
      return { bytes: 0 };
    });
    return presentUsage(usage, stored.bytes);
  }
}
