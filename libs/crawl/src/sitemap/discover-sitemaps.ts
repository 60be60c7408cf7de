import { MAX_DECLARED_SITEMAPS, MAX_LOC_CHARS } from './sitemap-file.js';

/** Where sitemaps are looked for that no robots.txt names (specification: POST /v1/map). */
const WELL_KNOWN = ['/sitemap.xml', '/sitemap_index.xml'] as const;

/** Sitemaps of a site, in the order they are tried. */
export interface SitemapPlaces {
  /** Named by robots.txt, on whatever host. */
  readonly declared: readonly string[];
  /** Well-known places that are not declared. */
  readonly guessed: readonly string[];
  /** robots.txt names more than {@link MAX_DECLARED_SITEMAPS}. */
  readonly isCut: boolean;
}

/**
 * What robots.txt names comes first, then the well-known places.
 * @param robotsSitemaps values of its Sitemap lines, as written
 */
export function discoverSitemaps(robotsSitemaps: readonly string[], origin: string): SitemapPlaces {
  const lines = new Set<string>();
  for (const line of robotsSitemaps) {
    const href = addressOf(line, origin);
    if (href !== null) lines.add(href);
  }
  const declared = [...lines].slice(0, MAX_DECLARED_SITEMAPS);
  const guessed = WELL_KNOWN.map((path) => new URL(path, origin).href);
  return {
    declared,
    guessed: guessed.filter((href) => !declared.includes(href)),
    isCut: lines.size > declared.length,
  };
}

/** A Sitemap line must hold a full address; half of one is understood all the same. */
function addressOf(line: string, origin: string): string | null {
  const url = URL.parse(line.trim(), origin);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  url.hash = '';
  return url.href.length > MAX_LOC_CHARS ? null : url.href;
}
