import { Deadline, type RememberedRung, type Rung, type TaskOwner } from '@app/contracts';
import { BlockedUrlError, HttpFetchError } from '@app/egress';
import {
  eligibleRungs,
  runCascade,
  Spend,
  type CascadeOutcome,
  type FetchedPage,
  type FetchRung,
  type RenderRequest,
} from '@app/fetch';
import { inSpan, recordSpan, type Metrics } from '@app/telemetry';
import { joinDeclared } from '@app/uses';
import { assessPage, type Converters } from './assess-page.js';
import { PageAttempts } from './page-attempts.js';
import { type LoginSource, type OpenedRequest, withLogin } from './page-login.js';
import { observeAttempt, observeEscalations, observeFetch } from './fetch-metrics.js';
import {
  isCounterexample,
  isKnownWhole,
  isOrdinary,
  isPersonal,
  lessonOf,
  RenderGain,
} from './host-lessons.js';
import type { HostMemory, RecalledRung } from '../hosts/host-memory.js';
import type { ContentResult } from '../content/content-task.js';
import type { FailedPage, PageRequest, PageResult, UnreadFile } from './page-result.js';
import { twinUrl, withTwin } from './markdown-twin.js';
import { presentPage } from './present-page.js';
import { pacedRung } from './request-pace.js';
import {
  RedirectRefused,
  unreadableRobots,
  type RobotsGateResult,
  type RobotsGate,
} from './robots-gate.js';
import { NO_SITE_USE, useRefusal, type SiteUse } from './site-uses.js';

export interface PageFetcherOptions {
  /** In level order; those that are configured. */
  readonly rungs: readonly FetchRung[];
  readonly robots: RobotsGate;
  readonly converters: Converters;
  readonly hosts: HostMemory;
  /** Of profiles. @default there are none */
  readonly logins?: LoginSource;
  readonly metrics: Metrics;
  readonly maxBytes: number;
  /** Maximum cost of paid rungs for a page, in micro-dollars. */
  readonly costCeilingMicroUsd: number;
}

/** Hosts whose pages need third parties that are refused elsewhere; the one found first is forgotten first. */
const MAX_NEEDY_HOSTS = 10_000;

/** Fetches one page for scrape, screenshot and crawl: robots, cascade, content. */
export class PageFetcher {
  private readonly needyHosts = new Set<string>();

  constructor(private readonly options: PageFetcherOptions) {}

  async fetch(request: PageRequest): Promise<PageResult> {
    const attributes = { 'server.address': new URL(request.url).hostname };
    const result = await inSpan('page', { attributes }, () => this.fetchPage(request));
    if (!request.signal?.aborted) observeFetch(this.options.metrics, result);
    return result;
  }

  private async fetchPage(request: PageRequest): Promise<PageResult> {
    const page = await this.fetchOne(request);
    const url = twinUrl(page, request);
    if (page.kind !== 'document' || url === null || request.signal?.aborted) return page;
    const { validators: _, ...rest } = request;
    // The page may have spent what the caller allows.
    const fetch = { ...rest.fetch, costCeilingMicroUsd: 0 };
    return withTwin(page, await this.fetchOne({ ...rest, fetch, url }));
  }

  private async fetchOne(asked: PageRequest): Promise<PageResult> {
    const request = await withLogin(asked, this.options.logins ?? null);
    if ('kind' in request) return request;
    const result = await this.fetchAs(request);
    return result.kind === 'failed' && request.login ? request.login.ended(result) : result;
  }

  private async fetchAs(request: OpenedRequest): Promise<PageResult> {
    const url = new URL(request.url);
    const attempts = new PageAttempts(
      eligibleRungs(this.options.rungs, { options: request.fetch, render: renderOf(request) }),
    );
    try {
      const robots = await this.options.robots.check(url, request);
      request.pace?.learn(url, robots.crawlDelayMs);
      if (robots.refusal) return attempts.endedBy(robots.refusal);
      return await this.fetchAllowed(url, withTimeToWait(url, request), robots, attempts);
    } catch (error) {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: request.url };
      if (error instanceof RedirectRefused) return attempts.endedBy(error.failure);
      // The deadline or the caller ended the wait for robots.txt.
      if (error instanceof HttpFetchError) {
        const { errorClass } = error;
        const failure = { errorClass, statusCode: null, hostCode: null };
        return attempts.endedBy(unreadableRobots(url, failure));
      }
      throw error;
    }
  }

  private async fetchAllowed(
    url: URL,
    request: OpenedRequest,
    { crawlDelayMs }: RobotsGateResult,
    attempts: PageAttempts,
  ): Promise<PageResult> {
    const startedAt = performance.now();
    const { hosts, metrics } = this.options;
    const isLesson = isOrdinary(request);
    const recalled = isLesson ? await hosts.recall(url) : null;
    const unread: UnreadFile[] = [];
    const gain = new RenderGain();
    const remembered = recalled?.isProbe ? null : recalled;
    const ran = await this.runRungs(url, request, { remembered, unread, gain, attempts });
    const outcome = request.login?.conclude(ran) ?? ran;
    observeEscalations(metrics, outcome.report.attempts);
    if (isLesson && !isPersonal(request)) await this.learn(url, outcome, recalled, gain);
    switch (outcome.kind) {
      case 'failed':
        return { ...outcome, crawlDelayMs, ...unreadFile(unread.at(-1)) };
      case 'not_modified':
        return outcome;
      case 'served': {
        const latencyMs = Math.round(performance.now() - startedAt);
        await request.login?.served(outcome.page);
        const site = await this.siteUse(new URL(outcome.page.url), request);
        const result = presentPage(outcome, request, { latencyMs, crawlDelayMs, site });
        return this.respected(result, request, site);
      }
    }
  }

  /** Without a use to respect it only adds to the metadata: no page is lost for it. */
  private async siteUse(url: URL, request: PageRequest): Promise<SiteUse> {
    try {
      return await this.options.robots.siteUse(url, request);
    } catch (error) {
      const isOfSite = error instanceof HttpFetchError || error instanceof BlockedUrlError;
      if (isOfSite && request.respectUse === undefined) return NO_SITE_USE;
      throw error;
    }
  }

  /** The page, unless it or its headers refuse the use that the request respects. */
  private async respected(
    result: PageResult,
    request: PageRequest,
    { unread }: SiteUse,
  ): Promise<PageResult> {
    if (request.respectUse === undefined || result.kind !== 'document') return result;
    const { document, crawlDelayMs } = result;
    const { metadata, cascade } = document;
    const license = metadata.contentUse?.license;
    const terms =
      license === undefined
        ? NO_SITE_USE
        : await this.options.robots.licenseUse(new URL(document.url), license, request);
    const contentUse = joinDeclared([metadata.contentUse, terms.site]);
    const refusal = useRefusal(request.respectUse, contentUse, unread ?? terms.unread);
    const report = { ...cascade, level: null };
    if (refusal) return { ...refusal, crawlDelayMs, report, statusCode: document.statusCode };
    return { ...result, document: { ...document, metadata: { ...metadata, contentUse } } };
  }

  private runRungs(
    url: URL,
    request: OpenedRequest,
    { remembered, unread, gain, attempts }: RunNotes,
  ): Promise<CascadeOutcome<ContentResult | null>> {
    const { rungs, maxBytes, metrics, converters, costCeilingMicroUsd } = this.options;
    const { deadline, signal, validators, onRetryAfter, pace } = request;
    const caller = callerOf(request);
    const paced = pace && {
      ...{ pace, whole: deadline },
      onWait: (rung: Rung, ms: number) => metrics.hostWaitSeconds.observe({ rung }, ms / 1_000),
    };
    let extractMs = 0;
    const ceiling = Math.min(
      costCeilingMicroUsd,
      request.fetch.costCeilingMicroUsd ?? costCeilingMicroUsd,
    );
    return runCascade<ContentResult | null>({
      rungs: rungs.map((rung) => attempts.watched(paced ? pacedRung(rung, paced) : rung)),
      remembered,
      request: {
        url,
        deadline,
        maxBytes,
        options: request.fetch,
        spend: new Spend(ceiling),
        render: {
          ...renderOf(request),
          refusesThirdParties: refusesThirdParties(request) && !this.needyHosts.has(url.host),
        },
        onRetryAfter,
        ...(caller ? { caller } : {}),
        ...(validators ? { validators } : {}),
        ...(signal ? { signal } : {}),
        onRedirect: async (target) => {
          const crawlDelayMs = await this.followRedirect(target, request);
          pace?.learn(target, crawlDelayMs);
        },
      },
      assess: async (page, share) => {
        const startedAt = performance.now();
        const terms = { ...request, isKnownWhole: remembered !== null && isKnownWhole(remembered) };
        const assessed = await assessPage(converters, page, terms, {
          // The wait for the host's turn already took time from the attempt's share.
          share: pace ? deadline : share.deadline,
          whole: deadline,
        });
        const assessment = request.login?.judge(page, assessed) ?? assessed;
        extractMs = performance.now() - startedAt;
        recordSpan('extract', extractMs / 1_000);
        const file = assessment.content?.file;
        if (file && !file.ok) unread.push(file);
        gain.note(page, assessment);
        return assessment;
      },
      onThirdPartiesNeeded: () => this.noteNeedy(url.host),
      onAttempt: (attempt, page) => {
        attempts.ended(attempt);
        observeAttempt(metrics, attempt, page && withTiming(page, { extractMs }));
      },
    });
  }

  private async followRedirect(
    target: URL,
    request: OpenedRequest,
  ): Promise<number | null | undefined> {
    try {
      return await this.options.robots.followRedirect(target, request);
    } catch (error) {
      const isRefused = error instanceof RedirectRefused;
      const asked = isRefused ? request.login?.refusedRedirect(target) : null;
      throw asked ? new RedirectRefused(asked) : error;
    }
  }

  private noteNeedy(host: string): void {
    const [first] = this.needyHosts;
    if (first !== undefined && this.needyHosts.size >= MAX_NEEDY_HOSTS)
      this.needyHosts.delete(first);
    this.needyHosts.add(host);
  }

  /** Updates the host memory: the rung to begin with for the next page of this host. */
  private async learn(
    url: URL,
    outcome: CascadeOutcome<unknown>,
    recalled: RecalledRung | null,
    gain: RenderGain,
  ): Promise<void> {
    const { hosts } = this.options;
    const [first] = outcome.report.attempts;
    const isComplete = outcome.kind === 'served' && outcome.partialReason === null;
    const lesson = isComplete ? lessonOf(outcome.report, gain) : null;
    if (lesson) return hosts.learn(url, lesson.rung, lesson.errorClass);
    // The memory is outdated: the remembered rung fails, or a cheaper one serves a probe.
    const isOutdated = recalled !== null && isCounterexample(first, outcome, recalled);
    if (isOutdated) await hosts.forget(url, recalled);
    if (isComplete && first?.ok) await hosts.confirmCheap(url, first.rung);
  }
}

/** How a browser shows the page, with the picture that is wanted of it. */
export function renderOf({ render, outputs }: PageRequest): RenderRequest {
  return { ...render, screenshot: outputs.screenshot ?? null };
}

/** Not with a screenshot, actions or a deep technology scan. */
function refusesThirdParties({ fetch, outputs, render }: PageRequest): boolean {
  const isLookedAt = outputs.screenshot !== undefined || fetch.actions.length > 0;
  return fetch.blockAds !== false && !isLookedAt && render.watch === undefined;
}

function withTiming(page: FetchedPage, timings: FetchedPage['timings']): FetchedPage {
  return { ...page, timings: { ...page.timings, ...timings } };
}

/** Input of one run of the rungs, and lists that it fills. */
interface RunNotes {
  readonly remembered: RememberedRung | null;
  readonly unread: UnreadFile[];
  readonly gain: RenderGain;
  readonly attempts: PageAttempts;
}

/** Adds the wait for the host's turn to the page's time. */
function withTimeToWait(url: URL, request: OpenedRequest): OpenedRequest {
  const waitMs = request.pace?.leftMs(url) ?? 0;
  if (waitMs === 0) return request;
  return { ...request, deadline: Deadline.after(request.deadline.remainingMs() + waitMs) };
}

/** The error of an unreadable document file explains more than that of the cascade. */
function unreadFile(file: UnreadFile | undefined): Partial<FailedPage> {
  return file ? { file, problem: `Fetch failed: ${file.message}` } : {};
}

/** Null: no caller waits for the page. */
function callerOf({ tenantId, plan }: PageRequest): TaskOwner | null {
  if (tenantId === undefined || plan === undefined) return null;
  return { tenantId, isFree: plan === 'free' };
}
