import type { Deadline } from '@app/contracts';
import { MAX_CRAWL_DELAY_MS } from '@app/crawl';
import type { RobotsCache, RobotsFailure } from '@app/fetch';
import type { Metrics } from '@app/telemetry';
import { NOT_REQUESTED, type FailedPage } from './page-result.js';

export interface RobotsGateResult {
  /** Null if the page may be fetched. */
  readonly refusal: FailedPage | null;
  readonly crawlDelayMs: number | null | undefined;
}

export interface RobotsQuestion {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
}

/** A redirect to a URL that robots.txt forbids. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';

  constructor(readonly failure: FailedPage) {
    super(failure.problem);
  }
}

/** How long an unreadable robots.txt is remembered as such; a page waits as long before its retry. */
export const ROBOTS_RETRY_MS = 5_000;

/** Checks robots.txt before a page is fetched and before a redirect is followed. */
export class RobotsGate {
  constructor(
    private readonly robots: RobotsCache,
    private readonly metrics: Metrics,
  ) {}

  async check(url: URL, question: RobotsQuestion): Promise<RobotsGateResult> {
    if (question.ignoreRobotsTxt) return { refusal: null, crawlDelayMs: undefined };
    const { deadline, signal } = question;
    const verdict = await this.robots.rulesFor(url, { deadline, ...(signal ? { signal } : {}) });
    const { failure } = verdict;
    const crawlDelayMs = boundedDelayMs(verdict.crawlDelayMs);
    if (failure) {
      this.metrics.robotsDecisions.inc({ decision: 'unreachable' });
      return { refusal: unreadableRobots(url, failure), crawlDelayMs: undefined };
    }
    const isAllowed = verdict.isAllowed(url);
    this.metrics.robotsDecisions.inc({ decision: isAllowed ? 'allowed' : 'forbidden' });
    return { refusal: isAllowed ? null : forbidden(crawlDelayMs), crawlDelayMs };
  }

  /** The sitemaps that robots.txt declares, verbatim; none if it is unreadable or not checked. */
  async sitemaps(url: URL, question: RobotsQuestion): Promise<readonly string[]> {
    if (question.ignoreRobotsTxt) return [];
    const { deadline, signal } = question;
    const { sitemaps } = await this.robots.rulesFor(url, {
      deadline,
      ...(signal ? { signal } : {}),
    });
    return sitemaps;
  }

  /** Checks the rules for the target of a redirect, too; returns its Crawl-delay. @throws RedirectRefused */
  async followRedirect(
    target: URL,
    question: RobotsQuestion,
  ): Promise<RobotsGateResult['crawlDelayMs']> {
    const { refusal, crawlDelayMs } = await this.check(target, question);
    if (refusal) throw new RedirectRefused(refusal);
    return crawlDelayMs;
  }
}

function boundedDelayMs(delayMs: number | null): number | null {
  return delayMs === null ? null : Math.min(MAX_CRAWL_DELAY_MS, Math.round(delayMs));
}

function forbidden(crawlDelayMs: number | null): FailedPage {
  const problem = 'Fetch failed: robots.txt forbids this page';
  return { ...NOT_REQUESTED, errorClass: 'robots', problem, crawlDelayMs };
}

/** Codes that mean that the host is unreachable, whichever of its pages is fetched. */
const UNREACHABLE_HOST: Readonly<Record<string, string>> = {
  ENOTFOUND: 'was not found in DNS; check its spelling',
  ENODATA: 'was not found in DNS; check its spelling',
  ECONNREFUSED: 'refused the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
};

/** While a site's rules cannot be read, none of its pages may be fetched (RFC 9309, 2.3.1.4). */
export function unreadableRobots(url: URL, failure: RobotsFailure): FailedPage {
  const { errorClass, statusCode, hostCode } = failure;
  const unreachable = UNREACHABLE_HOST[hostCode ?? ''];
  const detail = statusCode === null ? errorClass : `HTTP ${statusCode}`;
  const problem =
    unreachable === undefined
      ? `Fetch failed: robots.txt of the site could not be read (${detail}), so the page was not requested`
      : `Fetch failed: the host ${url.host} ${unreachable}`;
  const isRobotsUnread = unreachable === undefined;
  const failed = { errorClass, problem, statusCode, retryAfterMs: ROBOTS_RETRY_MS };
  return { ...NOT_REQUESTED, ...failed, ...(isRobotsUnread ? { isRobotsUnread } : {}) };
}
