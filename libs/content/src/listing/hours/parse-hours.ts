import { type ClockTime, spellRange } from './clock.js';
import { type Day, DAYS, daysBetween } from './day-names.js';
import { type HoursToken, tokenizeHours } from './hours-tokens.js';
import { ALL_DAY, CLOSED } from './week.js';

/** Days and when they are open; no ranges means that the text named the days alone. */
export interface DayHours {
  readonly days: readonly Day[];
  readonly ranges: readonly string[];
}

export interface ParsedHours {
  readonly groups: readonly DayHours[];
  /** Times that no day was named for. */
  readonly loose: readonly string[];
  /** `24/7`. */
  readonly isAlways: boolean;
  /** Words that have nothing to do with hours. */
  readonly words: number;
}

/** Words between days and their times that make it prose rather than a timetable. */
const MAX_WORDS_BETWEEN = 3;

/** Reads `Mon–Fri 9am–5pm, Sat 10–2, closed Sunday` in its many spellings. */
export function parseHours(text: string, language: string): ParsedHours {
  const reader = new HoursReader();
  for (const token of tokenizeHours(text, language)) reader.take(token);
  return reader.finish();
}

class HoursReader {
  private readonly groups: { days: Day[]; ranges: string[] }[] = [];
  private readonly loose: string[] = [];
  private hasTimesFirst = false;
  private isAlways = false;
  private words = 0;
  private wordsSinceDays = 0;
  /** `closed` that came before any day, as in `closed Sun & Mon`. */
  private closesNext = false;
  private start: ClockTime | undefined;
  private isRangeOpen = false;
  private previous: HoursToken['kind'] | undefined;

  take(token: HoursToken): void {
    switch (token.kind) {
      case 'days':
        this.takeDays(token.days);
        break;
      case 'time':
        this.takeTime(token.time);
        break;
      case 'until':
        this.isRangeOpen = true;
        break;
      case 'cell':
        break;
      case 'and':
        this.start = undefined;
        break;
      case 'closed':
        this.takeClosed();
        break;
      case 'all-day':
        this.addRange(ALL_DAY);
        break;
      case 'always':
        this.isAlways = true;
        break;
      case 'word':
        this.takeWord();
        break;
      case 'stop':
        this.wordsSinceDays = MAX_WORDS_BETWEEN + 1;
        this.start = undefined;
        break;
    }
    if (token.kind !== 'until' && token.kind !== 'cell') this.isRangeOpen = false;
    this.previous = token.kind;
  }

  finish(): ParsedHours {
    const { groups, loose, isAlways, words } = this;
    return { groups: groups.filter(({ days }) => days.length > 0), loose, isAlways, words };
  }

  private takeDays(days: readonly Day[]): void {
    const group = this.groups.at(-1);
    const [first] = days;
    const last = group?.days.at(-1);
    // `7am-3pm Mon-Fri, 8am-noon Sat`: the times come first throughout.
    if (group === undefined && this.loose.length > 0 && this.words <= 2) this.hasTimesFirst = true;
    const isRange = this.previous === 'until' && days.length === 1;
    const isOpen = group !== undefined && (this.hasTimesFirst || group.ranges.length === 0);
    if (this.hasTimesFirst && this.loose.length > 0) this.openTimedGroup(days);
    else if (isOpen && isRange && last !== undefined && first !== undefined)
      group.days.push(...daysBetween(last, first).slice(1));
    else if (isOpen && this.wordsSinceDays === 0) group.days.push(...days);
    else if (this.closesNext && group?.ranges[0] === CLOSED && this.previous === 'and')
      group.days.push(...days);
    else this.openGroup(days);
    this.start = undefined;
    this.wordsSinceDays = 0;
  }

  private openTimedGroup(days: readonly Day[]): void {
    this.groups.push({ days: [...days], ranges: this.loose.splice(0) });
  }

  private openGroup(days: readonly Day[]): void {
    this.groups.push({ days: [...days], ranges: this.closesNext ? [CLOSED] : [] });
    if (this.previous !== 'closed') this.closesNext = false;
  }

  private takeTime(time: ClockTime): void {
    const isEnd = this.isRangeOpen || this.previous === 'cell';
    if (this.start === undefined || !isEnd) {
      this.start = time;
      return;
    }
    const isBare = this.start.isBare && time.isBare;
    const range = spellRange(this.start, time);
    this.start = undefined;
    // `10-7` is hours beside a day and anything elsewhere.
    if (range !== undefined && !(isBare && this.openGroupForTimes() === undefined)) {
      this.addRange(range);
    }
  }

  private takeClosed(): void {
    const group = this.openGroupForTimes();
    if (group?.ranges.length === 0) group.ranges.push(CLOSED);
    else if (this.groups.length === 0) this.loose.push(CLOSED);
    this.closesNext = group === undefined || group.ranges.at(-1) !== CLOSED;
    if (this.closesNext === false) return;
    this.wordsSinceDays = 0;
  }

  private takeWord(): void {
    this.words++;
    this.wordsSinceDays++;
    this.start = undefined;
    if (this.wordsSinceDays > 1) this.closesNext = false;
  }

  private addRange(range: string): void {
    const group = this.openGroupForTimes();
    if (this.hasTimesFirst || this.groups.length === 0) this.loose.push(range);
    else if (group !== undefined) group.ranges.push(range);
    this.wordsSinceDays = 0;
  }

  /** The group that a time belongs to, unless prose came between. */
  private openGroupForTimes(): { days: Day[]; ranges: string[] } | undefined {
    return this.wordsSinceDays <= MAX_WORDS_BETWEEN ? this.groups.at(-1) : undefined;
  }
}

/** All days that a text is about when it says `24/7`. */
export const EVERY_DAY: DayHours = { days: DAYS, ranges: [ALL_DAY] };
