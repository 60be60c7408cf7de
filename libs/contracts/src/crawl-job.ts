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
export const JOB_TRANSITIONS: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
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
export const SKIP_REASONS = [
  /** On another domain than the seed. */
  'external',
  /** Above the seed path while `allowBackwardLinks` is off. */
  'backward',
  /** Not matched by `includePaths`. */
  'not_included',
  /** Matched by `excludePaths`. */
  'excluded',
  /** Deeper than `maxDepth`. */
  'depth',
  /** Forbidden by robots.txt. */
  'robots',
  /** Redirected to, or declared itself, a page that is already in this crawl. */
  'duplicate',
  /** The page limit was reached first. */
  'limit',
  /** The job's deadline passed first. */
  'deadline',
  /** The egress guard refuses the address. */
  'blocked',
  /** Not a page: an image, archive or other binary. */
  'not_a_page',
] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];
