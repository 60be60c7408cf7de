import type { FullText } from '@app/content';
import type { ErrorClass, SkipReason } from '@app/contracts';
import { CREDIT_COSTS, hasNoData } from '@app/accounts';
import {
  isOlder,
  isTransient,
  retryDelayMs,
  urlKey,
  type HostSignal,
  type Scope,
  type FoundLink,
  type RecrawlChange,
} from '@app/crawl';
import { scopeOf, type HostVisit, type PageResult } from '@app/scrape';
import { validatorsText, type ClaimedPage } from '../frontier/claim-pages.js';
import type { PageOutcome, SegmentRange } from '../frontier/page-outcome.js';
import type { ShortenedPage } from './repeated-parts.js';
import { crawlResult } from './crawl-result.js';
import { scopeOptions } from './job-page-request.js';
import {
  canonicalOf,
  contentHash,
  followedLinks,
  isListed,
  robotsDirectives,
} from './heeded-directives.js';

/** The end of a claimed page, as it is stored. */
export interface PageEnding {
  readonly page: ClaimedPage;
  readonly outcome: Omit<PageOutcome, 'segment'>;
  /** JSON of the result document of a scraped page. */
  readonly document: string | Uint8Array | null;
  /** Its text for the search index of the job; absent: it has none. */
  readonly text?: FullText & { readonly url: string };
  /** Where the document of the crawl before lies, if it is that of the page still. */
  readonly inherited: SegmentRange | null;
  readonly found: readonly FoundLink[];
  readonly signal: HostSignal;
  readonly crawlDelayMs: number | null | undefined;
  /** The hosts requested for the page, whatever the outcome. */
  readonly visits: readonly HostVisit[];
}

const SILENT: HostSignal = { kind: 'silent' };

export const FAULTY_REASON: ErrorClass = 'unknown';

/** Failed by an internal fault, or every earlier claim ended with its worker: not retried. */
export function faulty(page: ClaimedPage): PageEnding {
  return ending(page, { state: 'failed', reason: FAULTY_REASON }, { signal: SILENT });
}

/** Its host requested a pause meanwhile: no request was sent for the page. */
export function postponed(page: ClaimedPage): PageEnding {
  const detail = { signal: SILENT, retryInMs: page.dueInMs };
  return ending(page, { state: 'pending', reason: null }, detail);
}

const OF_OPTIONS: ReadonlySet<SkipReason | null> = new Set([
  'depth',
  'excluded',
  'not_included',
  'not_a_page',
]);

/** A page of the crawl before that the options of this one leave out: no request is sent for it. Null: it is wanted. */
export function leftOut(page: ClaimedPage): PageEnding | null {
  if (page.options.since === undefined || !isKnown(page) || page.depth === 0) return null;
  const scope = scopeOf(page.jobId, scopeOptions(page));
  const reason = scope.skipReason(new URL(page.url), page.depth);
  // What the start page bounds is known when it has ended.
  if (reason === null || !OF_OPTIONS.has(reason)) return null;
  return ending(page, { state: 'skipped', reason }, { signal: SILENT });
}

export interface EndContext {
  /** Of the crawl from the end of the page on. */
  readonly scope: Scope;
  /** Counts claims. */
  readonly maxAttempts: number;
  /** Address or data URI of the picture that was taken. */
  readonly screenshot?: string | undefined;
  /** Its Markdown as it is stored, if that is not all of it. */
  readonly shortened?: ShortenedPage | null;
}

/** Decides how a fetched page ends. */
export function endPage(page: ClaimedPage, result: PageResult, context: EndContext): PageEnding {
  switch (result.kind) {
    case 'blocked':
      return ending(page, { state: 'skipped', reason: 'blocked' }, { signal: SILENT });
    case 'failed':
      return endFailed(page, result, context.maxAttempts);
    case 'document':
      return endDocument(page, result, context);
    case 'not_modified':
      return endConfirmed(page, result);
  }
}

type Confirmed = Extract<PageResult, { kind: 'not_modified' }>;

/** The site says that the page is as the crawl before has it. Its links are known from there. */
function endConfirmed(page: ClaimedPage, { report: { attempts } }: Confirmed): PageEnding {
  const last = attempts.at(-1);
  if (page.stored === null || last === undefined) return faulty(page);
  const { rung, latencyMs } = last;
  const detail = {
    ...{ rung, latencyMs, statusCode: 304, contentHash: page.baseHash, isUnchanged: true },
    validators: page.validators && validatorsText(page.validators),
    signal: { kind: 'answered', latencyMs } as const,
  };
  const end = ending(page, { state: 'scraped', reason: 'same' }, detail);
  return { ...end, inherited: page.stored };
}

type Failed = Extract<PageResult, { kind: 'failed' }>;

const GONE: ReadonlySet<number | null> = new Set([404, 410]);
/** An answer of a moment is no end of a page. */
const GONE_RETRY_MS = 5_000;

function endFailed(page: ClaimedPage, result: Failed, maxAttempts: number): PageEnding {
  const { errorClass, statusCode, retryAfterMs, crawlDelayMs, isAuthExpired } = result;
  const latencyMs = attemptsMs(result);
  const rung = result.report.attempts.at(-1)?.rung ?? null;
  const detail = { statusCode, signal: failureSignal(result), crawlDelayMs, latencyMs, rung };
  if (result.refusedUse) return ending(page, { state: 'skipped', reason: 'content_use' }, detail);
  if (errorClass === 'robots') return ending(page, { state: 'skipped', reason: 'robots' }, detail);
  // An unreadable document is a failure; a picture or an archive is not a page.
  if (page.options.since !== undefined && isKnown(page) && GONE.has(statusCode)) {
    if (GONE.has(page.lastStatus)) return ending(page, { state: 'failed', reason: 'gone' }, detail);
    const retryInMs = GONE_RETRY_MS;
    return ending(page, { state: 'pending', reason: null }, { ...detail, retryInMs });
  }
  const isForeign = errorClass === 'parse_error' && result.file === undefined;
  if (isForeign && statusCode !== null && statusCode < 300) {
    return ending(page, { state: 'skipped', reason: 'not_a_page' }, detail);
  }
  if (isTransient(errorClass, statusCode) && page.attempts < maxAttempts) {
    const retryInMs = retryDelayMs(page.attempts, retryAfterMs);
    return ending(page, { state: 'pending', reason: null }, { ...detail, retryInMs });
  }
  const reason = isAuthExpired ? 'auth_expired' : result.isRobotsUnread ? 'robots' : errorClass;
  return ending(page, { state: 'failed', reason }, detail);
}

/** What a failure says about the load of its host. */
export function failureSignal({
  errorClass,
  statusCode,
  retryAfterMs,
}: Pick<Failed, 'errorClass' | 'statusCode' | 'retryAfterMs'>): HostSignal {
  const hasFewerFormats = errorClass === 'timeout' || statusCode === 429 || statusCode === 503;
  return hasFewerFormats ? { kind: 'backoff', retryAfterMs } : SILENT;
}

/** Null: no request was sent to the site. */
function attemptsMs({ report: { attempts } }: Failed): number | null {
  if (attempts.length === 0) return null;
  return attempts.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
}

type Document = Extract<PageResult, { kind: 'document' }>;

/** Whether a page is stored: it was fetched, and nothing says that it is not a part of the crawl. */
export function isStored(page: ClaimedPage, result: PageResult, scope: Scope): boolean {
  if (result.kind !== 'document') return false;
  return skipReason(page, result, { scope, alias: aliasOf(page, result) }) === null;
}

type Alias = PageOutcome['alias'];

function skipReason(
  page: ClaimedPage,
  result: Document,
  { scope, alias }: { readonly scope: Scope; readonly alias: Alias },
): SkipReason | null {
  const isMoved = alias !== null && page.depth > 0;
  const outOfScope = isMoved ? scope.skipReason(new URL(alias.url), page.depth) : null;
  if (outOfScope !== null) return outOfScope;
  if (robotsDirectives(page, result).noindex) return 'noindex';
  return isUnmodified(page, result) ? 'not_modified' : null;
}

/** Those of which the crawl keeps the links. */
const FOLLOWED: ReadonlySet<SkipReason | null> = new Set([null, 'noindex', 'not_modified']);

/** The start page is stored in any case: a crawl that finds nothing new has not failed. */
function isUnmodified(
  { depth, options: { modifiedSince } }: ClaimedPage,
  { validators: { lastModified } }: Document,
): boolean {
  return modifiedSince !== undefined && depth > 0 && isOlder(lastModified, modifiedSince);
}

/** Where the page ended; null: where it was sought, or it is listed and counts as that. */
function aliasOf(page: ClaimedPage, { document: { url } }: Document): Alias {
  const finalUrl = new URL(url);
  const finalKey = urlKey(finalUrl);
  if (finalKey === page.urlKey || isListed(page)) return null;
  return { urlKey: finalKey, url, host: finalUrl.host };
}

function endDocument(page: ClaimedPage, result: Document, context: EndContext): PageEnding {
  const { document, crawlDelayMs } = result;
  const { scope, screenshot, shortened } = context;
  const served = document.cascade.attempts.findLast(
    ({ level }) => level === document.cascade.level,
  );
  const [first] = document.cascade.attempts;
  // How fast the host answers, not how long a browser took with the answer.
  const signal: HostSignal = {
    kind: 'answered',
    latencyMs: result.ttfbMs ?? first?.latencyMs ?? document.latencyMs,
  };
  const rung = served?.rung ?? null;
  const { statusCode, latencyMs } = document;
  const scopeUrl = scope.seed === page.scopeUrl ? null : scope.seed;
  const detail = { statusCode, rung, signal, crawlDelayMs, latencyMs, scopeUrl };
  const alias = aliasOf(page, result);
  const reason = skipReason(page, result, { scope, alias });
  const found = FOLLOWED.has(reason) ? followedLinks(page, result) : [];
  if (reason !== null) return { ...ending(page, { state: 'skipped', reason }, detail), found };
  const hash = contentHash(page, result);
  const change = changeOf(page, hash);
  const isSame = change === 'same';
  // What had to be rendered to be compared cost as much as ever.
  const isUnchanged = isSame && rung === 'plain';
  return {
    ...ending(
      page,
      { state: 'scraped', reason: change },
      {
        ...detail,
        alias,
        canonical: canonicalOf(page, document, scope),
        credits: isUnchanged ? 0 : creditsOf(result),
        contentHash: hash,
        ...{ isUnchanged, validators: keptValidators(result) },
        belies:
          change === 'changed' &&
          hasText(page, hash) &&
          keptValidators(result) === ownValidators(page),
      },
    ),
    inherited: isSame ? page.stored : null,
    document:
      isSame && page.stored !== null
        ? null
        : crawlResult(document, page, { screenshot, shortened, packed: result.packed }),
    ...(result.text ? { text: { ...result.text, url: document.url } } : {}),
    found,
  };
}

/** How a page of a recrawl differs from the crawl before; null: the job is no recrawl. */
function changeOf(page: ClaimedPage, hash: string | null): Change | null {
  if (page.options.since === undefined) return null;
  if (!isKnown(page)) return 'new';
  return hash !== null && hash === page.baseHash ? 'same' : 'changed';
}

type Change = Exclude<RecrawlChange, 'gone'>;

/** Whether there are two texts that differ: of content without one the hash is its own key. */
function hasText({ baseHash, urlKey }: ClaimedPage, hash: string | null): boolean {
  return hash !== null && baseHash !== urlKey;
}

/** The crawl before has it. */
function isKnown({ baseHash }: ClaimedPage): boolean {
  return baseHash !== null;
}

/** Those of another address would confirm another page. */
function keptValidators({ document, validators }: Document): string | null {
  return document.redirects === undefined ? validatorsText(validators) : null;
}

/** Null: it has none, so no answer belies them. */
function ownValidators({ validators }: ClaimedPage): string | undefined {
  return (validators && validatorsText(validators)) ?? undefined;
}

function creditsOf({ document }: Document): number {
  return hasNoData(document) ? 0 : CREDIT_COSTS.crawl;
}

export interface EndDetail {
  readonly signal: HostSignal;
  readonly statusCode?: number | null;
  readonly rung?: string | null;
  readonly retryInMs?: number;
  readonly crawlDelayMs?: number | null | undefined;
  readonly alias?: PageOutcome['alias'];
  readonly canonical?: PageOutcome['canonical'];
  readonly credits?: number;
  readonly latencyMs?: number | null;
  readonly scopeUrl?: PageOutcome['scopeUrl'];
  readonly contentHash?: string | null;
  readonly validators?: string | null;
  readonly isUnchanged?: boolean;
  readonly belies?: boolean;
}

/** An ending without a document and without links. */
export function ending(
  page: ClaimedPage,
  end: Pick<PageOutcome, 'state' | 'reason'>,
  detail: EndDetail,
): PageEnding {
  return {
    page,
    outcome: {
      urlKey: page.urlKey,
      fence: page.fence,
      host: new URL(page.url).host,
      ...end,
      retryInMs: detail.retryInMs ?? 0,
      statusCode: detail.statusCode ?? null,
      rung: detail.rung ?? null,
      alias: detail.alias ?? null,
      canonical: detail.canonical ?? null,
      credits: detail.credits ?? 0,
      latencyMs: detail.latencyMs ?? null,
      contentHash: detail.contentHash ?? null,
      validators: detail.validators ?? null,
      isUnchanged: detail.isUnchanged ?? false,
      belies: detail.belies ?? false,
      scopeUrl: detail.scopeUrl ?? null,
    },
    document: null,
    inherited: null,
    found: [],
    signal: detail.signal,
    crawlDelayMs: detail.crawlDelayMs,
    visits: [],
  };
}
