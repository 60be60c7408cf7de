import { Deadline, type MapTask, type Plan } from '@app/contracts';
import type { LinkFilter } from './sitemap-task.js';

/** What one map is done under. */
export interface MapTerms {
  readonly tenantId: string;
  readonly plan: Plan;
  readonly origin: URL;
  readonly filter: LinkFilter;
  /** By then everything has to be fetched; what is left after it is for reading and answering. */
  readonly fetchBy: Deadline;
  /** Longest that robots.txt and a sitemap no index names may take: one that hangs leaves time to the homepage. */
  readonly fileMs: number;
  /** By then the answer is due. */
  readonly answerBy: Deadline;
  readonly signal: AbortSignal;
}

/** Bytes of addresses that one map keeps, and that one file hands it. */
export const MAX_LINK_BYTES = 64 * 1024 * 1024;
/** Part of the time that is kept back for reading what was half fetched. */
const ANSWER_SHARE = 0.06;
/** Part that each of robots.txt and the sitemaps gets which are asked for first. */
const FILE_SHARE = 0.35;

export function termsOf(task: MapTask, signal: AbortSignal): MapTerms {
  const answerBy = Deadline.at(task.deadlineAtMs);
  const budgetMs = answerBy.remainingMs();
  return {
    tenantId: task.tenantId,
    plan: task.plan,
    origin: new URL('/', task.url),
    filter: {
      site: task.url,
      search: task.search?.toLowerCase() ?? null,
      most: task.limit + 1,
      mostBytes: MAX_LINK_BYTES,
    },
    fetchBy: Deadline.at(task.deadlineAtMs - budgetMs * ANSWER_SHARE),
    fileMs: budgetMs * FILE_SHARE,
    answerBy,
    signal,
  };
}
