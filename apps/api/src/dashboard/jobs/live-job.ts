import { isTerminal, type JobStatus } from '@app/contracts';
import type { JobView, PageCounts } from '../../jobs/job.dto.js';
import { momentText, numberText } from '../html/time-text.js';
import { reasonText } from './page-reason.js';

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
  const progress = progressOf({ pages: view.pages, limit, isEnded });
  const pace = isEnded ? '' : paceText(progress, Date.now() - Date.parse(view.created_at));
  return {
    state: view.status,
    isEnded,
    progress: { ...progress, text: progress.text + pace },
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
    return { title: `${state}: ${reasonText(state, reason)}`, href, pages };
  });
}

/** The progress of a job. */
interface Progress {
  readonly done: number;
  /** At least 1; equal to `done` once the job has ended. */
  readonly total: number;
  /** The same as text. */
  readonly text: string;
}

/** Fewer say nothing of what follows. */
const LEAST_DONE = 5;

/** How fast it is, since its start, and how long it will take at that pace. */
export function paceText(
  { done, total }: Pick<Progress, 'done' | 'total'>,
  elapsedMs: number,
): string {
  if (done < LEAST_DONE || elapsedMs < 1_000) return '';
  const perSecond = (done * 1_000) / elapsedMs;
  const [pace, unit] = perSecond >= 1 ? [perSecond, 'second'] : [perSecond * 60, 'minute'];
  return `, ${pace.toFixed(pace < 10 ? 1 : 0)} a ${unit}, about ${leftText((total - done) / perSecond)} left`;
}

function leftText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = seconds / 60;
  return minutes < 90 ? `${Math.round(minutes)} min` : `${Math.round(minutes / 60)} h`;
}

interface CountedJob {
  readonly pages: PageCounts;
  /** The job's page limit. */
  readonly limit: number;
  readonly isEnded: boolean;
}

/**
 * The progress of a job. It ends when its limit is scraped, or when no URL is left; so its progress is the larger of two
 * shares: scraped pages of the limit, and processed URLs of those not skipped.
 */
export function progressOf({ pages, limit, isEnded }: CountedJob): Progress {
  const { scraped, failed, discovered, skipped, cancelled } = pages;
  if (isEnded) return { done: 1, total: 1, text: `${pagesText(scraped)} scraped` };
  const ofLimit = { done: Math.min(scraped, limit), total: Math.max(1, limit) };
  const worked = scraped + failed;
  const ofAddresses = {
    done: worked,
    total: Math.max(1, discovered - skipped - cancelled, worked),
  };
  const nearer = share(ofAddresses) > share(ofLimit) ? ofAddresses : ofLimit;
  const what = nearer === ofLimit ? 'pages scraped' : 'pages done';
  const percent = Math.floor(share(nearer) * 100);
  const { done, total } = nearer;
  return { done, total, text: `${percent} %: ${numberText(done)} of ${numberText(total)} ${what}` };
}

function share({ done, total }: { readonly done: number; readonly total: number }): number {
  return done / total;
}

function pagesText(pages: number): string {
  return pages === 1 ? '1 page' : `${numberText(pages)} pages`;
}
