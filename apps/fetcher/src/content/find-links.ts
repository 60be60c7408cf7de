import { Scope, urlKey, type ScopeOptions } from '@app/crawl';
import type { FoundLink } from '@app/store';
import type { CrawlContext } from './content-task.js';

/** Scopes of jobs seen lately; compiling patterns for every page would cost more than matching them. */
const MAX_SCOPES = 200;
/** Longest address kept in the frontier; longer ones are traps far more often than pages. */
const MAX_URL_CHARS = 2_048;

const scopes = new Map<string, Scope>();

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

function scopeOf(jobId: string, options: ScopeOptions): Scope {
  const known = scopes.get(jobId);
  if (known) return known;
  const scope = new Scope(options);
  scopes.set(jobId, scope);
  const [oldest] = scopes.keys();
  if (scopes.size > MAX_SCOPES && oldest !== undefined) scopes.delete(oldest);
  return scope;
}
