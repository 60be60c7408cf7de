import { median } from '../report.js';

export const BYTES_PER_MB = 1_048_576;

/** How much the broker's memory may move during a crawl, either way. */
export const FLAT_MB = 10;

/** Share of a crawl that passes before its memory is judged: pools fill and code is loaded meanwhile. */
const WARM_UP_SHARE = 0.1;

/** What of a crawl is judged. */
export interface CrawlSample {
  /** Pages done. */
  readonly scraped: number;
  readonly residentBytes: number;
}

/** Memory after the warm-up, MB. */
export interface Flatness {
  readonly samples: number;
  readonly medianMb: number;
  readonly lowestMb: number;
  readonly highestMb: number;
  /** Between the means of the first and the last quarter: what it grew, were it to go on. */
  readonly driftMb: number;
  readonly isFlat: boolean;
}

/** @throws RangeError when no sample lies after the warm-up */
export function flatnessOf(samples: readonly CrawlSample[], pages: number): Flatness {
  const judged = samples.filter(({ scraped }) => scraped >= pages * WARM_UP_SHARE);
  if (judged.length === 0) throw new RangeError('the crawl ended before its first sample');
  const each = judged.map(({ residentBytes }) => residentBytes / BYTES_PER_MB);
  const medianMb = median(each);
  const [lowestMb, highestMb] = [Math.min(...each), Math.max(...each)];
  const quarter = Math.max(1, each.length >> 2);
  return {
    samples: each.length,
    medianMb,
    lowestMb,
    highestMb,
    driftMb: mean(each.slice(-quarter)) - mean(each.slice(0, quarter)),
    isFlat: medianMb - lowestMb <= FLAT_MB && highestMb - medianMb <= FLAT_MB,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
