import type { SitemapCut, SitemapFile, SitemapKind } from '@app/crawl';

/** A sitemap as it was fetched. `body` is moved to the thread, not copied. */
export interface FetchedSitemap {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  /** Address after redirects. */
  readonly url: string;
  /** The body stops short of the file's end. @default false */
  readonly isCut?: boolean;
}

/** Which links of a sitemap are of use. */
export interface LinkFilter {
  /** An address of the site; links to other sites are left out. */
  readonly site: string;
  /** In lower case: part of the addresses wanted; null: all. */
  readonly search: string | null;
  /** Most links handed back: one more than wanted, to tell whether there are more. */
  readonly most: number;
  /** Most bytes of addresses handed back. */
  readonly mostBytes: number;
}

/** What a sitemap thread is asked. */
export type SitemapTask = FetchedSitemap & {
  /** Null: everything the file lists. */
  readonly filter: LinkFilter | null;
};

/** One link of a map. */
export interface MapLink {
  readonly url: string;
  /** What it is told from others by, where that is not the address itself. */
  readonly key: string | null;
}

/** What a link holds of memory: addresses are ASCII. */
export function linkBytes({ url, key }: MapLink): number {
  return url.length + (key?.length ?? 0);
}

/** Names of what was cut off one file of a map; `link_bytes`: its links beyond `mostBytes`. */
export type ReadingCut = SitemapCut | 'link_bytes';

/** What of a sitemap is of use to a map. */
export interface SitemapReading {
  readonly kind: SitemapKind;
  /** Links that pass the filter, without doubles, in order. */
  readonly links: readonly MapLink[];
  /** What the links hold of memory. */
  readonly bytes: number;
  /** Links of the site, whether they were searched for or not. */
  readonly siteLinks: number;
  readonly children: readonly string[];
  readonly cuts: readonly ReadingCut[];
}

export type SitemapResult = SitemapFile | SitemapReading;
