import { Deadline, ownWaitsMs, type FetchOptions, type PageOutputs } from '@app/contracts';
import type { Scope, ScopeOptions } from '@app/crawl';
import type { Validators } from '@app/fetch';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import {
  outputsOf,
  scopeOf,
  type PageRequest,
  type PageResult,
  type RequestPace,
} from '@app/scrape';

export interface JobPageTerms {
  readonly signal: AbortSignal;
  readonly pace: RequestPace;
  readonly fetchTimeoutMs: number;
  /** Product token that pages address this robot by. */
  readonly robotsAgent: string;
}

/** The request of a job's page, by the scrape options of the job. */
export function jobPageRequest(page: ClaimedPage, terms: JobPageTerms): PageRequest {
  const { scrape, ignoreRobotsTxt, respectUse } = page.options;
  const { content } = scrape;
  const fetch = fetchOptions(page);
  const validators = sentValidators(page);
  return {
    ...(validators ? { validators } : {}),
    url: page.url,
    deadline: Deadline.after(terms.fetchTimeoutMs + ownWaitsMs(fetch)),
    signal: terms.signal,
    ignoreRobotsTxt,
    ...(respectUse === undefined ? {} : { respectUse }),
    outputs: outputsOfPage(page),
    tenantId: page.tenantId,
    fetch,
    content,
    render: {
      removeOverlays: content.onlyMainContent,
      cookies: [],
      contextKey: contextKey(page, fetch),
    },
    // The dispatcher waits instead: a delay never holds a worker.
    onRetryAfter: 'report',
    crawl: {
      jobId: page.jobId,
      pageKey: page.urlKey,
      depth: page.depth,
      scope: scopeOptions(page),
      movesScope: movesScope(page),
      robotsAgent: ignoreRobotsTxt ? null : terms.robotsAgent,
    },
    pace: terms.pace,
  };
}

/** Of 256 pages of a recrawl so many are fetched in full whatever their validators; told by the last byte of the URL key. */
export const SAMPLED_BYTES = 13;

/**
 * The validators to send with the request of a page; undefined: it is fetched in full. So is the start page, whose sitemaps
 * and other lists are read.
 */
function sentValidators({ validators, urlKey, depth }: ClaimedPage): Validators | undefined {
  const isSampled = depth === 0 || Number.parseInt(urlKey.slice(-2), 16) < SAMPLED_BYTES;
  return isSampled ? undefined : (validators ?? undefined);
}

/** Where the blocks of a page are compared with those of others, its Markdown is. */
function outputsOfPage({ options: { scrape, index = false } }: ClaimedPage): PageOutputs {
  const { dropRepeated = false } = scrape;
  const { passages, maxTokens } = scrape;
  const outputs = {
    ...outputsOf(scrape),
    ...{ fullText: index, contentKey: true },
    ...(passages ? { passages } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
  return dropRepeated ? { ...outputs, markdown: true, blocks: true } : { ...outputs, packed: true };
}

/** The caller's headers and cookies are for the site of the seed: no other origin of the crawl gets them. */
export function fetchOptions({
  url,
  seed,
  jobType,
  options: { scrape },
}: ClaimedPage): FetchOptions {
  const isOwn = jobType === 'batch' || new URL(url).origin === new URL(seed).origin;
  return isOwn ? scrape.fetch : { ...scrape.fetch, headers: {}, cookies: null };
}

/** Pages that get the caller's secrets share no browser context with those that do not. */
function contextKey(
  { jobId, url }: ClaimedPage,
  { headers, cookies, profile }: FetchOptions,
): string | null {
  if (profile !== undefined) return null;
  const { host, origin } = new URL(url);
  const isPersonal = cookies !== null || Object.keys(headers).length > 0;
  return isPersonal ? `${jobId} ${origin} own` : `${jobId} ${host}`;
}

/** Where the start page of a crawl ends bounds the crawl, unless the caller keeps it to the URL that was sent. */
function movesScope({ kind, depth, jobType, options: { strictScope } }: ClaimedPage): boolean {
  return kind === 'page' && depth === 0 && jobType === 'crawl' && strictScope !== true;
}

/** The scope of the crawl of a page once the page has ended. */
export function scopeAfter(page: ClaimedPage, result: PageResult): Scope {
  const scope = scopeOf(page.jobId, scopeOptions(page));
  if (result.kind !== 'document' || !movesScope(page)) return scope;
  return scopeOf(page.jobId, scope.startedAt(new URL(result.document.url)));
}

export function scopeOptions({ scopeUrl, options }: ClaimedPage): ScopeOptions {
  return {
    seed: scopeUrl,
    maxDepth: options.maxDepth,
    includePaths: options.includePaths,
    excludePaths: options.excludePaths,
    ...(options.pathRegexes ? { pathRegexes: options.pathRegexes } : {}),
    allowBackwardLinks: options.allowBackwardLinks,
  };
}
