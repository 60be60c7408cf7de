import {
  outputValues,
  type CascadeReport,
  type PageDocument,
  type PageMetadata,
} from '@app/contracts';
import { headerDirectives, joinDirectives } from '@app/crawl';
import type { FetchedPage, ServedPage, Validators } from '@app/fetch';
import { pageUse } from '@app/uses';
import type { ContentResult } from '../content/content-task.js';
import { besidePacked } from '../content/pack-content.js';
import { addUsage } from '../models/read-by-model.js';
import { headerMarkdownUrl } from './markdown-twin.js';
import {
  NOT_REQUESTED,
  type FailedPage,
  type PageRequest,
  type PageResult,
  type ReadFile,
} from './page-result.js';
import type { SiteUse } from './site-uses.js';

interface Circumstances {
  readonly latencyMs: number;
  readonly crawlDelayMs: number | null | undefined;
  readonly site: SiteUse;
}

/** The page result of a served page. */
export function presentPage(
  served: ServedPage<ContentResult | null>,
  request: PageRequest,
  { latencyMs, crawlDelayMs, site }: Circumstances,
): PageResult {
  const { page, content: result, report } = served;
  if (result === null) return { ...conversionTimeout(report), crawlDelayMs };
  const { content: _, file: __, verdict: ___, ...readings } = result;
  return {
    kind: 'document',
    document: documentOf(served, result, request, { latencyMs, site }),
    ...readings,
    crawlDelayMs,
    validators: validatorsOf(page),
    ttfbMs: page.timings['ttfbMs'] ?? null,
    isNoStore: /(?:^|,)\s*no-store\s*(?:,|$)/i.test(page.headers['cache-control'] ?? ''),
    screenshot: page.screenshot ?? null,
    ...watchedOf(page),
    ...loggedInOf(page, result),
    ...robotsOf(page, result, request),
  };
}

type PageDone = Extract<PageResult, { kind: 'document' }>;

function loggedInOf(
  { cookies }: FetchedPage,
  { verdict }: ContentResult,
): Pick<PageDone, 'loggedIn'> {
  if (cookies === undefined) return {};
  return { loggedIn: { cookies, isAskedAgain: (verdict?.passwordFields ?? 0) > 0 } };
}

function watchedOf({ watched, isUnsettled = false }: FetchedPage): Pick<PageDone, 'watched'> {
  if (!watched) return {};
  const { isCapped, isUnresponsive } = watched;
  return { watched: { isCapped, isUnresponsive, isUnsettled } };
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
  { page, fetchMethod, report, partialReason, fallback, signals }: ServedPage<unknown>,
  { content, file, packed }: ContentResult,
  { url: sourceUrl, outputs }: PageRequest,
  { latencyMs, site }: Pick<Circumstances, 'latencyMs' | 'site'>,
): PageDocument {
  const cutBy = file?.ok ? file.file.truncatedBy : content.truncatedBy;
  const reason = partialReason ?? cutBy ?? content.partReason ?? null;
  return {
    url: page.url,
    sourceUrl,
    statusCode: page.statusCode,
    contentType: page.contentType,
    ...outputValues(
      packed ? besidePacked(outputs) : file ? { ...outputs, html: false } : outputs,
      content,
    ),
    ...(file?.ok ? fileFields(file) : {}),
    metadata: { ...content.metadata, ...headerMetadata(page, content, site) },
    fetchMethod,
    latencyMs,
    cascade: report,
    ...(signals.length === 0 ? {} : { signals }),
    ...(page.redirects.length === 0 ? {} : { redirects: page.redirects }),
    ...(reason === null ? {} : { partialReason: reason }),
    // Cut content is incomplete from any rung, so `partialReason` excludes `fallback`.
    ...(fallback === null || reason !== null ? {} : { fallback }),
    ...(page.actionResults === undefined ? {} : { actionResults: page.actionResults }),
  };
}

/** Metadata that headers and files of the site add to those of the page. */
function headerMetadata(
  { url, headers }: FetchedPage,
  { metadata }: ContentResult['content'],
  { site, tdmFile }: SiteUse,
): PageMetadata {
  const xRobotsTag = headers['x-robots-tag'];
  const markdownUrl = metadata.markdownUrl ?? headerMarkdownUrl(headers['link'], url);
  const contentUse = pageUse({ site, tdmFile, meta: metadata.contentUse, headers, url });
  return {
    ...(xRobotsTag === undefined ? {} : { xRobotsTag }),
    ...(markdownUrl === undefined ? {} : { markdownUrl }),
    ...(contentUse === undefined ? {} : { contentUse }),
  };
}

function fileFields({ file, chunks, usage }: ReadFile): Partial<PageDocument> {
  const llm = addUsage(undefined, usage);
  return { file, ...(chunks ? { chunks } : {}), ...(llm ? { llm } : {}) };
}

function validatorsOf({ headers, isRendered }: FetchedPage): Validators {
  // A rendered page may change without a change of its document.
  if (isRendered) return {};
  const { etag, 'last-modified': lastModified } = headers;
  return { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
}

function conversionTimeout({ attempts, unblock }: CascadeReport): FailedPage {
  const problem =
    'Fetch failed: the page was fetched but its conversion did not end within its time and memory';
  const report = { level: null, attempts, unblock };
  return { ...NOT_REQUESTED, errorClass: 'timeout', problem, report };
}
