import { Injectable } from '@nestjs/common';
import { ApiError, newId, PLAN_LIMITS } from '@app/contracts';
import type { BusinessSearchReply, ConnectorChoiceReply } from '@app/connectors';
import type { CitedAnswerTask, SearchReply, WebSearchTask, CitableSource } from '@app/search';
import {
  CREDIT_COSTS,
  CreditCharges,
  type ChargedResult,
  type ChargeIds,
  type CreditUse,
  type Tenant,
} from '@app/accounts';
import type { Runtime } from '@app/runtime';
import { FetcherCall } from '../fetchers/fetcher-call.js';
import { InjectRuntime } from '../runtime.token.js';
import { parseSearch, periodOf, type ParsedSearch } from './parse-search.js';
import { presentApplied, presentResults } from './present-search.js';
import { ResultPages } from './result-pages.js';
import {
  CITED_RESULTS,
  DEFAULT_RESULTS,
  MAX_ANSWER_MS,
  MAX_PAGES_MS,
  RESULTS_PER_UNIT,
} from './search-limits.js';
import type { SearchRequest, SearchResult, SearchResultItem } from './search.dto.js';
import { searchUnavailable } from './search-unavailable.js';

/** Of one source in a task: five of them fit the 64 KB of a message. */
const MAX_SOURCE_BYTES = 10_000;

/** The results as a model is shown them: snippet, and the start of the page where it was scraped. */
function answerSources(results: readonly SearchResultItem[]): readonly CitableSource[] {
  return results.map(({ position, url, title, snippet, markdown }) => ({
    position,
    url,
    title,
    text: clipped([snippet, markdown ?? ''].filter((part) => part !== '').join('\n\n')),
  }));
}

/** The start of a text that fits as JSON, where a character may take six bytes. */
function clipped(text: string): string {
  let clip = text.slice(0, MAX_SOURCE_BYTES);
  for (let size = sizeOf(clip); size > MAX_SOURCE_BYTES; size = sizeOf(clip))
    clip = clip.slice(0, Math.floor((clip.length * MAX_SOURCE_BYTES) / size));
  return clip.toWellFormed();
}

function sizeOf(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}

/** The caller of a search, and its chargeId. */
export interface SearchCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

export interface SearchAnswer extends CreditUse {
  readonly result: SearchResult;
}

type AnyReply = SearchReply | BusinessSearchReply | ConnectorChoiceReply;
type Found = Extract<SearchReply, { kind: 'found' }>;

/** One search with the time of its parts. */
interface SearchRun {
  readonly body: SearchRequest;
  readonly call: SearchCall;
  readonly search: ParsedSearch;
  readonly searchUntilMs: number;
  readonly pagesUntilMs: number;
  readonly answerUntilMs: number;
}

@Injectable()
export class SearchService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings' | 'log'>,
    private readonly fetchers: FetcherCall,
    private readonly pages: ResultPages,
    private readonly charges: CreditCharges,
  ) {}

  /** @throws ApiError */
  async search(body: SearchRequest, call: SearchCall): Promise<SearchAnswer> {
    const { plan } = call.tenant;
    if (!PLAN_LIMITS[plan].hasSearch) throw new ApiError('search_not_in_plan', { plan });
    const run = this.start(body, call);
    const limit = limitOf(body, call.tenant);
    const charge = { ...call, operation: 'search' } as const;
    const { value, ...spent } = await this.charges.charged(charge, creditsFor(limit), () =>
      this.run(run, limit),
    );
    return { result: value, ...spent };
  }

  /** Time that one part does not use goes to the next. */
  private start(body: SearchRequest, call: SearchCall): SearchRun {
    const { searchTimeoutMs, scrapeTimeoutMs, llmTimeoutMs } = this.runtime.settings;
    const searchUntilMs = Date.now() + searchTimeoutMs;
    const pagesUntilMs =
      searchUntilMs + (body.scrapeResults ? Math.min(MAX_PAGES_MS, scrapeTimeoutMs) : 0);
    const answerUntilMs =
      pagesUntilMs + (body.include_answer ? Math.min(MAX_ANSWER_MS, llmTimeoutMs) : 0);
    const search = parseSearch(body);
    return { body, call, search, searchUntilMs, pagesUntilMs, answerUntilMs };
  }

  private async run(run: SearchRun, limit: number): Promise<ChargedResult<SearchResult>> {
    const { body, call, search } = run;
    const found = await this.find(run, limit);
    const { tenant, signal } = call;
    const texts = body.scrapeResults
      ? await this.pages.markdownOf(found.results, {
          tenant,
          signal,
          country: search.country,
          maxAgeMs: body.maxAge ?? 0,
          maxTokens: body.maxTokens,
          deadlineAtMs: run.pagesUntilMs,
        })
      : [];
    const results = presentResults(found.results, texts);
    const cited =
      body.include_answer && results.length > 0 ? await this.answer(run, results) : null;
    return {
      value: {
        query: body.query,
        results,
        source: found.source,
        total: results.length,
        ...(results.length === 0 ? { error: 'no_results' as const } : {}),
        ...(cited?.answer ? { answer: cited.answer } : {}),
        search: presentApplied(search),
      },
      credits: creditsFor(results.length),
      costMicroUsd: cited?.costMicroUsd ?? 0,
    };
  }

  /** @throws ApiError if no backend completed */
  private async find(run: SearchRun, limit: number): Promise<Found> {
    const { call, search, searchUntilMs } = run;
    const { effectiveQuery: query, country, includeDomains, excludeDomains, tbs } = search;
    const task: WebSearchTask = {
      ...headOf(call, searchUntilMs),
      ...{ kind: 'web', query, limit, country, includeDomains, excludeDomains },
      period: periodOf(tbs),
    };
    const reply = await this.fetchers.request('search', task, call.signal);
    if (reply.kind === 'found') return reply;
    if (reply.kind === 'failed') {
      this.runtime.log.warn({ attempts: reply.attempts }, 'no search backend completed');
      throw searchUnavailable(reply);
    }
    throw new Error(`a search was answered with ${reply.kind}`);
  }

  /** Never fails the search: without a model in time there is no answer. Null then. */
  private async answer(
    { body, call, answerUntilMs }: SearchRun,
    results: readonly SearchResultItem[],
  ): Promise<{ readonly answer: string | null; readonly costMicroUsd: number } | null> {
    const task: CitedAnswerTask = {
      ...headOf(call, answerUntilMs),
      kind: 'answer',
      question: body.query,
      sources: answerSources(results.slice(0, CITED_RESULTS)),
      modelClass: call.tenant.plan === 'free' ? 'free' : 'low',
    };
    const recordCost = async (reply: AnyReply): Promise<void> => {
      if (reply.kind === 'answered') await this.charges.recordCost(task, 'search', reply.usage);
    };
    try {
      const reply = await this.fetchers.request('search', task, call.signal, recordCost);
      if (reply.kind !== 'answered') return null;
      return { answer: reply.answer, costMicroUsd: reply.usage.costMicroUsd };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'client_gone') throw error;
      this.runtime.log.warn({ err: error }, 'a search has no answer');
      return null;
    }
  }
}

/** Each task has an id of its own: replies that are too large wait in storage under it. */
function headOf(
  { tenant }: SearchCall,
  deadlineAtMs: number,
): Pick<WebSearchTask, 'requestId' | 'tenantId' | 'plan' | 'deadlineAtMs'> {
  return { requestId: newId(), tenantId: tenant.id, plan: tenant.plan, deadlineAtMs };
}

function limitOf({ limit }: SearchRequest, { plan }: Tenant): number {
  return Math.min(limit ?? DEFAULT_RESULTS, PLAN_LIMITS[plan].searchResults);
}

/** Per ten results begun. */
function creditsFor(results: number): number {
  return CREDIT_COSTS.search * Math.ceil(results / RESULTS_PER_UNIT);
}
