import type { Settings } from '@app/config';
import type { JobStatus } from '@app/contracts';
import type { JobEntity } from '@app/jobs';

/** Clients wait for ever on any other word. */
export type V2Status = 'scraping' | 'completed' | 'failed' | 'cancelled';

const V2_STATUS: Readonly<Record<JobStatus, V2Status>> = {
  queued: 'scraping',
  running: 'scraping',
  processing: 'scraping',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function v2StatusOf(status: JobStatus): V2Status {
  return V2_STATUS[status];
}

const DAY_MS = 86_400_000;

/**
 * The state of a job, without its documents. A job that failed is a success of this request: clients would otherwise
 * repeat it for ever.
 */
export function presentV2State(
  job: JobEntity,
  { resultDays }: Pick<Settings, 'resultDays'>,
): Record<string, unknown> {
  const { completedAt, createdAt, deadlineAt, options, error, scraped, status } = job;
  const expiresAt = new Date((completedAt ?? deadlineAt).getTime() + resultDays * DAY_MS);
  const warning = options.v2?.warning ?? null;
  return {
    success: true,
    status: v2StatusOf(status),
    ...progressOf(job),
    creditsUsed: scraped,
    expiresAt: expiresAt.toISOString(),
    next: null,
    createdAt: createdAt.toISOString(),
    ...(completedAt === null ? {} : { completedAt: completedAt.toISOString() }),
    ...(warning === null ? {} : { warning }),
    ...(error === null ? {} : { error }),
  };
}

/**
 * Of a batch: its URLs, and those that have ended. Of a crawl: the pages to scrape as known so far, and those that were
 * scraped or failed; links that were not followed are no pages.
 */
function progressOf({
  type,
  pageLimit,
  discovered,
  pending,
  leased,
  scraped,
  failed,
  skipped,
  cancelled,
}: JobEntity): { readonly total: number; readonly completed: number } {
  if (type === 'batch')
    return { total: discovered, completed: discovered - pending - leased - cancelled };
  const completed = scraped + failed;
  const known = discovered - skipped - cancelled;
  return { total: Math.max(completed, Math.min(pageLimit, known)), completed };
}
