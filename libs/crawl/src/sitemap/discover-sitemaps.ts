import { folderOf } from '../scope.js';
import { MAX_DECLARED_SITEMAPS, MAX_LOC_CHARS } from './sitemap-file.js';

/** Where sitemaps are looked for that no robots.txt names (specification: POST /v1/map). */
const WELL_KNOWN = ['/sitemap.xml', '/sitemap_index.xml'] as const;
/** Names of sitemaps and feeds, as opposed to pages: compressed or not. */
const SITEMAP_NAME = /(?:\.(?:xml|txt|rss|atom|rdf|opml)|\/feed\.json)(?:\.gz)?$/i;
/** Media types of feeds and of files that list feeds; plain XML may be one. */
const LIST_TYPE =
  /^\s*(?:application\/(?:(?:rss|atom|rdf)\+xml|feed\+json|xml)|text\/(?:xml|x-opml))\s*(?:;|$)/i;
const LLMS_TXT = 'llms.txt';
/** Feeds of a page that are read; sites that offer one for each comment thread name hundreds. */
const MAX_PAGE_FEEDS = 10;

/** Sitemaps of a site, in the order they are tried. */
export interface SitemapPlaces {
  /**
   * The sitemap of the given page, if it is not one of the others: a site below a path, such as a project of
   * GitHub Pages, cannot be named in the robots.txt of its host.
   */
  readonly own: readonly string[];
  /** Named by robots.txt, on whatever host. */
  readonly declared: readonly string[];
  /** Well-known places that are not declared. */
  readonly guessed: readonly string[];
  /** robots.txt names more than {@link MAX_DECLARED_SITEMAPS}. */
  readonly isCut: boolean;
}

/** Whether a URL names a sitemap, a feed or another list of pages rather than a page. */
export function namesSitemap({ pathname }: URL): boolean {
  return SITEMAP_NAME.test(pathname);
}

/** The same for a page that was fetched: feeds often have the names of pages. */
export function listsPages(url: URL, contentType: string | null): boolean {
  return namesSitemap(url) || LIST_TYPE.test(contentType ?? '');
}

/** Files beside sitemaps that name pages of a site: its llms.txt files, and the feeds of its start page. */
export const SEED_SOURCES = ['llms.txt', 'feeds'] as const;
export type SeedSource = (typeof SEED_SOURCES)[number];

/** Where the other sources of a site are. */
export interface SeedPlaces {
  readonly llmsTxt: readonly string[];
  readonly feeds: readonly string[];
}

/**
 * @param page its URL after redirects: an llms.txt lies at the root of a site, or of a part of it
 * @param feeds those that the page names
 */
export function seedPlaces(
  page: URL,
  feeds: readonly { readonly url: string }[],
  sources: readonly SeedSource[],
): SeedPlaces {
  const folders = new Set([folderOf(page.pathname), '']);
  const isWanted = (source: SeedSource): boolean => sources.includes(source);
  return {
    llmsTxt: isWanted('llms.txt')
      ? [...folders].map((folder) => atPath(page, `${folder}/${LLMS_TXT}`))
      : [],
    feeds: isWanted('feeds') ? feeds.slice(0, MAX_PAGE_FEEDS).map(({ url }) => url) : [],
  };
}

/** Set, not resolved: a path that begins with `//` would name another host. */
function atPath({ origin }: URL, path: string): string {
  const url = new URL(origin);
  url.pathname = path;
  return url.href;
}

/**
 * The sitemap of the given page comes first, then what robots.txt names, then the well-known places.
 * @param robotsSitemaps values of its Sitemap lines, as written
 * @param page any page of the site
 */
export function discoverSitemaps(robotsSitemaps: readonly string[], page: URL): SitemapPlaces {
  const { origin } = page;
  const lines = new Set<string>();
  for (const line of robotsSitemaps) {
    const href = addressOf(line, origin);
    if (href !== null) lines.add(href);
  }
  const declared = [...lines].slice(0, MAX_DECLARED_SITEMAPS);
  const guessed = WELL_KNOWN.map((path) => new URL(path, origin).href);
  const own = ownSitemap(page);
  return {
    own: own === null || [...declared, ...guessed].includes(own) ? [] : [own],
    declared,
    guessed: guessed.filter((href) => !declared.includes(href)),
    isCut: lines.size > declared.length,
  };
}

/**
 * The page itself if it is a sitemap, else `sitemap.xml` of its folder. The folders above are left out: nearly all
 * have none, and a host's 404 may be as costly as a page.
 */
function ownSitemap(page: URL): string | null {
  if (namesSitemap(page)) return addressOf(page.href, page.origin);
  return addressOf(atPath(page, `${folderOf(page.pathname)}/sitemap.xml`), page.origin);
}

/** A Sitemap line must hold a full address; half of one is understood all the same. */
function addressOf(line: string, origin: string): string | null {
  const url = URL.parse(line.trim(), origin);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  return url.href.length > MAX_LOC_CHARS ? null : url.href;
}
