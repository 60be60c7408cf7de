import { Injectable } from '@nestjs/common';
import {
  newId,
  ownWaitsMs,
  Refusal,
  toResultCascade,
  toResultUnblock,
  type PageDocument,
  type ScrapeReply,
  type ScrapeTask,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { charge, type Tenant } from '@app/store';
import { FetcherCall } from '../http/fetcher-call.js';
import { ImageLinks } from '../http/image-links.js';
import { TargetCheck } from '../http/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { contentOptions, parseFetchOptions } from './parse-fetch-options.js';
import { presentScrape } from './present-scrape.js';
import type { ScrapeRequest, ScrapeResult } from './scrape.dto.js';

const CREDITS_PER_PAGE = 1;

export interface ScrapeAnswer {
  readonly result: ScrapeResult;
  readonly credits: number;
}

type FailedReply = Extract<ScrapeReply, { kind: 'failed' }>;

@Injectable()
export class ScrapeService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
    private readonly fetchers: FetcherCall,
    private readonly images: ImageLinks,
  ) {}

  async scrape(body: ScrapeRequest, tenant: Tenant, signal: AbortSignal): Promise<ScrapeAnswer> {
    const task = this.toTask(body, tenant);
    this.targets.parse(body.url);
    const page = documentOf(await this.fetchers.request('scrape', task, signal), body.url);
    const screenshot = page.screenshot && (await this.images.srcOf(page.screenshot));
    const credits = page.partialReason === 'empty' ? 0 : CREDITS_PER_PAGE;
    if (credits > 0) await this.charge(task, credits);
    return { result: presentScrape(page, body, screenshot), credits };
  }

  private toTask(body: ScrapeRequest, tenant: Tenant): ScrapeTask {
    const fetch = parseFetchOptions(body);
    // What the caller waits for comes on top: a wait of a minute is no reason to be late.
    const timeoutMs = this.runtime.settings.scrapeTimeoutMs + ownWaitsMs(fetch);
    return {
      requestId: newId(),
      tenantId: tenant.id,
      url: body.url,
      formats: body.formats ?? ['markdown'],
      includeHtml: body.includeHtml ?? false,
      ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
      fetch,
      content: contentOptions(body),
      maxAgeMs: body.maxAge ?? 0,
      minAgeMs: body.minAge ?? null,
      upload: this.images.hasStorage,
      deadlineAtMs: Date.now() + timeoutMs,
    };
  }

  private async charge({ requestId, tenantId }: ScrapeTask, credits: number): Promise<void> {
    await charge(this.runtime.store, {
      tenantId,
      operation: 'scrape',
      reference: requestId,
      credits,
    });
    this.runtime.metrics.creditsCharged.inc({ operation: 'scrape' }, credits);
  }
}

/** @throws Refusal */
function documentOf(reply: ScrapeReply, url: string): PageDocument {
  switch (reply.kind) {
    case 'document':
      return reply.document;
    case 'blocked':
      throw new Refusal('blocked_url', { url });
    case 'not_cached':
      throw new Refusal('not_cached');
    case 'unavailable':
      throw new Refusal('browser_unavailable');
    case 'failed':
      throw new Refusal(
        'fetch_failed',
        { problem: reply.problem },
        { body: failureBody(url, reply) },
      );
  }
}

/** A failed scrape still says what was tried. */
function failureBody(
  url: string,
  { cascade, action }: FailedReply,
): Readonly<Record<string, unknown>> {
  return {
    url,
    cascade: toResultCascade(cascade),
    unblock: toResultUnblock(cascade),
    ...(action ? { action } : {}),
  };
}
