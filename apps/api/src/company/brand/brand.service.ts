import { Injectable } from '@nestjs/common';
import { ApiError } from '@app/contracts';
import type { BrandReading, BrandReply, BrandTask } from '@app/company';
import type { Runtime } from '@app/runtime';
import {
  type Tenant,
  CreditCharges,
  type CreditUse,
  type ChargeIds,
  CREDIT_COSTS,
} from '@app/accounts';
import { GraphWriter, observationOfBrand } from '@app/graph';
import { requestInTurn, homepagesOf } from '../company-site.js';
import { FetcherCall } from '../../fetchers/fetcher-call.js';
import { TargetCheck } from '../../fetchers/target-check.js';
import { InjectRuntime } from '../../runtime.token.js';
import type { BrandRequest, BrandResult } from './brand.dto.js';
import { presentBrand } from './present-brand.js';

export interface BrandAnswer extends CreditUse {
  readonly result: BrandResult;
}

/** The caller of a brand request, and its chargeId. */
export interface BrandCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** Of fetching the homepage and its style sheets, and reading them. */
const MAX_BRAND_MS = 30_000;

@Injectable()
export class BrandService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
    private readonly graph: GraphWriter,
  ) {}

  /** @throws ApiError */
  async brand(body: BrandRequest, call: BrandCall): Promise<BrandAnswer> {
    const [first, second] = homepagesOf(body, this.targets);
    const task = this.toTask(first, call);
    const charge = { ...call, operation: 'brand' } as const;
    const { value, ...spent } = await this.charges.charged(charge, CREDIT_COSTS.brand, async () => {
      const reply = await requestInTurn(task, second, (one) =>
        this.fetchers.request('brand', one, call.signal),
      );
      const brand = brandOf(reply, task);
      return { value: brand, credits: hasFound(brand) ? CREDIT_COSTS.brand : 0, costMicroUsd: 0 };
    });
    if (hasFound(value)) await this.graph.remember(task.tenantId, observationOfBrand(value));
    return { result: presentBrand(value), ...spent };
  }

  private toTask(url: string, { tenant, requestId }: BrandCall): BrandTask {
    const deadlineAtMs = Date.now() + Math.min(MAX_BRAND_MS, this.runtime.settings.scrapeTimeoutMs);
    return { requestId, tenantId: tenant.id, plan: tenant.plan, url, deadlineAtMs };
  }
}

/** The requested domain is no result: with the domain alone there is no data. */
function hasFound({ provenance }: BrandReading): boolean {
  return Object.keys(provenance).length > 0;
}

/** @throws ApiError */
function brandOf(reply: BrandReply, { url }: BrandTask): BrandReading {
  switch (reply.kind) {
    case 'brand':
      return reply.brand;
    case 'blocked':
      throw new ApiError('blocked_url', { url: reply.url });
    case 'failed':
      throw new ApiError('brand_fetch_failed', { problem: reply.problem }, { body: { url } });
  }
}
