import type { FullText } from '@app/content';
import { outputValues, type ErrorClass, type PageDocument, type SkipReason } from '@app/contracts';
import { CREDIT_COSTS, hasNoData } from '@app/accounts';
import {
  isTransient,
  retryDelayMs,
  urlKey,
  type HostSignal,
  type Scope,
  type FoundLink,
} from '@app/crawl';
import { besidePacked, outputsOf, type PageResult, type HostVisit } from '@app/scrape';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { PageOutcome } from '../frontier/page-outcome.js';
import type { ShortenedPage } from './repeated-parts.js';
import {
  canonicalOf,
  contentHash,
  followedLinks,
  isListed,
  robotsDirectives,
} from './heeded-directives.js';
import { toResultDocument, toResultFile, toResultListing } from '../results/result-document.js';

/** The end of a claimed page, as it is stored. */
export interface PageEnding {
  readonly page: ClaimedPage;
  readonly outcome: Omit<PageOutcome, 'segment'>;
  /** JSON of the result document of a scraped page. */
  readonly document: string | Uint8Array | null;
  /** Its text for the search index of the job; absent: it has none. */
  readonly text?: FullText & { readonly url: string };
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
      // Crawls send no validators.
      return faulty(page);
  }
}

type Failed = Extract<PageResult, { kind: 'failed' }>;

function endFailed(page: ClaimedPage, result: Failed, maxAttempts: number): PageEnding {
  const { errorClass, statusCode, retryAfterMs, crawlDelayMs } = result;
  const latencyMs = attemptsMs(result);
  const rung = result.report.attempts.at(-1)?.rung ?? null;
  const detail = { statusCode, signal: failureSignal(result), crawlDelayMs, latencyMs, rung };
  if (errorClass === 'robots') return ending(page, { state: 'skipped', reason: 'robots' }, detail);
  // An unreadable document is a failure; a picture or an archive is not a page.
  const isForeign = errorClass === 'parse_error' && result.file === undefined;
  if (isForeign && statusCode !== null && statusCode < 300) {
    return ending(page, { state: 'skipped', reason: 'not_a_page' }, detail);
  }
  if (isTransient(errorClass, statusCode) && page.attempts < maxAttempts) {
    const retryInMs = retryDelayMs(page.attempts, retryAfterMs);
    return ending(page, { state: 'pending', reason: null }, { ...detail, retryInMs });
  }
  const reason = result.isRobotsUnread ? 'robots' : errorClass;
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
  return outOfScope ?? (robotsDirectives(page, result).noindex ? 'noindex' : null);
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
  const found = reason === null || reason === 'noindex' ? followedLinks(page, result) : [];
  if (reason !== null) return { ...ending(page, { state: 'skipped', reason }, detail), found };
  return {
    ...ending(
      page,
      { state: 'scraped', reason: null },
      {
        ...detail,
        alias,
        canonical: canonicalOf(page, document, scope),
        credits: creditsOf(result),
        contentHash: contentHash(page, result),
      },
    ),
    document: crawlResult(document, page, { screenshot, shortened, packed: result.packed }),
    ...(result.text ? { text: { ...result.text, url: document.url } } : {}),
    found,
  };
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
      scopeUrl: detail.scopeUrl ?? null,
    },
    document: null,
    found: [],
    signal: detail.signal,
    crawlDelayMs: detail.crawlDelayMs,
    visits: [],
  };
}

interface MadeOfPage {
  readonly screenshot?: string | undefined;
  readonly shortened?: ShortenedPage | null | undefined;
  readonly packed?: Uint8Array | undefined;
}

/**
 * JSON of a crawled page as results show it: with exactly the formats the job requested. Of a PDF
 * or DOCX the specification shows five fields. Pages of a batch have the `index` of their URL.
 * @param made what was made of the page: URL or data URI of its picture, its Markdown if it is not stored whole, and outputs
 *   that are JSON already
 */
export function crawlResult(
  page: PageDocument,
  { options, position }: Pick<ClaimedPage, 'options' | 'position'>,
  { screenshot, shortened, packed }: MadeOfPage = {},
): string | Uint8Array {
  const { scrape } = options;
  const at = position === null ? {} : { index: position };
  if (page.file) return JSON.stringify({ ...at, ...toResultFile(page, page.file) });
  const outputs = outputsOf(scrape);
  const values = outputValues(
    packed ? besidePacked(outputs) : outputs,
    shortened ? { ...page, markdown: shortened.markdown } : page,
  );
  const result = JSON.stringify({
    ...at,
    ...toResultDocument(page, values),
    ...(outputs.markdown && shortened ? { dropped_repeated: droppedOf(shortened) } : {}),
    ...(outputs.listing
      ? { listing: toResultListing(page.listing, scrape.listingProvenance) }
      : {}),
    // Null: requested, but no browser could take it.
    ...(outputs.screenshot ? { screenshot: screenshot ?? null } : {}),
  });
  return packed ? joinObjects(result, packed) : result;
}

const EMPTY_OBJECT = 2;

/** UTF-8 of a JSON object with the fields of two, neither of them empty but perhaps the second. */
function joinObjects(first: string, second: Uint8Array): Uint8Array {
  if (second.length <= EMPTY_OBJECT) return Buffer.from(first);
  return Buffer.concat([Buffer.from(`${first.slice(0, -1)},`), second.subarray(1)]);
}

function droppedOf({ blocks, characters }: ShortenedPage): object {
  return { blocks, characters };
}
