import { trapSign, urlKey, type FoundLink } from '@app/crawl';
import type { CrawlContext } from './crawl-context.js';
import { scopeOf } from './scope-of.js';

/** Maximum length of a URL in the frontier; longer ones are far more often traps than pages. */
const MAX_URL_CHARS = 2_048;

/**
 * Applies the crawl's scope to the links of a page: those to follow, and those recorded with the reason for the
 * skip.
 * @param nofollow the links that the page marks `nofollow`
 */
export function findLinks(
  links: readonly string[],
  crawl: CrawlContext,
  nofollow: readonly string[] = [],
): FoundLink[] {
  const scope = scopeOf(crawl.jobId, crawl.scope);
  const depth = crawl.depth + 1;
  const year = new Date().getUTCFullYear();
  const unvouched = new Set(crawl.robotsAgent === null ? [] : nofollow);
  const found: FoundLink[] = [];
  for (const link of links) {
    if (link.length > MAX_URL_CHARS) continue;
    const url = URL.parse(link);
    if (!url) continue;
    const skip = scope.skipReason(url, depth) ?? (unvouched.has(link) ? 'nofollow' : null);
    found.push({
      urlKey: urlKey(url),
      url: link,
      host: url.host,
      depth,
      skip,
      parentKey: crawl.pageKey,
      bound: skip === null ? trapSign(url, year) : null,
    });
  }
  return found;
}
