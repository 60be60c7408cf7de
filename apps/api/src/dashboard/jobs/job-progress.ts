import { numberText } from '../html/time-text.js';
import type { PageCounts } from '../../jobs/job.dto.js';

/** How far a job is. */
export interface Progress {
  readonly done: number;
  /** At least 1; equal to `done` when the job has ended. */
  readonly total: number;
  /** The same in words. */
  readonly text: string;
}

export interface CountedJob {
  readonly pages: PageCounts;
  /** Pages the job scrapes at most. */
  readonly limit: number;
  readonly isEnded: boolean;
}

/**
 * How far a job is. It ends when its limit is scraped, or when no address is left to work on; so its progress is
 * the larger of the two shares: scraped of the limit, and worked on of the addresses that are not skipped.
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
