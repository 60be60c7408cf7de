/** Bytes read of one sitemap, after inflating: what the sitemap protocol allows a file. */
export const MAX_SITEMAP_BYTES = 52_428_800;
/** Entries read of one sitemap, pages and child sitemaps together: what the protocol allows a file. */
export const MAX_SITEMAP_URLS = 50_000;
/** Characters of a JSON Feed, which is parsed whole: the worst takes 120 MB of the heap. Longer ones are not read. */
export const MAX_JSON_FEED_CHARS = 2_097_152;
/** Longest address that is kept; the frontier keeps none longer. */
export const MAX_LOC_CHARS = 2_048;
/** Child sitemaps that one map reads (specification: POST /v1/map). */
export const MAX_CHILD_SITEMAPS = 15;
/** Indexes above one another that are followed; the protocol knows one, real sites two. */
export const MAX_INDEX_DEPTH = 3;
/** Sitemap lines of one robots.txt that are followed. */
export const MAX_DECLARED_SITEMAPS = 15;
/** A `.gz` that a server compresses once more has two layers; more of them serve no reader. */
export const MAX_GZIP_LAYERS = 2;

/** What a file turned out to be, whatever its name and content type say. */
export type SitemapKind =
  | 'urlset'
  | 'index'
  | 'rss'
  | 'atom'
  | 'opml'
  /** A JSON Feed. */
  | 'json'
  /** One address per line, or Markdown: an llms.txt. */
  | 'text'
  /** No sitemap: an HTML page, JSON, nothing at all. */
  | 'unknown';

/** Names of what was cut off a sitemap. */
export type SitemapCut =
  /** More than {@link MAX_SITEMAP_BYTES}, or of a JSON Feed {@link MAX_JSON_FEED_CHARS}. */
  | 'bytes'
  /** More than {@link MAX_SITEMAP_URLS} entries. */
  | 'urls'
  /** An address longer than {@link MAX_LOC_CHARS} was left out. */
  | 'loc_length'
  /** The file broke off: gzip cut short or damaged, the root element never closed. */
  | 'incomplete'
  /** More than {@link MAX_GZIP_LAYERS} layers of gzip. */
  | 'nested_gzip';

/** One address a sitemap lists. */
export interface SitemapEntry {
  /** Absolute http or https address, resolved against the sitemap's own, without fragment. */
  readonly loc: string;
  /** As written: a W3C date, in RSS one of RFC 822. Not checked. */
  readonly lastmod?: string;
}

/** Where the bytes of a sitemap come from. */
export interface SitemapSource {
  /** Address after redirects. */
  readonly url: string;
  /** The Content-Type header. Only its charset is believed: servers send sitemaps as anything. */
  readonly contentType: string | null;
  /** The bytes are known to stop short of the file's end. @default false */
  readonly isCut?: boolean;
}

/** What a sitemap, a feed, an OPML file or an llms.txt lists, in its own order; doubles and other hosts are left in. */
export interface SitemapFile {
  readonly kind: SitemapKind;
  /** Pages. */
  readonly links: readonly SitemapEntry[];
  /** Sitemaps that an index names, or feeds that an OPML file names. */
  readonly children: readonly SitemapEntry[];
  /** Empty: the file was read whole. */
  readonly cuts: readonly SitemapCut[];
}
