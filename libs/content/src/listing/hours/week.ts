import { type OpeningHours } from '@app/contracts';
import { DAYS } from './day-names.js';

export const ALL_DAY = '00:00-24:00';
export const CLOSED = 'closed';
const MAX_RANGES_PER_DAY = 6;
const MAX_EXCEPTIONS = 100;

/**
 * Opening hours as they are gathered. Keys of the result: `mon` … `sun`, then exceptions by date
 * (`2026-12-25`) or first and last date (`2026-12-24/2026-12-26`). A range that ends before it
 * begins ends on the next day; midnight as an end is 24:00. Days nothing is said about are absent,
 * "by appointment" says nothing.
 */
export class Week {
  private readonly ranges = new Map<string, Set<string>>();

  add(key: string, range: string): void {
    const ranges = this.ranges.get(key) ?? new Set();
    if (ranges.size < MAX_RANGES_PER_DAY) this.ranges.set(key, ranges.add(range));
  }

  get size(): number {
    return this.ranges.size;
  }

  finish(): OpeningHours | undefined {
    if (this.ranges.size === 0) return undefined;
    const dates = [...this.ranges.keys()].filter((key) => !isDay(key)).sort();
    const keys = [...DAYS.filter((day) => this.ranges.has(day)), ...dates.slice(0, MAX_EXCEPTIONS)];
    return Object.fromEntries(keys.map((key) => [key, spelled(this.ranges.get(key) ?? new Set())]));
  }
}

const isDay = (key: string): boolean => (DAYS as readonly string[]).includes(key);

function spelled(ranges: ReadonlySet<string>): string {
  if (ranges.has(ALL_DAY)) return ALL_DAY;
  const open = [...ranges].filter((range) => range !== CLOSED).sort();
  return open.length === 0 ? CLOSED : open.join(', ');
}
