import { Deadline, MAP_ANSWER_MS, type MapTask, type Plan } from '@app/contracts';
import { canonicalUrl, namesSitemap } from '@app/crawl';
import type { LinkFilter } from './sitemap-task.js';

/** The limits of one map. */
export interface MapTerms {
  readonly tenantId: string;
  readonly plan: Plan;
  /** The homepage. */
  readonly origin: URL;
  /** The given page, if it is neither the homepage nor a sitemap. */
  readonly page: URL | null;
  readonly filter: LinkFilter;
  /** Everything must be fetched by then: the end of the budget. What follows is for reading and replying. */
  readonly fetchBy: Deadline;
  /**
   * Longest time for robots.txt and for a sitemap that no index names: one that hangs leaves time for the
   * homepage.
   */
  readonly fileMs: number;
  /** Deadline of the reply. */
  readonly answerBy: Deadline;
  readonly signal: AbortSignal;
}

/** Maximum bytes of URLs kept for one map, and returned from one file. */
export const MAX_LINK_BYTES = 64 * 1024 * 1024;
/** Share of the time for robots.txt, and for each of the sitemaps that are fetched first. */
const FILE_SHARE = 0.35;

export function termsOf(task: MapTask, signal: AbortSignal): MapTerms {
  const answerBy = Deadline.at(task.deadlineAtMs);
  const fetchBy = Deadline.at(task.deadlineAtMs - MAP_ANSWER_MS);
  return {
    tenantId: task.tenantId,
    plan: task.plan,
    ...placesOf(new URL(task.url)),
    filter: {
      site: task.url,
      search: task.search?.toLowerCase() ?? null,
      maxLinks: task.limit + 1,
      maxBytes: MAX_LINK_BYTES,
    },
    fetchBy,
    fileMs: fetchBy.remainingMs() * FILE_SHARE,
    answerBy,
    signal,
  };
}

function placesOf(given: URL): Pick<MapTerms, 'origin' | 'page'> {
  const origin = new URL('/', given);
  given.hash = '';
  const isHomepage = canonicalUrl(given) === canonicalUrl(origin);
  return { origin, page: isHomepage || namesSitemap(given) ? null : given };
}
