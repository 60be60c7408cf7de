import { Deadline, DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS } from '@app/contracts';
import { listsPages, siteHostOf } from '@app/crawl';
import { PLAIN_RENDER } from '@app/fetch';
import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageRequest } from '../page/page-result.js';
import type { MapTerms } from './map-terms.js';
import { SiteLinks } from './site-links.js';
import type { MapLink, ReadingCut } from './sitemap-task.js';

/** The internal links of pages of a site. */
export interface PageLinks {
  /** Those of each page that was read, in the order of the request. */
  readonly files: readonly (readonly MapLink[])[];
  /** Internal links in these pages, whether they match the search or not. */
  readonly siteLinks: number;
  /** A page was not read because the time was over. */
  readonly isLate: boolean;
  readonly cuts: readonly ReadingCut[];
  /** URLs of the pages that are lists of pages themselves, such as feeds. */
  readonly lists: readonly string[];
  /** Feeds that the pages name. */
  readonly feeds: readonly { readonly url: string }[];
  /** Why the first of the pages was not read, if none was. */
  readonly failure: PageFailure | null;
}

export type PageFailure =
  | { readonly kind: 'failed'; readonly problem: string; readonly isLate: boolean }
  | { readonly kind: 'blocked' };

interface ReadPage {
  readonly kind: 'page';
  readonly requested: URL;
  /** URL after redirects. */
  readonly final: URL;
  readonly hrefs: readonly string[];
  readonly contentType: string | null;
  readonly feeds: PageLinks['feeds'];
}

/**
 * The internal links of pages, fetched at the same time, so that one that hangs costs the others nothing. Every
 * fetch method is tried: a page rendered by scripts has links, too.
 */
export async function linksOfPages(
  pages: PageFetcher,
  urls: readonly URL[],
  terms: MapTerms,
): Promise<PageLinks> {
  const results = await Promise.all(urls.map((url) => readPage(pages, url, terms)));
  const read = results.filter((result) => result.kind === 'page');
  const failures = results.filter((result) => result.kind !== 'page');
  const filter = { ...terms.filter, site: siteOfPages(read, terms) };
  const found = read.map(({ hrefs }) => {
    const links = new SiteLinks(filter);
    for (const href of hrefs) links.add(href);
    return links;
  });
  return {
    files: found.map(({ links }) => links),
    siteLinks: found.reduce((sum, { siteLinks }) => sum + siteLinks, 0),
    isLate: failures.some((failure) => failure.kind === 'failed' && failure.isLate),
    cuts: found.some(({ isCut }) => isCut) ? ['link_bytes'] : [],
    lists: read
      .filter(({ final: url, contentType }) => listsPages(url, contentType))
      .map(({ final: url }) => url.href),
    feeds: read.flatMap(({ feeds }) => feeds),
    failure: read.length > 0 ? null : failureOf(failures),
  };
}

/**
 * The homepage of a site that moved as a whole is on its new host. A homepage that alone is elsewhere moves
 * nothing: the given page is still on the site.
 */
function siteOfPages(read: readonly ReadPage[], { origin, filter }: MapTerms): string {
  const home = read.find(({ requested }) => requested.href === origin.href);
  const isHere = read.some(({ final }) => siteHostOf(final) === siteHostOf(origin));
  return home === undefined || isHere ? filter.site : home.final.href;
}

function failureOf(failures: readonly PageFailure[]): PageFailure | null {
  return failures.find(({ kind }) => kind === 'failed') ?? failures[0] ?? null;
}

async function readPage(
  pages: PageFetcher,
  requested: URL,
  terms: MapTerms,
): Promise<ReadPage | PageFailure> {
  const result = await pages.fetch(requestOf(requested, terms));
  switch (result.kind) {
    case 'blocked':
      return { kind: 'blocked' };
    case 'failed': {
      const isLate = result.errorClass === 'timeout' || terms.fetchBy.isPassed;
      return { kind: 'failed', problem: result.problem, isLate };
    }
    case 'not_modified':
      throw new Error('304 without a conditional request');
    case 'document': {
      const { url, links = [], contentType, metadata } = result.document;
      const { feeds = [] } = metadata;
      return { kind: 'page', requested, final: new URL(url), hrefs: links, contentType, feeds };
    }
  }
}

/** The cascade keeps as much back of its deadline, to convert a page that comes at the last moment. */
const CONVERSION_MS = 1_000;

function requestOf({ href }: URL, { tenantId, plan, fetchBy, signal }: MapTerms): PageRequest {
  return {
    url: href,
    deadline: Deadline.at(fetchBy.atMs + CONVERSION_MS),
    signal,
    ignoreRobotsTxt: false,
    outputs: { links: true },
    tenantId,
    plan,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'report',
    crawl: null,
  };
}
