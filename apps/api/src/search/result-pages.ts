import { Injectable } from '@nestjs/common';
import {
  ApiError,
  TEXT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  newId,
  PLAN_LIMITS,
  type MarkdownParts,
  type PageDocument,
  type ScrapeTask,
} from '@app/contracts';
import { type FoundPage } from '@app/search';
import type { Tenant } from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { PageCall } from '../fetchers/page-call.js';
import { InjectRuntime } from '../runtime.token.js';
import { MAX_MARKDOWN_BYTES } from './search-limits.js';

/** Whose pages are scraped, and until when. */
export interface PagesCall {
  readonly tenant: Tenant;
  readonly country: string;
  readonly maxAgeMs: number;
  readonly maxTokens?: number | undefined;
  readonly deadlineAtMs: number;
  readonly signal: AbortSignal;
}

/** The text of a page that was found. */
export type ResultText = Required<Pick<MarkdownParts, 'markdown'>> &
  Pick<MarkdownParts, 'markdownCut'>;

/** The pages of search results, scraped like those of POST /v1/scrape, but charged with the search. */
@Injectable()
export class ResultPages {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'log'>,
    private readonly pages: PageCall,
  ) {}

  /**
   * Markdown of each result, in their order; null where the page could not be scraped by the deadline, or all pages
   * together are too large. As many at a time as the plan fetches for a batch.
   * @throws ApiError if the caller has disconnected
   */
  async markdownOf(
    results: readonly FoundPage[],
    call: PagesCall,
  ): Promise<readonly (ResultText | null)[]> {
    const texts: (ResultText | null)[] = results.map(() => null);
    let leftBytes = MAX_MARKDOWN_BYTES;
    let next = 0;
    const work = async (): Promise<void> => {
      for (let at = next++; at < results.length; at = next++) {
        const result = results[at];
        if (result === undefined || Date.now() >= call.deadlineAtMs) return;
        const text = await this.scrape(result.url, call);
        if (text === null) continue;
        const bytes = Buffer.byteLength(text.markdown);
        if (bytes > leftBytes) continue;
        leftBytes -= bytes;
        texts[at] = text;
      }
    };
    const workers = Math.min(PLAN_LIMITS[call.tenant.plan].batchWorkers, results.length);
    await Promise.all(Array.from({ length: workers }, work));
    return texts;
  }

  /** Null: the page could not be scraped. */
  private async scrape(url: string, call: PagesCall): Promise<ResultText | null> {
    try {
      return textOf(await this.pages.read(taskFor(url, call), 'search', call.signal));
    } catch (error) {
      if (!(error instanceof ApiError)) this.runtime.log.error({ err: error }, 'a result failed');
      else if (error.code === 'client_gone') throw error;
      return null;
    }
  }
}

function textOf(page: PageDocument): ResultText | null {
  const { markdown } = page.file ?? page;
  if (page.partialReason === 'empty' || markdown === undefined) return null;
  return { markdown, ...(page.markdownCut ? { markdownCut: page.markdownCut } : {}) };
}

function taskFor(url: string, call: PagesCall): ScrapeTask {
  const { tenant, country, maxAgeMs, maxTokens, deadlineAtMs } = call;
  return {
    requestId: newId(),
    tenantId: tenant.id,
    plan: tenant.plan,
    url,
    formats: ['markdown'],
    includeHtml: false,
    ignoreRobotsTxt: false,
    fetch: { ...DEFAULT_FETCH_OPTIONS, country: country.toUpperCase() },
    content: TEXT_CONTENT_OPTIONS,
    listing: false,
    llm: null,
    allowVision: false,
    chunks: false,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    maxAgeMs,
    minAgeMs: null,
    upload: false,
    deadlineAtMs,
  };
}
