import { urlKey } from '@app/crawl';
import type { FoundLink } from '@app/store';
import type { CrawlContext } from './content-task.js';
import { scopeOf } from './scope-of.js';

/** Longest address kept in the frontier; longer ones are traps far more often than pages. */
const MAX_URL_CHARS = 2_048;

/** Judges the links of a page for a crawl: those to follow and those recorded with the reason why not. */
export function findLinks(links: readonly string[], crawl: CrawlContext): FoundLink[] {
  const scope = scopeOf(crawl.jobId, crawl.scope);
  const depth = crawl.depth + 1;
  const found: FoundLink[] = [];
  for (const link of links) {
    if (link.length > MAX_URL_CHARS) continue;
    const url = URL.parse(link);
    if (!url) continue;
    found.push({
      urlKey: urlKey(url),
      url: link,
      host: url.host,
      depth,
      skip: scope.skipReason(url, depth),
    });
  }
  return found;
}
