import { Injectable } from '@nestjs/common';
import {
  ownWaitsMs,
  pageShotProblem,
  type FetchOptions,
  type Format,
  type LlmOutput,
  type PageAction,
  type PageDocument,
  type PageShot,
  type ScrapeTask,
  type LlmRequest,
} from '@app/contracts';
import { hasData } from '@app/content';
import type { Runtime } from '@app/runtime';
import {
  CreditCharges,
  CREDIT_COSTS,
  hasNoData,
  type Tenant,
  type CreditUse,
  type ChargedResult,
  type ChargeIds,
} from '@app/accounts';
import { invalidRequest } from '../http/invalid-request.js';
import { ProfileCheck } from '../profiles/profile-check.js';
import { ImageLinks } from '../fetchers/image-links.js';
import {
  modelError,
  parseModelRequest,
  rankingModel,
  type ModelCaller,
} from '../models/model-request.js';
import { PageCall, modelCostOf } from '../fetchers/page-call.js';
import { TargetCheck } from '../fetchers/target-check.js';
import { InjectRuntime } from '../runtime.token.js';
import {
  contentOptions,
  parseFetchOptions,
  requireUnsigned,
  respectedUse,
} from './parse-fetch-options.js';
import { formatNames, wantedParts } from './format-entries.js';
import { presentScrape } from './present-scrape.js';
import type { ScrapeRequest } from './scrape.dto.js';
import type { ScrapedFile, ScrapeResult } from './scrape-result.dto.js';

/** The model's part of the page; null if no output needs one. @throws ApiError */
export function llmRequest(body: ScrapeRequest, caller: ModelCaller): LlmRequest | null {
  const json = body.formats?.includes('json') ?? false;
  const summary = body.formats?.includes('summary') ?? false;
  return parseModelRequest(body, { json, summary }, caller);
}

/** Formats that include the text of a scanned document. */
const OF_TEXT: ReadonlySet<Format> = new Set(['markdown', 'json', 'summary']);

export interface ScrapeAnswer extends CreditUse {
  readonly result: ScrapeResult | ScrapedFile;
}

/** The caller of a scrape, and its chargeId. */
export interface ScrapeCall extends ChargeIds {
  readonly tenant: Tenant;
  readonly signal: AbortSignal;
}

/** Options of a scrape beside its body. */
export interface ScrapeExtras {
  /** Adds `html` to the page. */
  readonly cleanHtml?: boolean;
  /** Of the format `screenshot`. */
  readonly shot?: PageShot;
  /** Parsed actions, in place of those of the body. */
  readonly actions?: readonly PageAction[];
}

export interface ScrapedPage {
  readonly page: PageDocument;
  /** URL or data URI. */
  readonly screenshot: string | undefined;
}

@Injectable()
export class ScrapeService {
  constructor(
    @InjectRuntime() private readonly runtime: Pick<Runtime, 'settings'>,
    private readonly targets: TargetCheck,
    private readonly pages: PageCall,
    private readonly images: ImageLinks,
    private readonly charges: CreditCharges,
    private readonly profiles: ProfileCheck,
  ) {}

  async scrape(body: ScrapeRequest, call: ScrapeCall): Promise<ScrapeAnswer> {
    const { page, screenshot, ...spent } = await this.scrapePage(body, call);
    return { result: presentScrape(page, body, screenshot), ...spent };
  }

  /** The page itself, for callers with a presenter of their own. @throws ApiError */
  async scrapePage(
    body: ScrapeRequest,
    call: ScrapeCall,
    extras: ScrapeExtras = {},
  ): Promise<ScrapedPage & CreditUse> {
    const task = this.toTask(body, call, extras);
    const url = this.targets.parse(body.url);
    await this.profiles.requireUsable(call.tenant, task.fetch, url);
    const charge = { ...call, operation: 'scrape' } as const;
    const { value, ...spent } = await this.charges.charged(charge, CREDIT_COSTS.scrape, () =>
      this.read(task, call.signal),
    );
    if (hasUnusableSchema(value.page)) throw modelError(value.page.llm);
    return { ...value, ...spent };
  }

  private async read(task: ScrapeTask, signal: AbortSignal): Promise<ChargedResult<ScrapedPage>> {
    const page = await this.pages.read(task, 'scrape', signal);
    const screenshot = page.screenshot && (await this.images.srcOf(page.screenshot));
    return {
      value: { page, screenshot },
      credits: hasNoData(page) || hasUnusableSchema(page) ? 0 : CREDIT_COSTS.scrape,
      costMicroUsd: modelCostOf(page),
      isExtraction: isFreshExtraction(page),
    };
  }

  private toTask(
    body: ScrapeRequest,
    { tenant, requestId }: ScrapeCall,
    extras: ScrapeExtras,
  ): ScrapeTask {
    const { settings } = this.runtime;
    const fetch = withActions(requireUnsigned(parseFetchOptions(body), settings), extras);
    const llm = llmRequest(body, { tenant, settings });
    const parts = wantedParts(body, () => rankingModel({ tenant, settings }));
    const { scrapeTimeoutMs, llmTimeoutMs } = settings;
    const modelMs = llm || parts.passages?.rerank ? llmTimeoutMs : 0;
    // Requested waits are added, so that a wait of a minute does not time out.
    const timeoutMs = scrapeTimeoutMs + ownWaitsMs(fetch) + modelMs;
    return {
      requestId,
      tenantId: tenant.id,
      plan: tenant.plan,
      url: body.url,
      formats: formatNames(body.formats) ?? ['markdown'],
      ...parts,
      includeHtml: body.includeHtml ?? false,
      ...shownBy(extras),
      ignoreRobotsTxt: body.ignoreRobotsTxt ?? false,
      ...respectedUse(body),
      fetch,
      content: contentOptions(body),
      listing: body.extractListing ?? true,
      llm,
      allowVision: (body.formats ?? ['markdown']).some(
        (format) => typeof format !== 'string' || OF_TEXT.has(format),
      ),
      chunks: false,
      maxAgeMs: body.maxAge ?? 0,
      minAgeMs: body.minAge ?? null,
      upload: this.images.hasStorage,
      deadlineAtMs: Date.now() + timeoutMs,
    };
  }
}

/** @throws ApiError */
function shownBy({ cleanHtml, shot }: ScrapeExtras): Pick<ScrapeTask, 'cleanHtml' | 'shot'> {
  return {
    ...(cleanHtml === true ? { cleanHtml } : {}),
    ...(shot === undefined ? {} : { shot: usableShot(shot) }),
  };
}

/** @throws ApiError */
function withActions(fetch: FetchOptions, { actions }: ScrapeExtras): FetchOptions {
  for (const action of actions ?? []) {
    if (action.type === 'screenshot' && action.shot) usableShot(action.shot);
  }
  return actions === undefined ? fetch : { ...fetch, actions };
}

/** @throws ApiError */
function usableShot(shot: PageShot): PageShot {
  const problem = pageShotProblem(shot);
  if (problem !== null) throw invalidRequest(problem);
  return shot;
}

/** A cached copy was extracted for the request before. */
function isFreshExtraction({ llm, cacheAgeMs }: PageDocument): boolean {
  return cacheAgeMs === undefined && (hasData(llm?.json) || hasData(llm?.summary));
}

/** The page was fetched, but its schema is the caller's mistake: see the error `llm_schema`. */
function hasUnusableSchema(page: PageDocument): page is PageDocument & { readonly llm: LlmOutput } {
  return page.llm?.problem === 'llm_schema';
}
