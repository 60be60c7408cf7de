import { Injectable } from '@nestjs/common';
import {
  DEFAULT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  newId,
  type PageDocument,
  type ScrapeTask,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import type { ChargedOperation, Tenant } from '@app/store';
import { InjectRuntime } from '../runtime.token.js';
import { Bookings } from './bookings.js';
import { FetcherCall } from './fetcher-call.js';
import { documentOf } from './page-reply.js';

/** Has a fetcher read the page or document at an address. */
@Injectable()
export class PageCall {
  constructor(
    @InjectRuntime() private readonly runtime: Runtime,
    private readonly fetchers: FetcherCall,
    private readonly bookings: Bookings,
  ) {}

  /** A task without wishes of its own about the fetch. The model's time comes on top. */
  taskFor(
    url: string,
    tenant: Tenant,
    asked: Pick<ScrapeTask, 'listing' | 'llm' | 'chunks'>,
  ): ScrapeTask {
    const { scrapeTimeoutMs, llmTimeoutMs } = this.runtime.settings;
    return {
      requestId: newId(),
      tenantId: tenant.id,
      url,
      formats: [],
      includeHtml: false,
      ignoreRobotsTxt: false,
      fetch: DEFAULT_FETCH_OPTIONS,
      content: DEFAULT_CONTENT_OPTIONS,
      ...asked,
      maxAgeMs: 0,
      minAgeMs: null,
      upload: false,
      deadlineAtMs: Date.now() + scrapeTimeoutMs + (asked.llm ? llmTimeoutMs : 0),
    };
  }

  /** What a model cost is booked also when nothing came of it. @throws Refusal */
  async read(
    task: ScrapeTask,
    operation: ChargedOperation,
    signal: AbortSignal,
  ): Promise<PageDocument> {
    const reply = await this.fetchers.request('scrape', task, signal);
    if (reply.kind === 'failed') await this.bookings.bookLost(task, operation, reply.usage);
    return documentOf(reply, task.url);
  }
}
