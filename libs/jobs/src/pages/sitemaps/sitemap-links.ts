import {
  discoverSitemaps,
  MAX_INDEX_DEPTH,
  siteHostOf,
  sitemapKey,
  urlKey,
  type Scope,
  type SitemapFile,
  type TrapSign,
  type FoundLink,
} from '@app/crawl';
import type { ClaimedPage } from '../../frontier/claim-pages.js';

/** Most sitemaps one job reads. */
export const MAX_JOB_SITEMAPS = 15;
const BOUND: TrapSign = { shape: 'sitemap', most: MAX_JOB_SITEMAPS };
/** Where `/sitemap.xml` is none. */
const SECOND_GUESS = '/sitemap_index.xml';
const FIRST_GUESS = '/sitemap.xml';
/** Time that judging links may take before others get their turn of the event loop: patterns differ in cost. */
const TURN_MS = 10;

/**
 * Whether the end of this page is the time to search for sitemaps: the end of a seed that may lead
 * further.
 */
export function wantsSitemaps({ kind, depth, jobType, pageLimit, options }: ClaimedPage): boolean {
  const isSeed = kind === 'page' && depth === 0 && jobType === 'crawl';
  return isSeed && options.sitemap !== 'skip' && options.maxDepth !== 0 && pageLimit > 1;
}

/**
 * The sitemaps of a site to begin with: those robots.txt names, else that of the seed's folder and the first of
 * the usual places.
 * @param final address of the seed after redirects
 */
export function firstSitemaps(
  page: ClaimedPage,
  final: URL,
  robotsLines: readonly string[],
): FoundLink[] {
  const bounds = new URL(page.scopeUrl);
  // A seed that led out of the scope: its sitemaps list nothing of this crawl.
  if (siteHostOf(final) !== siteHostOf(bounds)) return [];
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
  file: Pick<SitemapFile, 'links' | 'children'>,
  scope: Scope,
): Promise<FoundLink[]> {
  const found = new Map<string, FoundLink>();
  let turnEndMs = performance.now() + TURN_MS;
  for (const { loc } of file.links) {
    if (found.size >= page.maxDiscovered) break;
    if (performance.now() > turnEndMs) {
      await nextTurn();
      turnEndMs = performance.now() + TURN_MS;
    }
    const link = pageLink(loc, page.urlKey, scope);
    if (link && !found.has(link.urlKey)) found.set(link.urlKey, link);
  }
  return [...found.values(), ...childLinks(page, file)];
}

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
