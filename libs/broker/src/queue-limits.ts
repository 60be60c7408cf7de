import type { QueueName } from '@app/contracts';

export type MaxLengths = Readonly<Record<QueueName, number>>;

/**
 * Messages each queue may hold before publishing is refused. Interactive tasks behind 1,000 others would miss
 * their deadline anyway; crawl pages wait in SQL, not here.
 */
export const DEFAULT_MAX_LENGTHS: MaxLengths = {
  scrape: 1000,
  screenshot: 1000,
  convert: 1000,
  map: 1000,
  enrich: 1000,
  brand: 1000,
  search: 1000,
  crawl: 20_000,
  'tech-scan': 1000,
};

/** The default number of tasks of one API process in a queue: `slotsByTenant(64).total`. */
export const DEFAULT_READ_AHEAD = 96;

export function maxLengthsWith(overrides: Partial<MaxLengths> = {}): MaxLengths {
  return { ...DEFAULT_MAX_LENGTHS, ...overrides };
}
