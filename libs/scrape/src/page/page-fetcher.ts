import {
  Deadline,
  rungLevel,
  type RememberedRung,
  type Rung,
  type TaskOwner,
  type CascadeAttempt,
} from '@app/contracts';
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
import { assessPage, type Converters } from './assess-page.js';
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
import { presentPage } from './present-page.js';
import { pacedRung, withFetch } from './request-pace.js';
import {
  RedirectRefused,
  unreadableRobots,
  type RobotsGateResult,
  type RobotsGate,
} from './robots-gate.js';

export interface PageFetcherOptions {
  /** In level order; those that are configured. */
  readonly rungs: readonly FetchRung[];
  readonly robots: RobotsGate;
  readonly converters: Converters;
  readonly hosts: HostMemory;
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
    const url = new URL(request.url);
    const attempts = new Attempts(
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
    request: PageRequest,
    { crawlDelayMs }: RobotsGateResult,
    attempts: Attempts,
  ): Promise<PageResult> {
    const startedAt = performance.now();
    const { hosts, metrics } = this.options;
    const isLesson = isOrdinary(request);
    const recalled = isLesson ? await hosts.recall(url) : null;
    const unread: UnreadFile[] = [];
    const gain = new RenderGain();
    const remembered = recalled?.isProbe ? null : recalled;
    const outcome = await this.runRungs(url, request, { remembered, unread, gain, attempts });
    observeEscalations(metrics, outcome.report.attempts);
    if (isLesson && !isPersonal(request)) await this.learn(url, outcome, recalled, gain);
    switch (outcome.kind) {
      case 'failed':
        return { ...outcome, crawlDelayMs, ...unreadFile(unread.at(-1)) };
      case 'not_modified':
        return outcome;
      case 'served': {
        const latencyMs = Math.round(performance.now() - startedAt);
        return presentPage(outcome, request, { latencyMs, crawlDelayMs });
      }
    }
  }

  private runRungs(
    url: URL,
    request: PageRequest,
    { remembered, unread, gain, attempts }: RunNotes,
  ): Promise<CascadeOutcome<ContentResult | null>> {
    const { rungs, maxBytes, metrics, converters, robots, costCeilingMicroUsd } = this.options;
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
          const crawlDelayMs = await robots.followRedirect(target, request);
          pace?.learn(target, crawlDelayMs);
        },
      },
      assess: async (page, share) => {
        const startedAt = performance.now();
        const terms = { ...request, isKnownWhole: remembered !== null && isKnownWhole(remembered) };
        const assessment = await assessPage(converters, page, terms, {
          // The wait for the host's turn already took time from the attempt's share.
          share: pace ? deadline : share.deadline,
          whole: deadline,
        });
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
  readonly attempts: Attempts;
}

/** Adds the wait for the host's turn to the page's time. */
function withTimeToWait(url: URL, request: PageRequest): PageRequest {
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

/**
 * The attempts of one page, for pages that robots.txt ends: before the first rung, or at a redirect during one.
 */
class Attempts {
  private readonly done: CascadeAttempt[] = [];
  private rung: FetchRung | undefined;
  private startedAt: number;

  /**
   * @param rungs those that support the request's options, in level order; the first would run
   * @param nowMs monotonic clock
   */
  constructor(
    [first]: readonly FetchRung[],
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.rung = first;
    this.startedAt = nowMs();
  }

  /** The same rung; records when it runs. */
  watched(rung: FetchRung): FetchRung {
    return withFetch(rung, (request) => {
      this.rung = rung;
      this.startedAt = this.nowMs();
      return rung.fetch(request);
    });
  }

  ended(attempt: CascadeAttempt): void {
    this.done.push(attempt);
  }

  /** The error with all attempts, including the one that it ended. */
  endedBy(refusal: FailedPage): FailedPage {
    const { rung } = this;
    if (rung === undefined) return refusal;
    const attempt: CascadeAttempt = {
      rung: rung.rung,
      level: rungLevel(rung.rung),
      ok: false,
      latencyMs: Math.round(this.nowMs() - this.startedAt),
      errorClass: refusal.errorClass,
    };
    return { ...refusal, report: { ...refusal.report, attempts: [...this.done, attempt] } };
  }
}
