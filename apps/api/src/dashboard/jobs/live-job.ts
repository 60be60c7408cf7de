import { isTerminal, type JobStatus } from '@app/contracts';
import type { JobView } from '../../jobs/job.dto.js';
import { momentText } from '../html/time-text.js';
import { progressOf, type Progress } from './job-progress.js';

/** The changing part of a job: the page is rendered from it, and its events carry it. */
export interface LiveJob {
  readonly state: string;
  readonly isEnded: boolean;
  readonly progress: Progress;
  readonly counts: JobView['pages'];
  readonly reasons: readonly MissingPages[];
  readonly error: string | null;
  readonly endedAt: { readonly iso: string; readonly text: string } | null;
  /** Signed URL of the whole result. */
  readonly download: string | null;
  readonly isCapped: boolean;
}

/** Pages missing for one reason. */
export interface MissingPages {
  readonly title: string;
  /** Link to the list of these pages. */
  readonly href: string;
  readonly pages: number;
}

/** @param limit the job's page limit */
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
