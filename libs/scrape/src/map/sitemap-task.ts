import type { SitemapCut, SitemapKind } from '@app/crawl';

/** A fetched sitemap. `body` is moved to the thread, not copied. */
export interface FetchedSitemap {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Address after redirects. */
  readonly url: string;
  /** The body stops short of the file's end. @default false */
  readonly isCut?: boolean;
}

/** Filter for the links of a sitemap. */
export interface LinkFilter {
  /** The given page of the site; links to other sites are left out. */
  readonly site: string;
  /** Lower-case text that the URLs must contain; null: all. */
  readonly search: string | null;
  /** Maximum number of links returned: one more than requested shows that there are more. */
  readonly maxLinks: number;
  /** Maximum bytes of URLs returned. */
  readonly maxBytes: number;
}

/** One link of a map. */
export interface MapLink {
  readonly url: string;
  /** Identifies it among the links, if different from the URL. */
  readonly key: string | null;
}

/** Memory of a link in bytes: URLs are ASCII. */
export function linkBytes({ url, key }: MapLink): number {
  return url.length + (key?.length ?? 0);
}

/** Names of the cuts made in one file of a map; `link_bytes`: its links beyond `maxBytes`. */
export type ReadingCut = SitemapCut | 'link_bytes';

/** The part of a sitemap that a map needs. */
export interface SitemapReading {
  readonly kind: SitemapKind;
  /** Links that pass the filter, without duplicates, in order. */
  readonly links: readonly MapLink[];
  /** Memory of the links, in bytes. */
  readonly bytes: number;
  /** Internal links, whether they match the search or not. */
  readonly siteLinks: number;
  /** Those of them in the folder of the given page. */
  readonly folderLinks: number;
  readonly children: readonly string[];
  readonly cuts: readonly ReadingCut[];
}
