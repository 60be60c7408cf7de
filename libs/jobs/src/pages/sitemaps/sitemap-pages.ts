import { Deadline, type ErrorClass } from '@app/contracts';
import {
  isTransient,
  MAX_SITEMAP_BYTES,
  retryDelayMs,
  type HostSignal,
  type FoundLink,
} from '@app/crawl';
import { BlockedUrlError, HttpFetchError, parseRetryAfter } from '@app/egress';
import {
  PLAIN_RENDER,
  Spend,
  type FetchedPage,
  type FetchRequest,
  type FetchRung,
  type RungFailure,
} from '@app/fetch';
import {
  scopeOf,
  hasUnexpectedEncoding,
  pacedRung,
  RedirectRefused,
  ROBOTS_RETRY_MS,
  ThreadTimeoutError,
  type SitemapSteps,
  type ThreadPool,
  type PageResult,
  type RequestPace,
  type RobotsGate,
} from '@app/scrape';
import { TurnLine } from '@app/turns';
import type { ClaimedPage } from '../../frontier/claim-pages.js';
import { fetchOptions, scopeOptions } from '../job-page-request.js';
import { ending, failureSignal, type PageEnding } from '../page-ending.js';
import {
  firstLists,
  isLeadingSeed,
  listedLinks,
  nextGuess,
  wantsSitemaps,
} from './sitemap-links.js';

/** Reads sitemaps in threads, in bounded memory. */
export type SitemapReader = Pick<ThreadPool<SitemapSteps>, 'run'>;

export interface SitemapPagesOptions {
  /** The rung with a plain HTTP request. */
  readonly rung: FetchRung;
  readonly robots: RobotsGate;
  readonly reader: SitemapReader;
  readonly fetchTimeoutMs: number;
  readonly maxAttempts: number;
}

interface Terms {
  readonly signal: AbortSignal;
  readonly pace: RequestPace;
}

const ACCEPT = 'application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5';
/** Sitemaps in memory at a time: each may take {@link MAX_SITEMAP_BYTES}, as they were sent. */
const AT_A_TIME = 4;
/** One that finds no place by then goes back to the frontier. */
const MAX_PLACE_WAIT_MS = 60_000;

/** The pages of a job that are sitemaps: fetched plainly, read for the addresses they list, not kept. */
export class SitemapPages {
  private readonly slots = new TurnLine({ total: AT_A_TIME });

  constructor(private readonly options: SitemapPagesOptions) {}

  /** Adds the sitemaps and other lists of the site to the links of a seed. */
  async seeded(ending: PageEnding, result: PageResult, { signal }: Terms): Promise<PageEnding> {
    const { page, outcome } = ending;
    const isEnd = result.kind === 'document' && outcome.state !== 'pending';
    if (!isEnd || !isLeadingSeed(page)) return ending;
    const lines = wantsSitemaps(page) ? await this.declared(page, result.document.url, signal) : [];
    // The page's own links first: a job that has enough of them fetches no sitemap.
    const scopeUrl = outcome.scopeUrl ?? page.scopeUrl;
    const lists = firstLists({ ...page, scopeUrl }, result.document, lines);
    return { ...ending, found: [...ending.found, ...lists] };
  }

  /** The seed itself was let through by these rules; that they cannot be read again now is no reason to fail it. */
  private async declared(
    page: ClaimedPage,
    url: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const question = { ...this.question(page, signal), deadline: this.deadline() };
    return this.options.robots.sitemaps(new URL(url), question).catch(noneWhenUnread);
  }

  async work(page: ClaimedPage, terms: Terms): Promise<PageEnding> {
    const owner = { tenantId: page.tenantId, isFree: page.plan === 'free' };
    const deadline = Deadline.after(MAX_PLACE_WAIT_MS);
    const slot = await this.slots.take({ owner, deadline, signal: terms.signal });
    if (typeof slot === 'string') return this.end(page, { kind: 'later' });
    try {
      const end = await this.read(page, terms);
      return this.end(page, end);
    } finally {
      slot.release();
    }
  }

  private deadline(): Deadline {
    return Deadline.after(this.options.fetchTimeoutMs);
  }

  private end(page: ClaimedPage, end: SitemapEnd): PageEnding {
    return endSitemap(page, end, this.options.maxAttempts);
  }

  private question({ options }: ClaimedPage, signal: AbortSignal) {
    return { signal, ignoreRobotsTxt: options.ignoreRobotsTxt };
  }

  private async read(page: ClaimedPage, terms: Terms): Promise<SitemapEnd> {
    const startedAt = performance.now();
    const end = await this.fetchSitemap(page, terms).catch(refusalOf);
    return { ...end, latencyMs: Math.round(performance.now() - startedAt) };
  }

  private async fetchSitemap(page: ClaimedPage, { signal, pace }: Terms): Promise<SitemapEnd> {
    const url = new URL(page.url);
    const question = this.question(page, signal);
    const robots = await this.options.robots.check(url, { ...question, deadline: this.deadline() });
    pace.learn(url, robots.crawlDelayMs);
    const { crawlDelayMs } = robots;
    if (robots.refusal) return { ...failedEnd(robots.refusal), crawlDelayMs };
    // Waits for the host's turn come on top of the time the file may take.
    const deadline = Deadline.after(this.options.fetchTimeoutMs + pace.leftMs(url));
    const rung = pacedRung(this.options.rung, { pace, whole: deadline });
    const result = await rung.fetch(this.request(page, { signal, pace }, deadline));
    if (!result.ok) return { ...failedEnd(result.failure), crawlDelayMs };
    if (!('page' in result)) return { kind: 'none', statusCode: null, crawlDelayMs };
    return { ...(await this.readPage(page, result.page, deadline, signal)), crawlDelayMs };
  }

  private request(page: ClaimedPage, { signal, pace }: Terms, deadline: Deadline): FetchRequest {
    const options = fetchOptions(page);
    const question = { ...this.question(page, signal), deadline };
    return {
      url: new URL(page.url),
      deadline,
      signal,
      // The reader reports too long a file; one byte more is enough to detect it.
      maxBytes: MAX_SITEMAP_BYTES + 1,
      // A small file may be a bomb.
      keepsEncoding: true,
      options: { ...options, headers: { accept: ACCEPT, ...options.headers } },
      spend: new Spend(0),
      onRetryAfter: 'report',
      render: PLAIN_RENDER,
      onRedirect: async (target) => {
        pace.learn(target, await this.options.robots.followRedirect(target, question));
      },
    };
  }

  private async readPage(
    page: ClaimedPage,
    { body, contentType, url, statusCode, headers, isCut }: FetchedPage,
    deadline: Deadline,
    signal: AbortSignal,
  ): Promise<SitemapEnd> {
    if (statusCode >= 400) return statusEnd(page, statusCode, headers['retry-after']);
    if (hasUnexpectedEncoding(headers['content-encoding'])) return { kind: 'none', statusCode };
    const source = { body, contentType, url, isCut: isCut && body.byteLength <= MAX_SITEMAP_BYTES };
    const { tenantId } = page;
    const terms = { deadline, signal, tenantId, urgency: 'crawl' } as const;
    const file = await this.options.reader.run('read', source, terms);
    const isNone = file.links.length === 0 && file.children.length === 0;
    if (isNone) return { kind: 'none', statusCode, found: nextGuess(page) };
    const scope = scopeOf(page.jobId, scopeOptions(page));
    return { kind: 'read', statusCode, found: await listedLinks(page, file, scope) };
  }
}

function statusEnd(
  page: ClaimedPage,
  statusCode: number,
  retryAfter: string | undefined,
): SitemapEnd {
  if (!isTransient('http_error', statusCode)) {
    return { kind: 'none', statusCode, found: nextGuess(page) };
  }
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  return { kind: 'failed', errorClass: 'http_error', statusCode, retryAfterMs };
}

function failedEnd({
  errorClass,
  statusCode,
  retryAfterMs,
}: Pick<RungFailure, 'errorClass' | 'statusCode' | 'retryAfterMs'>): SitemapEnd {
  return { kind: 'failed', errorClass, statusCode, retryAfterMs };
}

/** A sitemap refused by the guard or robots.txt is left unread; internal faults are thrown. */
function refusalOf(error: unknown): SitemapEnd {
  if (error instanceof BlockedUrlError) return { kind: 'none', statusCode: null };
  if (error instanceof ThreadTimeoutError)
    return failedEnd({ errorClass: 'timeout', statusCode: null, retryAfterMs: null });
  if (error instanceof RedirectRefused) return failedEnd(error.failure);
  if (error instanceof HttpFetchError)
    return failedEnd({
      errorClass: error.errorClass,
      statusCode: null,
      retryAfterMs: ROBOTS_RETRY_MS,
    });
  throw error;
}

function noneWhenUnread(error: unknown): readonly string[] {
  if (error instanceof HttpFetchError || error instanceof BlockedUrlError) return [];
  throw error;
}

/** Result of fetching a sitemap. */
export type SitemapEnd = {
  readonly latencyMs?: number;
  readonly crawlDelayMs?: number | null | undefined;
} & (
  | { readonly kind: 'read'; readonly statusCode: number; readonly found: readonly FoundLink[] }
  /** There is none, or it is empty, or fetching it is forbidden; `found`: where else to search. */
  | {
      readonly kind: 'none';
      readonly statusCode: number | null;
      readonly found?: readonly FoundLink[];
    }
  | {
      readonly kind: 'failed';
      readonly errorClass: ErrorClass;
      readonly statusCode: number | null;
      readonly retryAfterMs: number | null;
    }
  /** Other sitemaps were being read all the time. */
  | { readonly kind: 'later' }
);

const SILENT: HostSignal = { kind: 'silent' };
const LATER_MS = 5_000;

/**
 * A sitemap always ends as skipped: it is no page and costs nothing. Temporary failures are retried
 * like pages.
 */
export function endSitemap(page: ClaimedPage, end: SitemapEnd, maxAttempts: number): PageEnding {
  const { latencyMs, crawlDelayMs } = end;
  const detail = {
    signal: end.kind === 'failed' ? failureSignal(end) : SILENT,
    statusCode: 'statusCode' in end ? end.statusCode : null,
    rung: end.kind === 'later' ? null : 'plain',
    crawlDelayMs,
    ...(latencyMs === undefined ? {} : { latencyMs }),
  };
  const retryInMs = page.attempts < maxAttempts ? pauseMs(page, end) : null;
  if (retryInMs !== null) {
    return ending(page, { state: 'pending', reason: null }, { ...detail, retryInMs });
  }
  const ended = ending(page, { state: 'skipped', reason: 'sitemap' }, detail);
  return { ...ended, found: 'found' in end ? (end.found ?? []) : [] };
}

/** How long until another try; null: there is no point in one. */
function pauseMs(page: ClaimedPage, end: SitemapEnd): number | null {
  switch (end.kind) {
    case 'read':
    case 'none':
      return null;
    case 'later':
      return LATER_MS;
    case 'failed':
      return isTransient(end.errorClass, end.statusCode)
        ? retryDelayMs(page.attempts, end.retryAfterMs)
        : null;
  }
}
