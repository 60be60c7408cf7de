/** Crawl job states and their moves (specification: States and transitions). */
export const JOB_STATUSES = [
  'queued',
  'running',
  'processing',
  'completed',
  'failed',
  'cancelled',
] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * queued: accepted, nothing dispatched yet. running: pages are being fetched.
 * processing: every page has ended and the result file is being written.
 */
const JOB_TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['running', 'processing', 'failed', 'cancelled'],
  running: ['processing', 'failed', 'cancelled'],
  processing: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
};

export function isTerminal(status: JobStatus): boolean {
  return JOB_TRANSITIONS[status].length === 0;
}

/**
 * `crawl` follows links from a seed, `batch` scrapes listed URLs, `extract` makes new results from
 * the stored documents of an ended crawl or batch.
 */
export const JOB_TYPES = ['crawl', 'batch', 'extract'] as const;
export type JobType = (typeof JOB_TYPES)[number];

/** How a crawl uses the site's sitemaps: in addition to links, not at all, or alone. */
export const SITEMAP_MODES = ['include', 'skip', 'only'] as const;
export type SitemapMode = (typeof SITEMAP_MODES)[number];

/** A discovered URL is fetched for its content, or (`sitemap`, also of feeds) for the addresses it lists. */
export const PAGE_KINDS = ['page', 'sitemap'] as const;
export type PageKind = (typeof PAGE_KINDS)[number];

/** States of one discovered URL. Every URL ends in one of the last four, and their sum is `discovered`. */
export const PAGE_STATES = [
  'pending',
  'leased',
  'scraped',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** Why a discovered URL was not fetched, or not kept. */
export type SkipReason =
  /** On another domain than the seed. */
  | 'external'
  /** Above the seed path while `allowBackwardLinks` is off. */
  | 'backward'
  /** Not matched by `includePaths`. */
  | 'not_included'
  /** Matched by `excludePaths`. */
  | 'excluded'
  /** Deeper than `maxDepth`. */
  | 'depth'
  /** Forbidden by robots.txt. */
  | 'robots'
  /** Its site does not allow the use that the caller names. */
  | 'content_use'
  /** Redirected to, or declared itself, a page that is already in this crawl. */
  | 'duplicate'
  /** Its content is that of another page of this crawl, byte for byte. */
  | 'duplicate_content'
  /** The page limit was reached first. */
  | 'limit'
  /** The job's deadline passed first. */
  | 'deadline'
  /** The storage of the plan was full first. */
  | 'storage'
  /** The egress guard refuses the address. */
  | 'blocked'
  /** Not a page: an image, archive or other binary. */
  | 'not_a_page'
  /** Found only by links marked `nofollow`. */
  | 'nofollow'
  /** Robots meta or X-Robots-Tag forbids keeping it. */
  | 'noindex'
  /** Its site says that it was last modified before the instant that the caller names. */
  | 'not_modified'
  /** One address too many of a pattern without an end: calendars, session ids, parameters that grow. */
  | 'trap'
  /** A sitemap, an llms.txt or a feed: read for the addresses it lists, not kept. */
  | 'sitemap';
