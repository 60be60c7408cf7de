import { DEFAULT_CONTENT_OPTIONS, DEFAULT_FETCH_OPTIONS, type ErrorClass } from '@app/contracts';
import { PLAIN_RENDER } from '@app/fetch';
import type { PageFetcher } from '../page/page-fetcher.js';
import type { PageRequest } from '../page/page-result.js';
import type { MapTerms } from './map-terms.js';
import { SiteLinks } from './site-links.js';
import type { MapLink, ReadingCut } from './sitemap-task.js';

export type HomepageLinks =
  | {
      readonly kind: 'page';
      readonly links: readonly MapLink[];
      readonly siteLinks: number;
      readonly cuts: readonly ReadingCut[];
    }
  | { readonly kind: 'failed'; readonly problem: string; readonly errorClass: ErrorClass }
  | { readonly kind: 'blocked' };

/**
 * The internal links of a site's homepage, by every fetch method: a homepage rendered by scripts has links, too.
 */
export async function homepageLinks(pages: PageFetcher, terms: MapTerms): Promise<HomepageLinks> {
  const result = await pages.fetch(requestOf(terms));
  switch (result.kind) {
    case 'blocked':
      return { kind: 'blocked' };
    case 'failed':
      return { kind: 'failed', problem: result.problem, errorClass: result.errorClass };
    case 'not_modified':
      throw new Error('304 without a conditional request');
    case 'document': {
      const { url, links: hrefs = [] } = result.document;
      // The homepage of a site that moved as a whole is on its new host.
      const found = new SiteLinks({ ...terms.filter, site: url });
      for (const href of hrefs) found.add(href);
      const { links, siteLinks, isCut } = found;
      return { kind: 'page', links, siteLinks, cuts: isCut ? ['link_bytes'] : [] };
    }
  }
}

function requestOf({ tenantId, plan, origin, fetchBy, signal }: MapTerms): PageRequest {
  return {
    url: origin.href,
    deadline: fetchBy,
    signal,
    ignoreRobotsTxt: false,
    markdown: false,
    rawHtml: false,
    links: true,
    listing: false,
    branding: false,
    chunks: false,
    tenantId,
    plan,
    fetch: DEFAULT_FETCH_OPTIONS,
    content: DEFAULT_CONTENT_OPTIONS,
    render: PLAIN_RENDER,
    onRetryAfter: 'report',
    crawl: null,
  };
}
