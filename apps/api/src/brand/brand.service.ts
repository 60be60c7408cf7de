import { Injectable } from '@nestjs/common';
import {
  CREDIT_COSTS,
  Refusal,
  type BrandReading,
  type BrandReply,
  type BrandTask,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { Tenant } from '@app/store';
import { CompanyGraph, factsOfBrand } from '../company/company-graph.js';
import { Bookings } from '../http/bookings.js';
import { askInTurn, homepagesOf } from '../http/company-site.js';
import { FetcherCall } from '../http/fetcher-call.js';
import type { Work } from '../http/idempotency/claimed-requests.js';
import { TargetCheck } from '../http/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import type { BrandRequest, BrandResult } from './brand.dto.js';
import { presentBrand } from './present-brand.js';

export interface BrandAnswer {
  readonly result: BrandResult;
  readonly credits: number;
}

/** Whose brand call, and what it is booked under. */
export interface BrandCall extends Work {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

@Injectable()
export class BrandService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly bookings: Bookings,
    private readonly graph: CompanyGraph,
  ) {}

  /** @throws Refusal */
  async brand(body: BrandRequest, call: BrandCall): Promise<BrandAnswer> {
    const [first, second] = homepagesOf(body, this.targets);
    const task = this.toTask(first, call);
    const reply = await askInTurn(task, second, (one) =>
      this.fetchers.request('brand', one, call.signal),
    );
    const brand = brandOf(reply, task);
    // What was asked is no finding: the domain alone is no data.
    const credits = Object.keys(brand.provenance).length === 0 ? 0 : CREDIT_COSTS.brand;
    await this.bookings.book({
      tenantId: call.tenant.id,
      operation: 'brand',
      reference: call.workId,
      requestId: call.requestId,
      credits,
      costMicroUsd: 0,
    });
    if (credits > 0) this.graph.remember(factsOfBrand(brand));
    return { result: presentBrand(brand), credits };
  }

  private toTask(url: string, { tenant, requestId }: BrandCall): BrandTask {
    const deadlineAtMs = Date.now() + this.runtime.settings.brandTimeoutMs;
    return { requestId, tenantId: tenant.id, url, deadlineAtMs };
  }
}

/** @throws Refusal */
function brandOf(reply: BrandReply, { url }: BrandTask): BrandReading {
  switch (reply.kind) {
    case 'brand':
      return reply.brand;
    case 'blocked':
      throw new Refusal('blocked_url', { url: reply.url });
    case 'failed':
      throw new Refusal('brand_fetch_failed', { problem: reply.problem }, { body: { url } });
  }
}
