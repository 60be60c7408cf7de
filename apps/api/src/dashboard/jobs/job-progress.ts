import { numberText } from '../html/time-text.js';
import type { PageCounts } from '../../jobs/job.dto.js';

/** The progress of a job. */
export interface Progress {
  readonly done: number;
  /** At least 1; equal to `done` once the job has ended. */
  readonly total: number;
  /** The same as text. */
  readonly text: string;
}

export interface CountedJob {
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
