import { DEFAULT_JOB_SCRAPE, type CascadeReport, type PageDocument } from '@app/contracts';
import { Scope, urlKey } from '@app/crawl';
import type { ClaimedPage } from '../src/frontier/claim-pages.js';
import type { CrawlOptions } from '../src/create/crawl-options.js';
import type { PageResult } from '@app/scrape';

type ClaimedOver = Partial<Omit<ClaimedPage, 'options'>> & {
  readonly options?: Partial<CrawlOptions>;
};

/** Of the crawl that the pages belong to. */
export const docsScope = new Scope({
  seed: 'http://site.example/docs/',
  maxDepth: null,
  includePaths: [],
  excludePaths: [],
  allowBackwardLinks: false,
});

/** A page of a crawl of `http://site.example/docs/`, claimed for the first time. */
export function claimedPage({ options, ...over }: ClaimedOver = {}): ClaimedPage {
  const url = over.url ?? 'http://site.example/docs/a';
  return {
    jobId: 'job',
    urlKey: urlKey(new URL(url)),
    url,
    depth: 1,
    kind: 'page',
    position: null,
    stored: null,
    ...{ validators: null, baseHash: null, lastStatus: null },
    fence: 1,
    attempts: 1,
    tenantId: 'tenant',
    jobType: 'crawl',
    plan: 'custom',
    seed: 'http://site.example/docs/',
    scopeUrl: over.seed ?? 'http://site.example/docs/',
    pageLimit: 10,
    maxDiscovered: 10_000,
    dueInMs: 0,
    ...over,
    options: {
      maxDepth: null,
      includePaths: [],
      excludePaths: [],
      allowBackwardLinks: false,
      ignoreRobotsTxt: false,
      sitemap: 'include',
      scrape: DEFAULT_JOB_SCRAPE,
      ...options,
    },
  };
}

export const REPORT: CascadeReport = {
  level: 1,
  attempts: [{ rung: 'plain', level: 1, ok: true, latencyMs: 20, errorClass: null }],
  unblock: [],
};

export type DocumentResult = Extract<PageResult, { kind: 'document' }>;

/** Outcome of fetching a page. */
export function documentResult(
  document: Partial<PageDocument> = {},
  over: Partial<DocumentResult> = {},
): DocumentResult {
  const url = document.url ?? 'http://site.example/docs/a';
  return {
    kind: 'document',
    document: {
      sourceUrl: url,
      statusCode: 200,
      contentType: 'text/html',
      markdown: 'x',
      metadata: {},
      fetchMethod: 'plain',
      latencyMs: 20,
      cascade: REPORT,
      ...document,
      url,
    },
    validators: {},
    isNoStore: false,
    ttfbMs: null,
    screenshot: null,
    found: [],
    crawlDelayMs: null,
    ...over,
  };
}
