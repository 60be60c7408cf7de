import { Injectable } from '@nestjs/common';
import { ApiError, newId, PLAN_LIMITS, type Listing } from '@app/contracts';
import {
  CREDIT_COSTS,
  CreditCharges,
  type ChargeIds,
  type CreditUse,
  type Tenant,
} from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { parseAddressList, type AddressList, type ListedAddress } from '../batch/address-list.js';
import type { BatchAccepted } from '../batch/batch.dto.js';
import { BatchService } from '../batch/batch.service.js';
import { PageCall } from '../fetchers/page-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { itemId } from '../http/idempotency/item-id.js';
import { InjectRuntime } from '../runtime.token.js';
import type { DirectoryRequest, DirectoryResult, DirectoryRow } from './directory.dto.js';
import { DEFAULT_CONCURRENCY, MAX_DIRECTORY_URLS } from './scraper-limits.js';

/** The caller, and the id that its charges derive from. */
export interface DirectoryCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

export type DirectoryAnswer =
  | (CreditUse & { readonly kind: 'rows'; readonly result: DirectoryResult })
  | { readonly kind: 'job'; readonly accepted: BatchAccepted };

/**
 * Pages that each worker fetches while the caller waits. Most pages take a second or two; a longer list would outlast the
 * patience of clients and proxies, and becomes a job.
 */
const WAITED_PAGES_PER_WORKER = 10;
const NO_LISTING = 'No listing was found on the page';

type Outcome = Pick<DirectoryRow, 'ok' | 'listing' | 'error'> & CreditUse;

@Injectable()
export class DirectoryService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log'>,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly batches: BatchService,
    private readonly charges: CreditCharges,
  ) {}

  /** @throws ApiError */
  async scrape(body: DirectoryRequest, call: DirectoryCall): Promise<DirectoryAnswer> {
    const list = parseAddressList(body.urls, this.targets, MAX_DIRECTORY_URLS);
    const workers = workersOf(body, call.tenant);
    const isLong = list.addresses.length > workers * WAITED_PAGES_PER_WORKER;
    if (body.async === true || isLong) return this.startJob(body, call, workers);
    return this.wait(list, call, workers);
  }

  /** A job like an async batch, of which each page is read for its listing. */
  private async startJob(
    { urls }: DirectoryRequest,
    { tenant, chargeId }: DirectoryCall,
    workers: number,
  ): Promise<DirectoryAnswer> {
    const batch = { urls, async: true, formats: [], extractListing: true };
    const extras = { workers, maxUrls: MAX_DIRECTORY_URLS, skipsInvalid: true };
    const { url, total, pages } = await this.batches.startJob(batch, tenant, chargeId, extras);
    const message = `Directory of ${pages} pages queued. Poll GET /v1/jobs/${chargeId}; each document of GET /v1/crawl/${chargeId}/results has a listing.`;
    const accepted = { jobId: chargeId, status: 'queued', url, total, pages, message } as const;
    return { kind: 'job', accepted };
  }

  private async wait(
    { total, addresses, refused }: AddressList,
    call: DirectoryCall,
    workers: number,
  ): Promise<DirectoryAnswer> {
    const rows = new Map<number, DirectoryRow>();
    const used: CreditUse[] = [];
    for (const { place, url, apiError } of refused)
      rows.set(place, { url, ok: false, error: apiError.message });
    const waiting = [...addresses];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { credits, remaining, ...row } = await this.read(next, call);
        used.push({ credits, remaining });
        for (const place of next.places) rows.set(place, { url: next.url, ...row });
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const results = Array.from({ length: total }, (_, place) => rows.get(place)).filter(
      (row): row is DirectoryRow => row !== undefined,
    );
    const succeeded = results.filter(({ ok }) => ok).length;
    const result = { results, total, succeeded, failed: total - succeeded };
    const spent = await this.charges.sum({ ...call, operation: 'scrape' }, used);
    return { kind: 'rows', result, ...spent };
  }

  /** A failure is a value, except that the caller is gone or that nothing can be paid. */
  private async read(
    { url, parsed }: ListedAddress,
    { tenant, chargeId, signal }: DirectoryCall,
  ): Promise<Outcome> {
    const ids = { chargeId: itemId(chargeId, parsed.href), requestId: newId() };
    const charge = { tenant, operation: 'scrape', ...ids } as const;
    const outputs = { listing: true, llm: null, allowVision: false, chunks: false };
    try {
      const { value, ...spent } = await this.charges.charged(
        charge,
        CREDIT_COSTS.scrape,
        async () => {
          const task = this.pages.taskFor(url, { tenant, ...ids }, outputs);
          const { listing } = await this.pages.read(task, 'scrape', signal);
          return { value: listing ?? null, credits: CREDIT_COSTS.scrape, costMicroUsd: 0 };
        },
      );
      return value === null
        ? { ok: false, error: NO_LISTING, ...spent }
        : { ok: true, listing: withoutProvenance(value), ...spent };
    } catch (error) {
      const apiError = error instanceof ApiError ? error : new ApiError('internal');
      if (apiError.code === 'client_gone' || apiError.code === 'draining') throw apiError;
      if (apiError.code === 'internal')
        this.runtime.log.error({ err: error }, 'a page of a directory failed');
      return { ok: false, error: apiError.message, credits: 0, remaining: null };
    }
  }
}

function workersOf({ concurrency }: DirectoryRequest, { plan }: Tenant): number {
  return Math.min(concurrency ?? DEFAULT_CONCURRENCY, PLAN_LIMITS[plan].batchWorkers);
}

/** Where each field was found is part of POST /v1/extract. */
function withoutProvenance({ _provenance: _, ...listing }: Listing): Omit<Listing, '_provenance'> {
  return listing;
}
