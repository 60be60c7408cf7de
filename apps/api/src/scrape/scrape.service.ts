import { Injectable } from '@nestjs/common';
import { BrokerUnavailableError, QueueFullError, RequestTimeoutError } from '@app/broker';
import {
  newId,
  Refusal,
  toResultCascade,
  type CascadeReport,
  type PageDocument,
  type ScrapeReply,
  type ScrapeTask,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { charge, type Tenant } from '@app/store';
import { TargetCheck } from '../http/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import { presentScrape } from './present-scrape.js';
import type { ScrapeRequest, ScrapeResult } from './scrape.dto.js';

/** A fetcher answers by the deadline with what it has; this much later nobody has the task. */
const REPLY_GRACE_MS = 500;
const RETRY_AFTER_SECONDS = 5;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const CREDITS_PER_PAGE = 1;

export interface ScrapeAnswer {
  readonly result: ScrapeResult;
  readonly credits: number;
}

@Injectable()
export class ScrapeService {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly targets: TargetCheck,
  ) {}

  async scrape(body: ScrapeRequest, tenant: Tenant, signal: AbortSignal): Promise<ScrapeAnswer> {
    this.targets.parse(body.url);
    const task = this.toTask(body, tenant);
    const reply = (await this.request(task, signal)) as ScrapeReply;
    const page = await this.documentOf(reply, body.url);
    const credits = page.partialReason === 'empty' ? 0 : CREDITS_PER_PAGE;
    if (credits > 0) await this.charge(task, credits);
    return { result: presentScrape(page, body), credits };
  }

  private toTask(body: ScrapeRequest, tenant: Tenant): ScrapeTask {
    return {
      requestId: newId(),
      tenantId: tenant.id,
      url: body.url,
      formats: body.formats ?? ['markdown'],
      includeHtml: body.includeHtml ?? false,
      ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
      deadlineAtMs: Date.now() + this.runtime.settings.scrapeTimeoutMs,
    };
  }

  private async request(task: ScrapeTask, signal: AbortSignal): Promise<unknown> {
    const timeoutMs = task.deadlineAtMs - Date.now() + REPLY_GRACE_MS;
    try {
      return await this.runtime.queue.request('scrape', task, { timeoutMs, signal });
    } catch (cause) {
      const isUnavailable =
        cause instanceof QueueFullError ||
        cause instanceof BrokerUnavailableError ||
        cause instanceof RequestTimeoutError;
      if (signal.aborted) throw new Refusal('client_gone', {}, { cause });
      if (!isUnavailable) throw cause;
      throw new Refusal(
        'scrape_unavailable',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
        { cause },
      );
    }
  }

  private async documentOf(reply: ScrapeReply, url: string): Promise<PageDocument> {
    switch (reply.kind) {
      case 'document':
        return reply.document;
      case 'blob':
        return this.takeBlob(reply.key);
      case 'blocked':
        throw new Refusal('blocked_url', { url });
      case 'failed':
        throw new Refusal(
          'fetch_failed',
          { problem: reply.problem },
          { body: failureBody(url, reply.cascade) },
        );
    }
  }

  private async takeBlob(key: string): Promise<PageDocument> {
    const { blobs, log } = this.runtime;
    const text = await blobs.read(key, undefined, MAX_REPLY_BYTES);
    blobs
      .delete(key)
      .catch((err: unknown) => log.warn({ err, key }, 'a reply was read but not deleted'));
    return JSON.parse(text.toString('utf8')) as PageDocument;
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

/** A failed scrape still says what was tried. */
function failureBody(url: string, cascade: CascadeReport): Readonly<Record<string, unknown>> {
  return { url, cascade: toResultCascade(cascade) };
}
