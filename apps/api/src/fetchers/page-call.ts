import { Injectable } from '@nestjs/common';
import {
  TEXT_CONTENT_OPTIONS,
  DEFAULT_FETCH_OPTIONS,
  ApiError,
  type LlmUsage,
  type PageDocument,
  type ScrapeReply,
  type ScrapeTask,
  type FileProblem,
} from '@app/contracts';
import type { Runtime } from '@app/runtime';
import { CreditCharges, type ChargedOperation, type Tenant } from '@app/accounts';
import { toResultCascade, toResultUnblock } from '@app/jobs';
import { InjectRuntime } from '../runtime.token.js';
import { FetcherCall, fetchersUnavailable } from './fetcher-call.js';

type SealedLogin = Extract<ScrapeReply, { kind: 'login' }>;
type FailedReply = Extract<ScrapeReply, { kind: 'failed' }>;
type Body = Readonly<Record<string, unknown>>;

/** The page or document of a reply. `url` is the requested URL. @throws ApiError */
function documentOf(reply: ScrapeReply, url: string): PageDocument {
  switch (reply.kind) {
    case 'document':
      return reply.document;
    case 'login':
      throw new Error('a login where a page was wanted');
    case 'blocked':
      throw new ApiError('blocked_url', { url });
    case 'not_cached':
      throw new ApiError('not_cached');
    case 'unavailable':
      throw new ApiError('browser_unavailable', {}, { isPermanent: reply.isPermanent ?? false });
    case 'failed':
      throw apiErrorOf(reply, url);
  }
}

/** The error of a page that could not be fetched includes the attempts. */
function apiErrorOf(reply: FailedReply, url: string): ApiError {
  const { problem, file, refusedUse, isAuthExpired } = reply;
  const body = failureBody(url, reply);
  if (refusedUse)
    return new ApiError(
      'content_use_refused',
      { problem },
      { body: { ...body, contentUse: refusedUse } },
    );
  if (isAuthExpired) return new ApiError('auth_expired', { problem }, { body });
  return file === undefined
    ? new ApiError('fetch_failed', { problem }, { body })
    : fileError(file, problem, body);
}

function failureBody(url: string, { cascade, action, statusCode }: FailedReply): Body {
  return {
    url,
    ...(statusCode === undefined ? {} : { statusCode }),
    cascade: toResultCascade(cascade),
    unblock: toResultUnblock(cascade),
    ...(action ? { action } : {}),
  };
}

/**
 * A document without readable text: `reason` is for programs, `message` for people. One that took all the CPU time of
 * a document is charged: it cost more than most that are read.
 */
export function fileError(
  reason: FileProblem | 'timeout',
  message: string,
  more: Body = {},
): ApiError {
  if (reason === 'busy') return fetchersUnavailable(new Error(message));
  const code = reason === 'docx_unavailable' ? 'docx_unavailable' : 'file_unreadable';
  const isCharged = reason === 'max_cpu';
  return new ApiError(code, {}, { body: { ...more, reason, message }, isCharged });
}

/** Model cost of this response; of a cached copy only what was asked of a model beside it. */
export function modelCostOf({ llm }: PageDocument): number {
  return llm?.usage.costMicroUsd ?? 0;
}

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
    outputs: Pick<
      ScrapeTask,
      'listing' | 'llm' | 'allowVision' | 'chunks' | 'filePages' | 'pageMarkers' | 'maxTokens'
    >,
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

  /** The cookies of a login, encrypted. @throws ApiError */
  async logIn(
    task: ScrapeTask & { readonly savesLogin: string },
    signal: AbortSignal,
  ): Promise<SealedLogin> {
    const reply = await this.fetchers.request('scrape', task, signal);
    if (reply.kind === 'login') return reply;
    documentOf(reply, task.url);
    throw new Error('a page where a login was wanted');
  }

  /** A model's cost is recorded even without a result, or after a disconnect. @throws ApiError */
  async read(
    task: ScrapeTask,
    operation: ChargedOperation,
    signal: AbortSignal,
  ): Promise<PageDocument> {
    const recordCost = (reply: ScrapeReply): Promise<void> =>
      this.charges.recordCost(task, operation, usageOf(reply));
    const mayCost = task.llm !== null || task.allowVision || task.passages?.rerank !== undefined;
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

/** Model usage of this reply. */
function usageOf(reply: ScrapeReply): LlmUsage | undefined {
  if (reply.kind === 'failed') return reply.usage;
  return reply.kind === 'document' ? reply.document.llm?.usage : undefined;
}
