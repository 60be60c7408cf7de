import { canonicalUrl, Scope } from '@app/crawl';
import { linkBytes, type LinkFilter, type MapLink } from './sitemap-task.js';

/** The links of one file or page for a map: internal, matching the search, without duplicates. */
export class SiteLinks {
  /** Internal links, whether they match the search or not. */
  siteLinks = 0;
  /** Those of them in the folder of `site`. */
  folderLinks = 0;
  readonly links: MapLink[] = [];
  /** Memory of the links, in bytes. */
  bytes = 0;
  /** A link exceeded `maxBytes`; it and those after it are left out. */
  isCut = false;
  private readonly seen = new Set<string>();
  private readonly scope: Scope;

  constructor(private readonly filter: LinkFilter) {
    this.scope = new Scope({
      seed: filter.site,
      maxDepth: null,
      includePaths: [],
      excludePaths: [],
      allowBackwardLinks: false,
    });
  }

  add(address: string): void {
    const url = URL.parse(address);
    const reason = url === null ? 'external' : this.scope.skipReason(url, 0);
    if (url === null || reason === 'external') return;
    this.siteLinks++;
    if (reason !== 'backward') this.folderLinks++;
    if (url.hash !== '') url.hash = '';
    if (this.isFull || !this.isSearched(url.href)) return;
    const key = canonicalUrl(url);
    if (this.seen.has(key)) return;
    const link: MapLink = { url: url.href, key: key === url.href ? null : key };
    const bytes = this.bytes + linkBytes(link);
    this.isCut = bytes > this.filter.maxBytes;
    if (this.isCut) return;
    this.seen.add(key);
    this.links.push(link);
    this.bytes = bytes;
  }

  private get isFull(): boolean {
    return this.isCut || this.links.length === this.filter.maxLinks;
  }

  private isSearched(address: string): boolean {
    const { search } = this.filter;
    return search === null || address.toLowerCase().includes(search);
  }
}
