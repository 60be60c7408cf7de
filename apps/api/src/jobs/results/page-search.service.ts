import { Injectable } from '@nestjs/common';
import { QueueFullError, RequestTimeoutError } from '@app/broker';
import { ApiError, newId } from '@app/contracts';
import type { Tenant } from '@app/accounts';
import {
  MAX_RANKED_PAGES,
  searchPages,
  SearchTimeoutError,
  type MatchedPage,
  type JobEntity,
  type PassagesReply,
  type PassagesTask,
  type SearchPlace,
  siteLevel,
  type SiteLevel,
} from '@app/jobs';
import type { Runtime } from '@app/runtime';
import { isStorable } from '@app/content';
import { FetcherCall } from '../../fetchers/fetcher-call.js';
import { RequestGate } from '../../fetchers/request-gate.js';
import { InjectRuntime } from '../../runtime.token.js';
import { JobsService } from '../jobs.service.js';
import type { FoundPageView, PageSearchAnswer } from './page-search.dto.js';
import { invalidRequest } from '../../http/invalid-request.js';
import { queryNumber } from '../../http/query-values.js';

export const DEFAULT_FOUND_PAGES = 10;
export const MAX_FOUND_PAGES = 50;
export const MAX_PAGE_QUERY_CHARS = 500;

/** Of each page; so many pages are read for them. */
export const MAX_FOUND_PASSAGES = 5;
export const MAX_READ_PAGES = 10;
const READ_MS = 10_000;

/** Raw query of GET /v1/crawl/:id/search. */
export interface RawPageSearch {
  readonly q?: unknown;
  readonly cursor?: unknown;
  readonly limit?: unknown;
  readonly passages?: unknown;
}

interface ParsedPageSearch {
  readonly query: string;
  readonly limit: number;
  readonly after: SearchPlace | null;
  /** Of each page; 0: none. */
  readonly passages: number;
}

/** @throws ApiError that names the parameter */
function parsePageSearch({ q, cursor, limit, passages }: RawPageSearch): ParsedPageSearch {
  const bounds = { fallback: DEFAULT_FOUND_PAGES, min: 1, max: MAX_FOUND_PAGES };
  const parsed = {
    query: parseQuery(q),
    limit: queryNumber('limit', limit, bounds),
    after: cursor === undefined ? null : parseCursor(cursor),
    passages: queryNumber('passages', passages, { fallback: 0, min: 1, max: MAX_FOUND_PASSAGES }),
  };
  if (parsed.passages > 0 && parsed.limit > MAX_READ_PAGES)
    throw invalidRequest(
      `\`limit\` must be at most ${MAX_READ_PAGES} with \`passages\`: each page is read for them`,
    );
  return parsed;
}

/** The words that a page was found by, without the operators between them and the words that it must not have. */
function questionOf(query: string): string {
  return query.replace(/(^|\s)-(?:"[^"]*"?|\S+)/g, '$1').replace(/(^|\s)or(?=\s|$)/gi, '$1');
}

function parseQuery(text: unknown): string {
  if (typeof text !== 'string' || text.trim() === '')
    throw invalidRequest('`q` is required: the words to search for');
  const query = text.trim();
  if (query.length > MAX_PAGE_QUERY_CHARS)
    throw invalidRequest(`\`q\` must have at most ${MAX_PAGE_QUERY_CHARS} characters`);
  if (!isStorable(query)) throw invalidRequest('`q` must be text without NUL characters');
  return query;
}

/** Scores are single precision numbers: eight digits are all of one. */
const CURSOR = /^([0-9a-f]{8})([0-9a-f]{32})$/;

function cursorOf({ score, urlKey }: SearchPlace): string {
  const bits = Buffer.alloc(4);
  bits.writeFloatBE(score);
  return `${bits.toString('hex')}${urlKey}`;
}

function parseCursor(text: unknown): SearchPlace {
  const [, bits, urlKey] = (typeof text === 'string' ? CURSOR.exec(text) : null) ?? [];
  if (bits === undefined || urlKey === undefined)
    throw invalidRequest('`cursor` must be the `next` of a previous page');
  return { score: Buffer.from(bits, 'hex').readFloatBE(), urlKey };
}

/** Each holds a connection to the database, for seconds if its words are common. */
const RUNNING_SEARCHES = 2;
const MAX_WAIT_MS = 5_000;
/** Of a level of the tree: 50,000 rows take the database some 100 ms. */
const TREE_BOUNDS = { most: 200, window: 50_000 };

/** Searches the stored pages of jobs that have a search index, and shows the addresses of any job as a tree. */
@Injectable()
export class PageSearchService {
  private readonly gate = new RequestGate({ outstanding: RUNNING_SEARCHES });

  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'database'>,
    private readonly jobs: JobsService,
    private readonly fetchers: FetcherCall,
  ) {}

  async search(
    tenant: Tenant,
    id: string,
    raw: RawPageSearch,
    signal: AbortSignal,
  ): Promise<PageSearchAnswer> {
    const job = await this.jobs.findKept(tenant, id);
    const { query, limit, after, passages } = parsePageSearch(raw);
    if (job.options.index !== true) throw new ApiError('job_not_indexed');
    const { total, pages, hasMore } = await this.inTurn(tenant, signal, () =>
      searchPages(this.runtime.database, tenant.id, { jobId: job.id, query, limit, after }),
    );
    const found =
      passages === 0 ? [] : await this.passagesOf(tenant, pages, { query, max: passages, signal });
    return { ...stateOf(job), query, ...totalOf(total), ...listOf(pages, hasMore, found) };
  }

  /** @throws ApiError */
  private async passagesOf(
    { id: tenantId, plan }: Tenant,
    pages: readonly MatchedPage[],
    wanted: { readonly query: string; readonly max: number; readonly signal: AbortSignal },
  ): Promise<PassagesReply['pages']> {
    if (pages.length === 0) return [];
    const { max, signal } = wanted;
    const task: PassagesTask = {
      ...{ requestId: newId(), tenantId, plan, deadlineAtMs: Date.now() + READ_MS },
      ...{ pages: pages.map(({ stored }) => stored), query: questionOf(wanted.query), max },
    };
    const reply = await this.fetchers.request('convert', task, signal);
    if (reply.kind === 'passages') return reply.pages;
    throw new Error(`passages were answered with ${reply.kind}`);
  }

  /**
   * One level of the addresses of a job as a tree.
   * @param prefix what addresses begin with; null: the origin of the job's start
   */
  async level(
    tenant: Tenant,
    id: string,
    prefix: string | null,
    signal: AbortSignal,
  ): Promise<SiteLevel & { readonly prefix: string }> {
    const job = await this.jobs.findKept(tenant, id);
    if (prefix !== null && !isStorable(prefix))
      throw invalidRequest('`prefix` must be text without NUL characters');
    const place = { prefix: prefix ?? originOf(job.url), ...TREE_BOUNDS };
    const reader = this.runtime.database.asReader(tenant.id);
    const level = await this.inTurn(tenant, signal, () => siteLevel(reader, job.id, place));
    return { ...level, prefix: place.prefix };
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

function originOf(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}/` : '';
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
  passages: PassagesReply['pages'],
): Pick<PageSearchAnswer, 'results' | 'next'> {
  const last = pages.at(-1);
  const results = pages.map((page, at) => {
    const found = passages[at];
    return { ...presentFound(page), ...(found === undefined ? {} : { passages: found }) };
  });
  return { results, next: hasMore && last ? cursorOf(last) : null };
}

function presentFound(page: MatchedPage): FoundPageView {
  const { url, title, snippet, highlights, score, resultNo } = page;
  return { url, title, snippet, highlights: [...highlights], score, resultNo };
}
