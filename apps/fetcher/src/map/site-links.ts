import { canonicalUrl, Scope } from '@app/crawl';
import type { LinkFilter, MapLink } from './sitemap-task.js';

/** The links of one file or page that a map is made of: of the site, searched for, each once. */
export class SiteLinks {
  /** Links of the site, whether they were searched for or not. */
  siteLinks = 0;
  readonly links: MapLink[] = [];
  private readonly seen = new Set<string>();
  private readonly scope: Scope;

  constructor(private readonly filter: LinkFilter) {
    this.scope = new Scope({
      seed: filter.site,
      maxDepth: null,
      includePaths: [],
      excludePaths: [],
      allowBackwardLinks: true,
    });
  }

  add(address: string): void {
    const url = URL.parse(address);
    if (url === null || this.scope.skipReason(url, 0) === 'external') return;
    this.siteLinks++;
    if (url.hash !== '') url.hash = '';
    if (this.links.length === this.filter.most || !this.isSearched(url.href)) return;
    const key = canonicalUrl(url);
    if (this.seen.has(key)) return;
    this.seen.add(key);
    this.links.push({ url: url.href, key: key === url.href ? null : key });
  }

  private isSearched(address: string): boolean {
    const { search } = this.filter;
    return search === null || address.toLowerCase().includes(search);
  }
}
