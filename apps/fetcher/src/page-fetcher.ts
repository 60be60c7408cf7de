import {
  type CascadeReport,
  type Deadline,
  type ErrorClass,
  type PageDocument,
} from '@app/contracts';
import { BlockedUrlError } from '@app/egress';
import {
  runCascade,
  type Assessment,
  type FetchedPage,
  type FetchRung,
  type RobotsCache,
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
  readonly robotsAgent: string;
  readonly content: ContentPool;
  readonly metrics: Metrics;
  readonly maxBytes: number;
}

interface RobotsAnswer {
  readonly isAllowed: boolean;
  readonly problem: string;
  readonly crawlDelayMs: number | null | undefined;
}

const NOT_FETCHED: CascadeReport = { level: null, attempts: [] };

/** The middle that scrape and crawl share: robots, cascade, content. */
export class PageFetcher {
  constructor(private readonly options: PageFetcherOptions) {}

  async fetch(request: PageRequest): Promise<PageResult> {
    try {
      const url = new URL(request.url);
      const robots = await this.askRobots(url, request);
      if (!robots.isAllowed) return this.forbidden(robots);
      return await this.runRungs(url, request, robots);
    } catch (error) {
      if (error instanceof BlockedUrlError) return { kind: 'blocked', url: request.url };
      throw error;
    }
  }

  private async askRobots(url: URL, request: PageRequest): Promise<RobotsAnswer> {
    if (request.ignoreRobotsTxt) return { isAllowed: true, problem: '', crawlDelayMs: undefined };
    const { robots, robotsAgent, metrics } = this.options;
    const { deadline, signal } = request;
    const verdict = await robots.rulesFor(url, { deadline, ...(signal ? { signal } : {}) });
    const isAllowed = verdict.rules.isAllowed(url, robotsAgent);
    metrics.robotsDecisions.inc({
      decision: verdict.source === 'unreachable' ? 'unreachable' : isAllowed ? 'allowed' : 'forbidden',
    });
    const problem =
      verdict.source === 'unreachable'
        ? 'robots.txt could not be read, so nothing may be fetched (RFC 9309)'
        : 'robots.txt forbids this page';
    return { isAllowed, problem, crawlDelayMs: verdict.rules.crawlDelayMs(robotsAgent) };
  }

  private forbidden(robots: RobotsAnswer): PageResult {
    return {
      kind: 'failed',
      errorClass: 'robots',
      problem: `Fetch failed: ${robots.problem}`,
      statusCode: null,
      retryAfterMs: null,
      report: NOT_FETCHED,
      crawlDelayMs: robots.crawlDelayMs,
    };
  }

  private async runRungs(url: URL, request: PageRequest, robots: RobotsAnswer): Promise<PageResult> {
    const startedAt = performance.now();
    const { rungs, maxBytes, metrics } = this.options;
    const { deadline, signal } = request;
    const outcome = await runCascade<ContentResult>({
      rungs,
      request: { url, deadline, maxBytes, ...(signal ? { signal } : {}) },
      assess: (page) => this.assess(page, request),
      onAttempt: (attempt, page) => observeAttempt(metrics, attempt, page),
    });
    const { crawlDelayMs } = robots;
    if (outcome.kind === 'failed') return { ...outcome, crawlDelayMs };
    const { page, content: result } = outcome;
    const { content } = result;
    if (content.kind === 'binary') {
      return {
        kind: 'failed',
        errorClass: 'parse_error',
        problem: `Fetch failed: content of type ${page.contentType ?? 'unknown'} cannot be converted`,
        statusCode: page.statusCode,
        retryAfterMs: null,
        report: { level: null, attempts: outcome.report.attempts },
        crawlDelayMs,
      };
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
  private async assess(page: FetchedPage, request: PageRequest): Promise<Assessment<ContentResult>> {
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
      if (error instanceof ContentTimeoutError) return { content: UNREADABLE, shortcoming: 'parse_error' };
      throw error;
    }
  }
}

const UNREADABLE: ContentResult = {
  content: { charset: 'utf-8', kind: 'binary', metadata: {}, visibleChars: 0, noindex: false, nofollow: false },
  found: [],
};
