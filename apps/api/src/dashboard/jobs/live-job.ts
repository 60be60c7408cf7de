import { isTerminal, type JobStatus } from '@app/contracts';
import type { JobView } from '../../jobs/job.dto.js';
import { momentText } from '../html/time-text.js';
import { progressOf, type Progress } from './job-progress.js';

/** What of a job changes while it is looked at: what the page is made of, and what its events carry. */
export interface LiveJob {
  readonly state: string;
  readonly isEnded: boolean;
  readonly progress: Progress;
  readonly counts: JobView['pages'];
  readonly reasons: readonly MissingPages[];
  readonly error: string | null;
  readonly endedAt: { readonly iso: string; readonly text: string } | null;
  /** Signed address of the whole result. */
  readonly download: string | null;
  readonly isCapped: boolean;
}

/** Pages that are missing for one reason. */
export interface MissingPages {
  readonly title: string;
  /** The list of them. */
  readonly href: string;
  readonly pages: number;
}

/** @param limit pages the job scrapes at most */
export function liveJob(view: JobView, limit: number): LiveJob {
  const isEnded = hasEnded(view);
  return {
    state: view.status,
    isEnded,
    progress: progressOf({ pages: view.pages, limit, isEnded }),
    counts: view.pages,
    reasons: [...missing(view, 'failed'), ...missing(view, 'skipped')],
    error: view.error,
    endedAt: view.completed_at === null ? null : momentText(view.completed_at),
    download: view.result_url,
    isCapped: view.discovery_capped,
  };
}

export function hasEnded({ status }: Pick<JobView, 'status'>): boolean {
  return isTerminal(status as JobStatus);
}

function missing(view: JobView, state: 'failed' | 'skipped'): MissingPages[] {
  return Object.entries(view[state]).map(([reason, pages]) => {
    const query = new URLSearchParams({ state, reason }).toString();
    const href = `/dashboard/jobs/${view.id}/results?${query}`;
    return { title: `${state}: ${reason}`, href, pages };
  });
}
