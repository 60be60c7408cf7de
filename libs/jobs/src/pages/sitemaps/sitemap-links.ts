import type { PageDocument } from '@app/contracts';
import {
  discoverSitemaps,
  isOlder,
  listsPages,
  MAX_INDEX_DEPTH,
  seedPlaces,
  siteHostOf,
  sitemapKey,
  urlKey,
  type Scope,
  type SitemapFile,
  type TrapSign,
  type FoundLink,
} from '@app/crawl';
import type { ClaimedPage } from '../../frontier/claim-pages.js';

/** Most sitemaps and other lists of pages one job reads. */
export const MAX_JOB_SITEMAPS = 15;
const BOUND: TrapSign = { shape: 'sitemap', most: MAX_JOB_SITEMAPS };
/** Where `/sitemap.xml` is none. */
const SECOND_GUESS = '/sitemap_index.xml';
const FIRST_GUESS = '/sitemap.xml';
/** Time that judging links may take before others get their turn of the event loop: patterns differ in cost. */
const TURN_MS = 10;

/**
 * Whether the end of this page is the time to search for lists of pages: the end of a seed that may lead
 * further.
 */
export function isLeadingSeed({ kind, depth, jobType, pageLimit, options }: ClaimedPage): boolean {
  const isSeed = kind === 'page' && depth === 0 && jobType === 'crawl';
  return isSeed && options.maxDepth !== 0 && pageLimit > 1;
}

/** The same for sitemaps, which the caller may do without. */
export function wantsSitemaps(page: ClaimedPage): boolean {
  return isLeadingSeed(page) && page.options.sitemap !== 'skip';
}

/**
 * The lists of pages that a crawl begins with: the seed itself if it is one, the sitemaps, then the other sources that
 * the caller names. They are read as sitemaps are.
 * @param document of the seed
 */
export function firstLists(
  page: ClaimedPage,
  { url, contentType, metadata }: Pick<PageDocument, 'url' | 'contentType' | 'metadata'>,
  robotsLines: readonly string[],
): FoundLink[] {
  const final = new URL(url);
  // A seed that led out of the scope: its lists name nothing of this crawl.
  if (siteHostOf(final) !== siteHostOf(new URL(page.scopeUrl))) return [];
  const { sources = [] } = page.options;
  const { llmsTxt, feeds } = seedPlaces(final, metadata.feeds ?? [], sources);
  const own = listsPages(final, contentType) ? [url] : [];
  const links = [
    ...linksTo(own, page.urlKey),
    ...(wantsSitemaps(page) ? firstSitemaps(page, final, robotsLines) : []),
    ...linksTo([...llmsTxt, ...feeds], page.urlKey),
  ];
  const first = new Map<string, FoundLink>();
  for (const link of links) if (!first.has(link.urlKey)) first.set(link.urlKey, link);
  return [...first.values()];
}

function linksTo(urls: readonly string[], parentKey: string): FoundLink[] {
  return urls.flatMap((url) => sitemapLink(url, parentKey, 0));
}

/**
 * The sitemaps of a site to begin with: those robots.txt names, else that of the seed's folder and the first of
 * the usual places.
 * @param final address of the seed after redirects
 */
function firstSitemaps(page: ClaimedPage, final: URL, robotsLines: readonly string[]): FoundLink[] {
  const bounds = new URL(page.scopeUrl);
  // On the host that answers, in the folder that bounds the crawl.
  const start = new URL(final);
  ({ pathname: start.pathname, search: start.search } = bounds);
  const { own, declared, guessed } = discoverSitemaps(robotsLines, start);
  const urls = declared.length > 0 ? declared : [...own, ...guessed.slice(0, 1)];
  return urls.flatMap((url) => sitemapLink(url, page.urlKey, 0));
}

/** Another place to look, when the first guess led to no sitemap. */
export function nextGuess({ url, urlKey: parentKey, depth }: ClaimedPage): FoundLink[] {
  const { pathname, search, origin } = new URL(url);
  const isGuess = depth === 0 && pathname === FIRST_GUESS && search === '';
  return isGuess ? sitemapLink(origin + SECOND_GUESS, parentKey, 0) : [];
}

/**
 * Entries of a sitemap: pages of the crawl, as if the seed had linked to them, and further
 * sitemaps.
 */
export async function listedLinks(
  page: ClaimedPage,
  file: Pick<SitemapFile, 'kind' | 'links' | 'children'>,
  scope: Scope,
): Promise<FoundLink[]> {
  const { modifiedSince } = page.options;
  const since = SAYS_MODIFIED.has(file.kind) ? modifiedSince : undefined;
  const found = new Map<string, FoundLink>();
  let turnEndMs = performance.now() + TURN_MS;
  for (const { loc, lastmod } of file.links) {
    if (found.size >= page.maxDiscovered) break;
    if (performance.now() > turnEndMs) {
      await nextTurn();
      turnEndMs = performance.now() + TURN_MS;
    }
    const link = pageLink(loc, page.urlKey, scope);
    // Listed twice, a page is as young as the younger date says.
    if (!link || found.get(link.urlKey)?.skip === null) continue;
    const isUnmodified = since !== undefined && isOlder(lastmod, since);
    found.set(link.urlKey, isUnmodified ? { ...link, skip: 'not_modified' } : link);
  }
  return [...found.values(), ...childLinks(page, file)];
}

/** Dates of other lists may be those of publication. */
const SAYS_MODIFIED: ReadonlySet<SitemapFile['kind']> = new Set(['urlset', 'index', 'atom']);

/** Depth of pages listed in a sitemap. */
const LISTED_DEPTH = 1;

function pageLink(loc: string, parentKey: string, scope: Scope): FoundLink | null {
  const url = URL.parse(loc);
  if (!url || scope.skipReason(url, LISTED_DEPTH)) return null;
  url.hash = '';
  const { href, host } = url;
  return { urlKey: urlKey(url), url: href, host, depth: LISTED_DEPTH, skip: null, parentKey };
}

/** Sitemaps of other sites must be listed in robots.txt. */
function childLinks(page: ClaimedPage, { children }: Pick<SitemapFile, 'children'>): FoundLink[] {
  const depth = page.depth + 1;
  if (depth > MAX_INDEX_DEPTH) return [];
  const own = new Set([siteHostOf(new URL(page.url)), siteHostOf(new URL(page.scopeUrl))]);
  return children
    .filter(({ loc }) => own.has(siteHostOf(new URL(loc))))
    .slice(0, MAX_JOB_SITEMAPS)
    .flatMap(({ loc }) => sitemapLink(loc, page.urlKey, depth));
}

function sitemapLink(address: string, parentKey: string, depth: number): FoundLink[] {
  const url = URL.parse(address);
  if (!url) return [];
  url.hash = '';
  const { href, host } = url;
  const link = { urlKey: sitemapKey(url), url: href, host, depth, skip: null, parentKey };
  return [{ ...link, kind: 'sitemap', bound: BOUND }];
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
