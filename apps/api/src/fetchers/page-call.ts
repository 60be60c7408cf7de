import { Injectable } from '@nestjs/common';
import {
  TEXT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  type LlmUsage,
  type PageDocument,
  type ScrapeReply,
  type ScrapeTask,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { type ChargedOperation, type Tenant, CreditCharges } from '@app/accounts';
import { InjectRuntime } from '../runtime.token.js';
import { FetcherCall } from './fetcher-call.js';
import { documentOf } from './page-reply.js';

/** Lets a fetcher read the page or document at a URL. */
@Injectable()
export class PageCall {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly fetchers: FetcherCall,
    private readonly charges: CreditCharges,
  ) {}

  /** A task with default fetch options. The model's time is added to its timeout. */
  taskFor(
    url: string,
    { tenant, requestId }: { readonly tenant: Tenant; readonly requestId: string },
    outputs: Pick<ScrapeTask, 'listing' | 'llm' | 'allowVision' | 'chunks'>,
  ): ScrapeTask {
    const { scrapeTimeoutMs, llmTimeoutMs, llmModelVision } = this.runtime.settings;
    const usesModel = outputs.llm !== null || (outputs.allowVision && llmModelVision !== '');
    return {
      requestId,
      tenantId: tenant.id,
      plan: tenant.plan,
      url,
      formats: [],
      includeHtml: false,
      ignoreRobotsTxt: false,
      fetch: DEFAULT_FETCH_OPTIONS,
      content: TEXT_CONTENT_OPTIONS,
      ...outputs,
      maxAgeMs: 0,
      minAgeMs: null,
      upload: false,
      deadlineAtMs: Date.now() + scrapeTimeoutMs + (usesModel ? llmTimeoutMs : 0),
    };
  }

  /** A model's cost is recorded even without a result, or after a disconnect. @throws ApiError */
  async read(
    task: ScrapeTask,
    operation: ChargedOperation,
    signal: AbortSignal,
  ): Promise<PageDocument> {
    const recordCost = (reply: ScrapeReply): Promise<void> =>
      this.charges.recordCost(task, operation, usageOf(reply));
    const mayCost = task.llm !== null || task.allowVision;
    const reply = await this.fetchers.request(
      'scrape',
      task,
      signal,
      mayCost ? recordCost : undefined,
    );
    if (reply.kind === 'failed') await recordCost(reply);
    return documentOf(reply, task.url);
  }
}

/** Model usage of this reply; a cached copy was paid for when it was made. */
function usageOf(reply: ScrapeReply): LlmUsage | undefined {
  if (reply.kind === 'failed') return reply.usage;
  const isFresh = reply.kind === 'document' && reply.document.cacheAgeMs === undefined;
  return isFresh ? reply.document.llm?.usage : undefined;
}
