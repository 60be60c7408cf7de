import {
  type CascadeReport,
  type Deadline,
  type ErrorClass,
  type PageDocument,
} from '@app/contracts';
import { MAX_CRAWL_DELAY_MS } from '@app/crawl';
import { BlockedUrlError, HttpFetchError } from '@app/egress';
import {
  runCascade,
  type Assessment,
  type FetchedPage,
  type FetchRung,
  type RobotsCache,
  type RobotsFailure,
} from '@app/fetch';
import type { FoundLink } from '@app/store';
import type { Metrics } from '@app/telemetry';
import type { ContentPool } from './content/content-pool.js';
import { ContentTimeoutError } from './content/content-pool.js';
import type { ContentResult, CrawlContext } from './content/content-task.js';
import { observeAttempt } from './fetch-metrics.js';

export interface PageRequest {
  readonly url: string;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
  readonly markdown: boolean;
  readonly rawHtml: boolean;
  readonly links: boolean;
  readonly crawl: CrawlContext | null;
}

/** How a page ended, as a value; only faults of our own are thrown. */
export type PageResult =
  | {
      readonly kind: 'document';
      readonly document: PageDocument;
      readonly found: readonly FoundLink[];
      readonly crawlDelayMs: number | null | undefined;
    }
  | {
      readonly kind: 'failed';
      readonly errorClass: ErrorClass;
      readonly problem: string;
      readonly statusCode: number | null;
      readonly retryAfterMs: number | null;
      readonly report: CascadeReport;
      readonly crawlDelayMs: number | null | undefined;
    }
  /** The egress guard refused the address or a redirect of it. */
  | { readonly kind: 'blocked'; readonly url: string };

export interface PageFetcherOptions {
  readonly rungs: readonly FetchRung[];
  readonly robots: RobotsCache;
  readonly content: ContentPool;
  readonly metrics: Metrics;
  readonly maxBytes: number;
}

type Failed = Extract<PageResult, { kind: 'failed' }>;

interface RobotsAnswer {
  /** Null when the page may be fetched. */
  readonly refusal: Failed | null;
  readonly crawlDelayMs: number | null | undefined;
}

/** A redirect to where robots.txt lets nobody go. */
class RedirectRefused extends Error {
  constructor(readonly failure: Failed) {
    super(failure.problem);
  }
}

/** How long a robots.txt that could not be read counts as such; a page waits as long before its next try. */
export const ROBOTS_RETRY_MS = 5_000;

/** The middle that scrape and crawl share: robots, cascade, content. */
export class PageFetcher {
  constructor(private readonly options: PageFetcherOptions) {}

  async fetch(request: PageRequest): Promise<PageResult> {
    try {
      const url = new URL(request.url);
      const robots = await this.askRobots(url, request);
      if (robots.refusal) return robots.refusal;
      return await this.runRungs(url, request, robots);
    } catch (error) {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: request.url };
      if (error instanceof RedirectRefused) return error.failure;
      // The deadline or the caller ended the wait for robots.txt.
      if (error instanceof HttpFetchError)
        return unreadableRobots({ errorClass: error.errorClass, statusCode: null });
      throw error;
    }
  }

  private async askRobots(url: URL, request: PageRequest): Promise<RobotsAnswer> {
    if (request.ignoreRobotsTxt) return { refusal: null, crawlDelayMs: undefined };
    const { robots, metrics } = this.options;
    const { deadline, signal } = request;
    const verdict = await robots.rulesFor(url, { deadline, ...(signal ? { signal } : {}) });
    const { failure } = verdict;
    const crawlDelayMs = boundedDelayMs(verdict.crawlDelayMs);
    if (failure) {
      metrics.robotsDecisions.inc({ decision: 'unreachable' });
      return { refusal: unreadableRobots(failure), crawlDelayMs: undefined };
    }
    const isAllowed = verdict.isAllowed(url);
    metrics.robotsDecisions.inc({ decision: isAllowed ? 'allowed' : 'forbidden' });
    return { refusal: isAllowed ? null : forbidden(crawlDelayMs), crawlDelayMs };
  }

  /** The rules of where a redirect leads hold as well. */
  private async followRedirect(target: URL, request: PageRequest): Promise<void> {
    const { refusal } = await this.askRobots(target, request);
    if (refusal) throw new RedirectRefused(refusal);
  }

  private async runRungs(
    url: URL,
    request: PageRequest,
    robots: RobotsAnswer,
  ): Promise<PageResult> {
    const startedAt = performance.now();
    const { rungs, maxBytes, metrics } = this.options;
    const { deadline, signal } = request;
    const outcome = await runCascade<ContentResult>({
      rungs,
      request: {
        url,
        deadline,
        maxBytes,
        ...(signal ? { signal } : {}),
        onRedirect: (target) => this.followRedirect(target, request),
      },
      assess: (page) => this.assess(page, request),
      onAttempt: (attempt, page) => observeAttempt(metrics, attempt, page),
    });
    const { crawlDelayMs } = robots;
    if (outcome.kind === 'failed') return { ...outcome, crawlDelayMs };
    const { page, content: result } = outcome;
    const { content } = result;
    if (result === UNREADABLE) return { ...conversionTimeout(outcome.report), crawlDelayMs };
    if (content.kind === 'binary') {
      return { ...unconvertible(page, outcome.report), crawlDelayMs };
    }
    const partialReason = outcome.partialReason ?? content.truncatedBy ?? null;
    const document: PageDocument = {
      url: page.url,
      sourceUrl: request.url,
      statusCode: page.statusCode,
      contentType: page.contentType,
      ...(request.markdown ? { markdown: content.markdown ?? '' } : {}),
      ...(request.rawHtml ? { rawHtml: content.rawHtml ?? '' } : {}),
      ...(request.links ? { links: content.links ?? [] } : {}),
      metadata: content.metadata,
      fetchMethod: outcome.fetchMethod,
      latencyMs: Math.round(performance.now() - startedAt),
      cascade: outcome.report,
      ...(partialReason === null ? {} : { partialReason }),
    };
    return { kind: 'document', document, found: result.found, crawlDelayMs };
  }

  /** Converts a page in a thread and judges whether it is complete. */
  private async assess(
    page: FetchedPage,
    request: PageRequest,
  ): Promise<Assessment<ContentResult>> {
    try {
      const content = await this.options.content.convert(
        {
          body: page.body,
          contentType: page.contentType,
          url: page.url,
          isCut: page.isCut,
          markdown: request.markdown,
          rawHtml: request.rawHtml,
          links: request.links,
          crawl: request.crawl,
        },
        request.deadline,
      );
      const { kind, visibleChars } = content.content;
      if (kind === 'binary') return { content, shortcoming: 'parse_error' };
      return { content, shortcoming: visibleChars === 0 ? 'empty' : null };
    } catch (error) {
      if (error instanceof ContentTimeoutError)
        return { content: UNREADABLE, shortcoming: 'timeout' };
      throw error;
    }
  }
}

function boundedDelayMs(delayMs: number | null): number | null {
  return delayMs === null ? null : Math.min(MAX_CRAWL_DELAY_MS, Math.round(delayMs));
}

/** What a failure is unless it says otherwise: nothing was asked of the site but robots.txt. */
const FAILED = {
  kind: 'failed',
  statusCode: null,
  retryAfterMs: null,
  report: { level: null, attempts: [] },
  crawlDelayMs: undefined,
} as const;

function forbidden(crawlDelayMs: number | null): Failed {
  const problem = 'Fetch failed: robots.txt forbids this page';
  return { ...FAILED, errorClass: 'robots', problem, crawlDelayMs };
}

/** While a site's rules cannot be read nothing may be fetched from it (RFC 9309, 2.3.1.4). */
function unreadableRobots({ errorClass, statusCode }: RobotsFailure): Failed {
  const detail = statusCode === null ? errorClass : `HTTP ${statusCode}`;
  const problem = `Fetch failed: robots.txt of the site could not be read (${detail}), so the page was not asked for`;
  return { ...FAILED, errorClass, problem, statusCode, retryAfterMs: ROBOTS_RETRY_MS };
}

function conversionTimeout({ attempts }: CascadeReport): Failed {
  const problem = 'Fetch failed: the page was fetched but its conversion did not end in time';
  return { ...FAILED, errorClass: 'timeout', problem, report: { level: null, attempts } };
}

function unconvertible(
  { contentType, statusCode }: FetchedPage,
  { attempts }: CascadeReport,
): Failed {
  const problem = `Fetch failed: content of type ${contentType ?? 'unknown'} cannot be converted`;
  const report = { level: null, attempts };
  return { ...FAILED, errorClass: 'parse_error', problem, statusCode, report };
}

const UNREADABLE: ContentResult = {
  content: {
    charset: 'utf-8',
    kind: 'binary',
    metadata: {},
    visibleChars: 0,
    noindex: false,
    nofollow: false,
  },
  found: [],
};
