import { Injectable } from '@nestjs/common';
import { QueueFullError, RequestTimeoutError } from '@app/broker';
import { ApiError } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import {
  MAX_RANKED_PAGES,
  searchPages,
  SearchTimeoutError,
  type MatchedPage,
  type JobEntity,
} from '@app/jobs';
import type { Runtime } from '@app/runtime';
import { RequestGate } from '../../fetchers/request-gate.js';
import { InjectRuntime } from '../../runtime.token.js';
import { JobsService } from '../jobs.service.js';
import type { FoundPageView, PageSearchAnswer } from './page-search.dto.js';
import { cursorOf, parsePageSearch, type RawPageSearch } from './parse-page-search.js';

/** Each holds a connection to the database, for seconds if its words are common. */
const RUNNING_SEARCHES = 2;
const MAX_WAIT_MS = 5_000;

/** Searches the stored pages of jobs that have a search index. */
@Injectable()
export class PageSearchService {
  private readonly gate = new RequestGate({ outstanding: RUNNING_SEARCHES });

  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>,
    private readonly jobs: JobsService,
  ) {}

  async search(
    tenant: Tenant,
    id: string,
    raw: RawPageSearch,
    signal: AbortSignal,
  ): Promise<PageSearchAnswer> {
    const job = await this.jobs.findKept(tenant, id);
    const { query, limit, after } = parsePageSearch(raw);
    if (job.options.index !== true) throw new ApiError('job_not_indexed');
    const { total, pages, hasMore } = await this.inTurn(tenant, signal, () =>
      searchPages(this.runtime.database, tenant.id, { jobId: job.id, query, limit, after }),
    );
    return { ...stateOf(job), query, ...totalOf(total), ...listOf(pages, hasMore) };
  }

  /** Tenants take turns: a tenant with many slow searches holds up no other. */
  private async inTurn<T>(
    { id, plan }: Tenant,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const owner = { tenantId: id, isFree: plan === 'free' };
    const request = { owner, deadlineAtMs: Date.now() + MAX_WAIT_MS, signal };
    try {
      return await this.gate.run(request, work);
    } catch (cause) {
      if (cause instanceof SearchTimeoutError)
        throw new ApiError('job_search_timeout', { seconds: cause.seconds }, { cause });
      if (cause instanceof QueueFullError || cause instanceof RequestTimeoutError)
        throw new ApiError('job_search_busy', {}, { cause });
      throw signal.aborted ? new ApiError('client_gone', {}, { cause }) : cause;
    }
  }
}

function stateOf({ id, status }: JobEntity): Pick<PageSearchAnswer, 'id' | 'status'> {
  return { id, status };
}

function totalOf(total: number): Pick<PageSearchAnswer, 'total' | 'totalIsExact'> {
  return { total, totalIsExact: total < MAX_RANKED_PAGES };
}

function listOf(
  pages: readonly MatchedPage[],
  hasMore: boolean,
): Pick<PageSearchAnswer, 'results' | 'next'> {
  const last = pages.at(-1);
  return { results: pages.map(presentFound), next: hasMore && last ? cursorOf(last) : null };
}

function presentFound(page: MatchedPage): FoundPageView {
  const { url, title, snippet, highlights, score, resultNo } = page;
  return { url, title, snippet, highlights: [...highlights], score, resultNo };
}
