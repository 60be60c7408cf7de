import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { newId, PLAN_LIMITS, ApiError, JOB_FORMATS, type JobScrape } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { createBatch, type BatchPage, type CrawlOptions } from '@app/jobs';
import {
  CreditCharges,
  CREDIT_COSTS,
  type Tenant,
  type ChargedCall,
  type ChargeIds,
} from '@app/accounts';
import { itemId } from '../http/idempotency/item-id.js';
import { presentApiError } from '../http/api-error.filter.js';
import { admitJob, notStarted } from '../jobs/admit-job.js';
import { ProfileCheck } from '../profiles/profile-check.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { llmRequest, ScrapeService } from '../scrape/scrape.service.js';
import {
  parseFetchOptions,
  contentOptions,
  requireUnsigned,
  respectedUse,
} from '../scrape/parse-fetch-options.js';
import { formatNames, wantedParts } from '../scrape/format-entries.js';
import type { ScrapeRequest } from '../scrape/scrape.dto.js';
import {
  parseAddressList,
  errorOfList,
  type ListedAddress,
  type RejectedUrl,
} from './address-list.js';
import { AddressRun, type ItemAnswer, AnswerMemory } from './address-run.js';
import { SYNC_ONLY, type BatchAccepted, type BatchRequest } from './batch.dto.js';
import { writeAnswers, type BatchForm } from './write-answers.js';
import { invalidRequest } from '../http/invalid-request.js';

/** Scrape options for the pages of an async batch. @throws ApiError that names an option only a sync batch has */
export function jobOptions(body: BatchRequest): CrawlOptions {
  const field = SYNC_ONLY.find((name) => isSet(body[name]));
  if (field !== undefined) throw syncOnly(`\`${field}\``);
  return {
    // No links are followed.
    maxDepth: 0,
    includePaths: [],
    excludePaths: [],
    allowBackwardLinks: false,
    sitemap: 'skip',
    ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
    ...respectedUse(body),
    scrape: jobScrape(body),
    ...(body.index ? { index: true } : {}),
  };
}

/** An empty list of actions and `maxAge: 0` are what a job does anyway. */
function isSet(value: unknown): boolean {
  const isNone = Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== null && value !== 0 && !isNone;
}

/** The defaults of a sync batch: `async` does not change the content. */
function jobScrape(body: BatchRequest): JobScrape {
  const formats = (formatNames(body.formats) ?? ['markdown']).map(jobFormat);
  const isSourceMissing = body.includeHtml === true && !formats.includes('rawHtml');
  return {
    formats: isSourceMissing ? [...formats, 'rawHtml'] : formats,
    listing: body.extractListing ?? true,
    listingProvenance: body.listingProvenance ?? false,
    fetch: parseFetchOptions(body),
    content: contentOptions(body),
    ...wantedParts(body),
  };
}

function jobFormat(format: string): JobScrape['formats'][number] {
  const known = JOB_FORMATS.find((one) => one === format);
  if (known === undefined) throw syncOnly(`format ${format}`);
  return known;
}

function syncOnly(what: string): Error {
  return invalidRequest(`${what} does not go with \`async: true\`. Leave out one of them`);
}

/** @throws ApiError for options that only an async batch has */
function refuseJobFields({ webhook, webhookUrl, index }: BatchRequest): void {
  if (index === true)
    throw invalidRequest('`index` needs `async: true`: the pages of a sync batch are not stored');
  if (webhook == null && webhookUrl == null) return;
  const name = webhook == null ? 'webhookUrl' : 'webhook';
  throw invalidRequest(
    `\`${name}\` needs \`async: true\`: a sync batch returns its results in the response`,
  );
}

const MIB = 1024 * 1024;
const MEMORY = { maxBytes: 128 * MIB, maxBytesPerBatch: 16 * MIB };
/** Proxies cut connections that are silent for a minute, as during a page with a long wait. */
const TICK_MS = 15_000;
const HOUR_MS = 3_600_000;
const unavailable = notStarted('batch_unavailable');

/** The caller of a batch, and the id its charges derive from. */
export interface BatchCall {
  readonly tenant: Tenant;
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Options of a batch job beside its body. */
export interface BatchExtras extends Pick<CrawlOptions, 'v2'> {
  /** Pages in flight at a time; the plan bounds them. */
  readonly workers?: number;
  /** Most entries of the list. @default 100 */
  readonly maxUrls?: number;
  /** Entries that are not fetchable URLs are left out instead of failing the request. */
  readonly skipsInvalid?: boolean;
}

export interface QueuedBatch {
  /** The first of its pages. */
  readonly url: string;
  /** Entries of the list. */
  readonly total: number;
  /** Those without duplicates. */
  readonly pages: number;
  /** Fewer than `pages` where credits do not cover more. */
  readonly paidPages: number;
  /** Entries that were left out. */
  readonly refused: readonly RejectedUrl[];
}

interface Call extends BatchCall {
  /** No page starts after this time. */
  readonly beginUntilMs: number;
}

@Injectable()
export class BatchService {
  private readonly memory = new AnswerMemory(MEMORY);

  constructor(
    @InjectRuntime()
    private readonly runtime: Pick<Runtime, 'database' | 'settings' | 'log' | 'metrics' | 'queue'>,
    private readonly targets: TargetCheck,
    private readonly scrapes: ScrapeService,
    private readonly charges: CreditCharges,
    private readonly profiles: ProfileCheck,
  ) {}

  /**
   * The response body, generated as it is read. Every URL is handled like a scrape.
   * @throws ApiError if the request as a whole is invalid, or the credits do not cover any page
   */
  async answers(body: BatchRequest, form: BatchForm, caller: BatchCall): Promise<Readable> {
    const { tenant, signal } = caller;
    const { settings } = this.runtime;
    refuseJobFields(body);
    const { total, addresses, refused } = parseAddressList(body.urls, this.targets);
    // Problems common to all pages are reported once.
    const fetch = requireUnsigned(parseFetchOptions(body), settings);
    await this.profiles.requireUsable(tenant, fetch);
    respectedUse(body);
    llmRequest({ ...body, url: '' }, { tenant, settings });
    const call = { ...caller, beginUntilMs: performance.now() + settings.batchTimeoutMs };
    const first = await this.reserveFirst(addresses, caller);
    const memory = this.memory.share();
    const run = new AddressRun(addresses, {
      workers: PLAN_LIMITS[tenant.plan].batchWorkers,
      memory,
      signal,
      work: (address) => {
        first.begin();
        return this.answerOf(body, address, call);
      },
      tickMs: TICK_MS,
    });
    const source = {
      total,
      refused: refused.map(({ place, url, apiError }) => ({
        place,
        answer: refusedItem(url, apiError),
      })),
      run,
      memory,
      signal,
    };
    const answer = Readable.from(writeAnswers(form, source), { objectMode: false });
    // However it ends, also if it was never read.
    answer.once('close', () => first.release());
    return answer;
  }

  /**
   * Each page makes its own reservation when it starts, so credits may run out between two. A batch whose
   * credits do not cover its first page fails as a whole: that page uses the reservation made here.
   * @throws ApiError
   */
  private async reserveFirst(
    [first]: readonly ListedAddress[],
    caller: BatchCall,
  ): Promise<{ begin(): void; release(): void }> {
    if (!first) return { begin: () => undefined, release: () => undefined };
    const { tenant, id } = caller;
    const charge: ChargedCall = { tenant, operation: 'scrape', ...workOf(first, id) };
    await this.charges.reserve(charge, CREDIT_COSTS.scrape);
    let isBegun = false;
    return {
      begin: () => {
        isBegun = true;
      },
      release: () => {
        if (!isBegun) void this.charges.release(charge, new ApiError('client_gone'));
      },
    };
  }

  private async answerOf(
    body: BatchRequest,
    address: ListedAddress,
    { tenant, id, signal, beginUntilMs }: Call,
  ): Promise<ItemAnswer> {
    const { url } = address;
    try {
      if (performance.now() > beginUntilMs) throw new ApiError('batch_timeout');
      const call = { tenant, ...workOf(address, id), signal };
      const { result, credits } = await this.scrapes.scrape(scrapeOf({ ...body, url }), call);
      return { rest: restOf(result), ok: true, credits };
    } catch (error) {
      const apiError = error instanceof ApiError ? error : new ApiError('internal');
      if (apiError.code === 'internal') {
        this.runtime.log.error({ err: error }, 'a page of a batch failed with an internal error');
      }
      return refusedItem(url, apiError);
    }
  }

  /**
   * Specification: POST /v1/batch with `async`.
   * @param id of the job; a repeated request with the same id gets the same job
   */
  async start(body: BatchRequest, tenant: Tenant, id: string): Promise<BatchAccepted> {
    const { url, total, pages, paidPages } = await this.startJob(body, tenant, id);
    return {
      jobId: id,
      status: 'queued',
      url,
      total,
      pages,
      message: `Batch of ${pagesText(paidPages, pages)} queued. Poll GET /v1/jobs/${id} for its state.`,
    };
  }

  /** The same, for callers with a response of their own. @throws ApiError */
  async startJob(
    body: BatchRequest,
    tenant: Tenant,
    id: string,
    { workers, maxUrls, skipsInvalid = false, v2 }: BatchExtras = {},
  ): Promise<QueuedBatch> {
    const { settings, queue, database, metrics } = this.runtime;
    const options = { ...jobOptions(body), ...(v2 ? { v2 } : {}) };
    await this.profiles.requireUsable(tenant, requireUnsigned(options.scrape.fetch, settings));
    const { total, addresses, refused } = parseAddressList(body.urls, this.targets, maxUrls);
    if (refused.length > 0 && !skipsInvalid) throw errorOfList(refused);
    const webhook = body.webhook ?? body.webhookUrl ?? null;
    const webhookUrl = webhook === null ? null : (await this.targets.vet(webhook)).href;
    await queue.ping().catch(unavailable);
    const pages = addresses.map(pageOf);
    const { batchWorkers } = PLAN_LIMITS[tenant.plan];
    await admitJob(database, tenant);
    const made = await createBatch(database, {
      id,
      tenant,
      pages,
      workers: Math.min(workers ?? batchWorkers, batchWorkers),
      options,
      webhookUrl,
      deadlineAt: new Date(Date.now() + settings.crawlDeadlineHours * HOUR_MS),
      hostWindowStart: settings.hostWindowStart,
    }).catch(unavailable);
    if (made.kind === 'unpaid') throw this.charges.unpaid(made);
    if (made.isNew) metrics.jobsCreated.inc({ type: 'batch' });
    const url = pages[0]?.url ?? '';
    return { url, total, pages: pages.length, paidPages: made.pageLimit, refused };
  }
}

/** Each page is charged separately, and once, however often the batch is retried. */
function workOf({ parsed }: ListedAddress, id: string): ChargeIds {
  return { chargeId: itemId(id, parsed.href), requestId: newId() };
}

function pagesText(paid: number, pages: number): string {
  if (paid >= pages) return `${pages} pages`;
  return `${pages} pages, of which ${paid} are scraped because your credits do not cover more,`;
}

function scrapeOf(body: BatchRequest & { url: string }): ScrapeRequest {
  const { urls: _urls, async: _async, webhook: _webhook, webhookUrl: _alias, ...scrape } = body;
  return scrape;
}

/** The item of a failed URL; `ok` and `url` are always set, whatever the error's fields are. */
function refusedItem(url: string, apiError: ApiError): ItemAnswer {
  const item = { url, ok: false, ...presentApiError(apiError), code: apiError.code };
  return { rest: restOf(item), ok: false, credits: 0 };
}

/** Every item has fields, so a comma can follow the index. */
function restOf(item: object): Buffer {
  return Buffer.from(JSON.stringify(item).slice(1));
}

/** Characters that the database cannot store, or that would split a line. */
const UNSAFE = /[\u0000-\u0020\u007f]/;

/**
 * Stored as sent if possible, so that results are found by it. Its key distinguishes the same URLs as
 * a sync batch, unlike the key of a crawled page: tracking parameters and fragments are the caller's
 * choice.
 */
function pageOf({ url, parsed, places }: ListedAddress): BatchPage {
  return {
    urlKey: hash('sha256', parsed.href, 'hex').slice(0, 32),
    url: url.isWellFormed() && !UNSAFE.test(url) ? url : parsed.href,
    host: parsed.host,
    position: places[0] ?? 0,
  };
}
