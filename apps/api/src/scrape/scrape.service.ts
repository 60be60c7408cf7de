import { Injectable } from '@nestjs/common';
import { CREDIT_COSTS, ownWaitsMs, type Format, type ScrapeTask } from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { Tenant } from '@app/store';
import { Bookings } from '../http/bookings.js';
import type { Work } from '../http/idempotency/claimed-requests.js';
import { ImageLinks } from '../http/image-links.js';
import { requireModel } from '../http/model-request.js';
import { PageCall } from '../http/page-call.js';
import { freshCostOf } from '../http/page-reply.js';
import { TargetCheck } from '../http/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { contentOptions, parseFetchOptions } from './parse-fetch-options.js';
import { llmRequest } from './llm-request.js';
import { presentScrape } from './present-scrape.js';
import type { ScrapeRequest } from './scrape.dto.js';
import type { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';

/** Formats that the text of a scanned document goes into. */
const OF_TEXT: ReadonlySet<Format> = new Set(['markdown', 'json', 'summary']);

export interface ScrapeAnswer {
  readonly result: ScrapeResult | ScrapedFile;
  readonly credits: number;
}

/** Whose scrape, and what it is booked under. */
export interface ScrapeCall extends Work {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

@Injectable()
export class ScrapeService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly images: ImageLinks,
    private readonly bookings: Bookings,
  ) {}

  async scrape(
    body: ScrapeRequest,
    { tenant, workId, requestId, signal }: ScrapeCall,
  ): Promise<ScrapeAnswer> {
    const task = this.toTask(body, tenant, requestId);
    this.targets.parse(body.url);
    requireModel(this.runtime.settings, task.llm);
    const page = await this.pages.read(task, 'scrape', signal);
    const screenshot = page.screenshot && (await this.images.srcOf(page.screenshot));
    const credits = page.partialReason === 'empty' ? 0 : CREDIT_COSTS.scrape;
    await this.bookings.book({
      tenantId: tenant.id,
      operation: 'scrape',
      reference: workId,
      requestId,
      credits,
      costMicroUsd: freshCostOf(page),
    });
    return { result: presentScrape(page, body, screenshot), credits };
  }

  private toTask(body: ScrapeRequest, tenant: Tenant, requestId: string): ScrapeTask {
    const fetch = parseFetchOptions(body);
    const llm = llmRequest(body, tenant);
    const { scrapeTimeoutMs, llmTimeoutMs } = this.runtime.settings;
    // What the caller waits for comes on top: a wait of a minute is no reason to be late.
    const timeoutMs = scrapeTimeoutMs + ownWaitsMs(fetch) + (llm ? llmTimeoutMs : 0);
    return {
      requestId,
      tenantId: tenant.id,
      url: body.url,
      formats: body.formats ?? ['markdown'],
      includeHtml: body.includeHtml ?? false,
      ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
      fetch,
      content: contentOptions(body),
      listing: body.extractListing ?? true,
      llm,
      mayLook: (body.formats ?? ['markdown']).some((format) => OF_TEXT.has(format)),
      chunks: false,
      maxAgeMs: body.maxAge ?? 0,
      minAgeMs: body.minAge ?? null,
      upload: this.images.hasStorage,
      deadlineAtMs: Date.now() + timeoutMs,
    };
  }
}
