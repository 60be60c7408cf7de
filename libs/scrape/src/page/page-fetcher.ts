import {
  Deadline,
  type CascadeAttempt,
  type CascadeReport,
  type ErrorClass,
  type PageDocument,
  type RememberedRung,
  type Rung,
  type TaskOwner,
} from '@app/contracts';
import { headerDirectives, joinDirectives } from '@app/crawl';
import { BlockedUrlError, HttpFetchError } from '@app/egress';
import {
  eligibleRungs,
  runCascade,
  Spend,
  type CascadeOutcome,
  type FetchedPage,
  type FetchRung,
  type Validators,
} from '@app/fetch';
import type { Metrics } from '@app/telemetry';
import { assessPage, type Assessed, type Converters } from './assess-page.js';
import { Attempts } from './attempts.js';
import type { ContentResult } from '../content/content-task.js';
import { observeAttempt, observeEscalations } from './fetch-metrics.js';
import type { HostMemory, RecalledRung } from '../hosts/host-memory.js';
import {
  NOT_ASKED,
  type FailedPage,
  type PageRequest,
  type PageResult,
  type ReadFile,
  type UnreadFile,
} from './page-result.js';
import { addUsage } from '../models/read-by-model.js';
import { pacedRung } from './request-pace.js';
import {
  RedirectRefused,
  unreadableRobots,
  type RobotsAnswer,
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
  /** Most that paid rungs may cost a page, in micro-dollars. */
  readonly costCeilingMicroUsd: number;
}

type Outcome = CascadeOutcome<Assessed>;
type Served = Extract<Outcome, { kind: 'served' }>;

/** The middle that scrape, screenshot and crawl share: robots, cascade, content. */
export class PageFetcher {
  constructor(private readonly options: PageFetcherOptions) {}

  async fetch(request: PageRequest): Promise<PageResult> {
    const url = new URL(request.url);
    const attempts = new Attempts(
      eligibleRungs(this.options.rungs, { options: request.fetch, render: request.render }),
    );
    try {
      const robots = await this.options.robots.ask(url, request);
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
    { crawlDelayMs }: RobotsAnswer,
    attempts: Attempts,
  ): Promise<PageResult> {
    const startedAt = performance.now();
    const { hosts, metrics } = this.options;
    const isLesson = isOrdinary(request);
    const recalled = isLesson ? await hosts.recall(url) : null;
    const unread: UnreadFile[] = [];
    const remembered = recalled?.isProbe ? null : recalled;
    const outcome = await this.runRungs(url, request, { remembered, unread, attempts });
    observeEscalations(metrics, outcome.report.attempts);
    if (isLesson && !isPersonal(request)) await this.learn(url, outcome, recalled);
    switch (outcome.kind) {
      case 'failed':
        return { ...outcome, crawlDelayMs, ...unreadFile(unread.at(-1)) };
      case 'not_modified':
        return outcome;
      case 'served': {
        const latencyMs = Math.round(performance.now() - startedAt);
        return present(outcome, request, { latencyMs, crawlDelayMs });
      }
    }
  }

  private runRungs(
    url: URL,
    request: PageRequest,
    { remembered, unread, attempts }: RunNotes,
  ): Promise<Outcome> {
    const { rungs, maxBytes, metrics, converters, robots, costCeilingMicroUsd } = this.options;
    const { deadline, signal, validators, render, onRetryAfter, pace } = request;
    const caller = callerOf(request);
    const ceiling = Math.min(
      costCeilingMicroUsd,
      request.fetch.costCeilingMicroUsd ?? costCeilingMicroUsd,
    );
    return runCascade<Assessed>({
      rungs: rungs.map((rung) => attempts.watched(pace ? pacedRung(rung, pace, deadline) : rung)),
      remembered,
      request: {
        url,
        deadline,
        maxBytes,
        options: request.fetch,
        spend: new Spend(ceiling),
        render,
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
        const assessment = await assessPage(converters, page, request, {
          // A wait for the host's turn took from the share what is not the page's to lose.
          share: pace ? deadline : share.deadline,
          whole: deadline,
        });
        const file = assessment.content?.file;
        if (file && !file.ok) unread.push(file);
        return assessment;
      },
      onAttempt: (attempt, page) => {
        attempts.ended(attempt);
        observeAttempt(metrics, attempt, page);
      },
    });
  }

  /** What this page teaches about its host: where to begin with the next one like it. */
  private async learn(url: URL, outcome: Outcome, recalled: RecalledRung | null): Promise<void> {
    const { hosts } = this.options;
    const [first] = outcome.report.attempts;
    const isComplete = outcome.kind === 'served' && outcome.partialReason === null;
    const lesson = isComplete ? lessonOf(outcome.report) : null;
    if (lesson) return hosts.learn(url, lesson.rung, lesson.errorClass);
    // What was known no longer holds: the rung fails, or on a probe the cheap ones serve.
    const isOutdated = recalled !== null && isCounterexample(first, outcome, recalled);
    if (isOutdated) await hosts.forget(url, recalled);
    if (isComplete && first?.ok) await hosts.confirmCheap(url, first.rung);
  }
}

/** What one run of the rungs begins with, and where it leaves notes. */
interface RunNotes {
  readonly remembered: RememberedRung | null;
  readonly unread: UnreadFile[];
  readonly attempts: Attempts;
}

/** Waits for the host's turn come on top of the time a page may take. */
function withTimeToWait(url: URL, request: PageRequest): PageRequest {
  const waitMs = request.pace?.leftMs(url) ?? 0;
  if (waitMs === 0) return request;
  return { ...request, deadline: Deadline.after(request.deadline.remainingMs() + waitMs) };
}

/** Failures that another page of the host would meet with as well. */
const LASTING: ReadonlySet<ErrorClass> = new Set(['js_shell', 'empty', 'blocked']);

function lessonOf({
  attempts,
}: CascadeReport): { readonly rung: Rung; readonly errorClass: ErrorClass } | null {
  const served = attempts.at(-1);
  const cause = attempts.find(
    (one) => one.rung !== served?.rung && one.errorClass !== null && LASTING.has(one.errorClass),
  );
  return served && cause?.errorClass ? { rung: served.rung, errorClass: cause.errorClass } : null;
}

/** Failures that say nothing of the rung: it would have been the same with any. */
const NO_COUNTEREXAMPLE: ReadonlySet<ErrorClass> = new Set([
  'cost_ceiling',
  'empty',
  'network',
  'parse_error',
]);

/** A missing page is missing for every rung; a status that turns away may be for this one only. */
function isCounterexample(
  first: CascadeAttempt | undefined,
  outcome: Outcome,
  { isProbe }: RecalledRung,
): boolean {
  if (first === undefined || first.ok !== isProbe) return false;
  const { errorClass } = first;
  if (errorClass !== null && NO_COUNTEREXAMPLE.has(errorClass)) return false;
  const status = outcome.kind === 'failed' ? outcome.statusCode : null;
  const isMissing = status === 404 || status === 410 || (status ?? 0) >= 500;
  return !(errorClass === 'http_error' && isMissing);
}

/** What a site answers to one caller's headers or cookies is no lesson for all the others. */
function isPersonal({ fetch, signal }: PageRequest): boolean {
  const hasHeaders = Object.keys(fetch.headers).length > 0;
  return fetch.cookies !== null || hasHeaders || (signal?.aborted ?? false);
}

/** Requests that choose their rungs themselves neither use nor shape what is known of a host. */
function isOrdinary({ fetch, render }: PageRequest): boolean {
  return (
    !fetch.forceHeadless &&
    !fetch.scroll &&
    fetch.waitForMs === 0 &&
    fetch.actions.length === 0 &&
    render.screenshot === null
  );
}

/** A document that came and could not be read says more than what the cascade makes of it. */
function unreadFile(file: UnreadFile | undefined): Partial<FailedPage> {
  return file ? { file, problem: `Fetch failed: ${file.message}` } : {};
}

interface Circumstances {
  readonly latencyMs: number;
  readonly crawlDelayMs: number | null | undefined;
}

function present(
  outcome: Served,
  request: PageRequest,
  { latencyMs, crawlDelayMs }: Circumstances,
): PageResult {
  const { page, content: result, report } = outcome;
  if (result === null) return { ...conversionTimeout(report), crawlDelayMs };
  return {
    kind: 'document',
    document: documentOf(outcome, result, request, latencyMs),
    found: result.found,
    crawlDelayMs,
    validators: validatorsOf(page),
    ttfbMs: page.timings['ttfbMs'] ?? null,
    isNoStore: /(?:^|,)\s*no-store\s*(?:,|$)/i.test(page.headers['cache-control'] ?? ''),
    screenshot: page.screenshot ?? null,
    ...readingsOf(page, result),
    ...robotsOf(page, result, request),
  };
}

type PageDone = Extract<PageResult, { kind: 'document' }>;

function readingsOf(
  { watched, isUnsettled = false }: FetchedPage,
  { company, scanInput }: ContentResult,
): Pick<PageDone, 'company' | 'scanInput' | 'watched'> {
  return {
    ...(company ? { company } : {}),
    ...(scanInput ? { scanInput } : {}),
    ...(watched ? { watched: { isCapped: watched.isCapped, isUnsettled } } : {}),
  };
}

function robotsOf(
  { headers: { 'x-robots-tag': tag }, robotsTags = tag === undefined ? [] : [tag] }: FetchedPage,
  { content: { noindex, nofollow } }: ContentResult,
  { crawl }: PageRequest,
): Pick<PageDone, 'robots'> {
  const agent = crawl?.robotsAgent ?? null;
  if (agent === null) return {};
  const said = headerDirectives(robotsTags, agent);
  return { robots: joinDirectives({ noindex, nofollow }, said) };
}

function documentOf(
  { page, fetchMethod, report, partialReason, fallback, signals }: Served,
  { content, file }: ContentResult,
  request: PageRequest,
  latencyMs: number,
): PageDocument {
  const cutBy = file?.ok ? file.file.truncatedBy : content.truncatedBy;
  const reason = partialReason ?? cutBy ?? content.partReason ?? null;
  const xRobotsTag = page.headers['x-robots-tag'];
  return {
    url: page.url,
    sourceUrl: request.url,
    statusCode: page.statusCode,
    contentType: page.contentType,
    ...(request.markdown ? { markdown: content.markdown ?? '' } : {}),
    ...(request.rawHtml ? { rawHtml: content.rawHtml ?? '' } : {}),
    ...(request.links ? { links: content.links ?? [] } : {}),
    ...(request.listing ? { listing: content.listing ?? null } : {}),
    ...(request.branding ? { branding: content.branding ?? {} } : {}),
    ...(file?.ok ? fileFields(file) : {}),
    metadata: { ...content.metadata, ...(xRobotsTag === undefined ? {} : { xRobotsTag }) },
    fetchMethod,
    latencyMs,
    cascade: report,
    ...(signals.length === 0 ? {} : { signals }),
    ...(page.redirects.length === 0 ? {} : { redirects: page.redirects }),
    ...(reason === null ? {} : { partialReason: reason }),
    // Cut content is incomplete, whoever brought it; the two never stand together.
    ...(fallback === null || reason !== null ? {} : { fallback }),
    ...(page.actionResults === undefined ? {} : { actionResults: page.actionResults }),
  };
}

function fileFields({ file, chunks, usage }: ReadFile): Partial<PageDocument> {
  const llm = addUsage(undefined, usage);
  return { file, ...(chunks ? { chunks } : {}), ...(llm ? { llm } : {}) };
}

function validatorsOf({ headers, isRendered }: FetchedPage): Validators {
  // What a browser made of a page does not change only when its document does.
  if (isRendered) return {};
  const { etag, 'last-modified': lastModified } = headers;
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}

function conversionTimeout({ attempts, unblock }: CascadeReport): FailedPage {
  const problem =
    'Fetch failed: the page was fetched but its conversion did not end within its time and memory';
  const report = { level: null, attempts, unblock };
  return { ...NOT_ASKED, errorClass: 'timeout', problem, report };
}

/** Null: nobody waits for the page. */
function callerOf({ tenantId, plan }: PageRequest): TaskOwner | null {
  if (tenantId === undefined || plan === undefined) return null;
  return { tenantId, isFree: plan === 'free' };
}
