import type { PageDocument } from '@app/contracts';
import {
  canonicalClaim,
  NO_DIRECTIVES,
  urlKey,
  type RobotsDirectives,
  type Scope,
  type FoundLink,
} from '@app/crawl';
import type { CanonicalAlias } from '../frontier/page-outcome.js';
import type { ClaimedPage } from '../frontier/claim-pages.js';
import type { PageResult } from '@app/scrape';

type Document = Extract<PageResult, { kind: 'document' }>;

/** URLs of a batch were listed one by one: no directive of a page changes that. */
export function isListed({ jobType }: ClaimedPage): boolean {
  return jobType === 'batch';
}

/** What the page asks of robots, as far as the job heeds it. */
export function robotsDirectives(page: ClaimedPage, { robots }: Document): RobotsDirectives {
  const isHeeded = !isListed(page) && !page.options.ignoreRobotsTxt;
  return isHeeded ? (robots ?? NO_DIRECTIVES) : NO_DIRECTIVES;
}

/** The links of a page as its job follows them. */
export function followedLinks(page: ClaimedPage, result: Document): readonly FoundLink[] {
  if (isListed(page) || page.options.sitemap === 'only') return [];
  if (!robotsDirectives(page, result).nofollow) return result.found;
  return result.found.map((link) =>
    link.skip === null ? { ...link, skip: 'nofollow', bound: null } : link,
  );
}

/** The canonical address of a page, when it is another one, believable and of the crawl. */
export function canonicalOf(
  page: ClaimedPage,
  { url, metadata }: PageDocument,
  scope: Scope,
): CanonicalAlias | null {
  if (isListed(page)) return null;
  const final = new URL(url);
  const claim = canonicalClaim(final, metadata.canonical);
  if (!claim || scope.skipReason(claim.url, page.depth)) return null;
  const key = urlKey(claim.url);
  if (key === page.urlKey || key === urlKey(final)) return null;
  return {
    urlKey: key,
    url: claim.url.href,
    host: claim.url.host,
    isVariant: claim.isVariant,
  };
}

/**
 * Equal for pages of equal content, in any set of formats. Null for blank or incomplete content: two pages that did not
 * load are not the same page.
 */
export function contentHash(
  page: ClaimedPage,
  { document: { partialReason }, contentKey }: Document,
): string | null {
  return isListed(page) || partialReason !== undefined ? null : (contentKey ?? null);
}
