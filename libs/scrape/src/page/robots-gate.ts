import { MAX_CRAWL_DELAY_MS } from '@app/crawl';
import type { RobotsCache, RobotsFailure } from '@app/fetch';
import type { Metrics } from '@app/telemetry';
import { joinDeclared } from '@app/uses';
import { NOT_REQUESTED, type FailedPage } from './page-result.js';
import { ROBOTS_RETRY_MS, type RobotsQuestion } from './robots-question.js';
import { NO_SITE_USE, useRefusal, type SiteUse, type SiteUses } from './site-uses.js';

export interface RobotsGateResult {
  /** Null if the page may be fetched. */
  readonly refusal: FailedPage | null;
  readonly crawlDelayMs: number | null | undefined;
}

/** A redirect to a URL that robots.txt forbids. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';

  constructor(readonly failure: FailedPage) {
    super(failure.problem);
  }
}

/** Checks robots.txt before a page is fetched and before a redirect is followed. */
export class RobotsGate {
  constructor(
    private readonly robots: RobotsCache,
    private readonly uses: SiteUses,
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
    if (!isAllowed) return { refusal: forbidden(crawlDelayMs), crawlDelayMs };
    if (question.respectUse === undefined) return { refusal: null, crawlDelayMs };
    const { site, tdmFile, unread } = await this.uses.of(url, verdict, question);
    const refusal = useRefusal(question.respectUse, joinDeclared([tdmFile, site]), unread);
    return { refusal: refusal && { ...refusal, crawlDelayMs }, crawlDelayMs };
  }

  /** What the site declares about the use of a page that was fetched. */
  async siteUse(url: URL, question: RobotsQuestion): Promise<SiteUse> {
    if (question.ignoreRobotsTxt) return NO_SITE_USE;
    const { deadline, signal } = question;
    const verdict = await this.robots.rulesFor(url, { deadline, ...(signal ? { signal } : {}) });
    return this.uses.of(url, verdict, question);
  }

  /** The terms of a licence that a page names. */
  async licenseUse(page: URL, license: string, question: RobotsQuestion): Promise<SiteUse> {
    return this.uses.ofPage(page, license, question);
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
