import type { Deadline } from '@app/contracts';
import { MAX_CRAWL_DELAY_MS } from '@app/crawl';
import type { RobotsCache, RobotsFailure } from '@app/fetch';
import type { Metrics } from '@app/telemetry';
import { NOT_ASKED, type FailedPage } from './page-result.js';

export interface RobotsAnswer {
  /** Null when the page may be fetched. */
  readonly refusal: FailedPage | null;
  readonly crawlDelayMs: number | null | undefined;
}

export interface RobotsQuestion {
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
}

/** A redirect to where robots.txt lets nobody go. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';

  constructor(readonly failure: FailedPage) {
    super(failure.problem);
  }
}

/** How long a robots.txt that could not be read counts as such; a page waits as long before its next try. */
export const ROBOTS_RETRY_MS = 5_000;

/** Asks robots.txt before a page is, and before a redirect is followed. */
export class RobotsGate {
  constructor(
    private readonly robots: RobotsCache,
    private readonly metrics: Metrics,
  ) {}

  async ask(url: URL, question: RobotsQuestion): Promise<RobotsAnswer> {
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

  /** What robots.txt says of sitemaps, as it says it; nothing where it could not be read or is not asked. */
  async sitemaps(url: URL, question: RobotsQuestion): Promise<readonly string[]> {
    if (question.ignoreRobotsTxt) return [];
    const { deadline, signal } = question;
    const { sitemaps } = await this.robots.rulesFor(url, {
      deadline,
      ...(signal ? { signal } : {}),
    });
    return sitemaps;
  }

  /** The rules of where a redirect leads hold as well; returns its Crawl-delay. @throws RedirectRefused */
  async followRedirect(
    target: URL,
    question: RobotsQuestion,
  ): Promise<RobotsAnswer['crawlDelayMs']> {
    const { refusal, crawlDelayMs } = await this.ask(target, question);
    if (refusal) throw new RedirectRefused(refusal);
    return crawlDelayMs;
  }
}

function boundedDelayMs(delayMs: number | null): number | null {
  return delayMs === null ? null : Math.min(MAX_CRAWL_DELAY_MS, Math.round(delayMs));
}

function forbidden(crawlDelayMs: number | null): FailedPage {
  const problem = 'Fetch failed: robots.txt forbids this page';
  return { ...NOT_ASKED, errorClass: 'robots', problem, crawlDelayMs };
}

/** Codes that say that the host cannot be reached at all, whichever of its pages is fetched. */
const UNREACHABLE_HOST: Readonly<Record<string, string>> = {
  ENOTFOUND: 'was not found in DNS; check its spelling',
  ENODATA: 'was not found in DNS; check its spelling',
  ECONNREFUSED: 'refused the connection',
  EHOSTUNREACH: 'cannot be reached from here',
  ENETUNREACH: 'cannot be reached from here',
};

/** While a site's rules cannot be read nothing may be fetched from it (RFC 9309, 2.3.1.4). */
export function unreadableRobots(url: URL, failure: RobotsFailure): FailedPage {
  const { errorClass, statusCode, hostCode } = failure;
  const unreachable = UNREACHABLE_HOST[hostCode ?? ''];
  const detail = statusCode === null ? errorClass : `HTTP ${statusCode}`;
  const problem =
    unreachable === undefined
      ? `Fetch failed: robots.txt of the site could not be read (${detail}), so the page was not asked for`
      : `Fetch failed: the host ${url.host} ${unreachable}`;
  return { ...NOT_ASKED, errorClass, problem, statusCode, retryAfterMs: ROBOTS_RETRY_MS };
}
