import { ALL_DAY } from './week.js';

/** A time as written. */
export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly half?: 'am' | 'pm';
  /** Written as 24-hour clocks are: `09:00`, `17.30`, `17h`. */
  readonly is24h: boolean;
  /** Digits alone, which may be any number. */
  readonly isBare: boolean;
}

/** A lone `a` or `p` must touch its digits: `9 a 14` is Spanish. */
const TIME =
  /^(\d{1,2})(?:[:.h](\d{2}))?(?:\s?([ap])\.?\s?m\.?(?![\p{L}\d])|([ap])(?![\p{L}\d])|\s?(uhr|h|hrs)(?![\p{L}]))?/iu;

/** The time at the start of a text and how many characters it takes. */
export function readTime(
  text: string,
): { readonly time: ClockTime; readonly length: number } | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [all, hours = '', minutes, spelled, letter, unit] = match;
  const half = spelled ?? letter;
  const hour = Number(hours);
  const minute = Number(minutes ?? 0);
  if (hour > 24 || minute > 59 || (hour === 24 && minute > 0)) return undefined;
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const is24h = half === undefined && (unit !== undefined || hour > 12 || /^0\d/.test(hours));
  const isBare = minutes === undefined && half === undefined && unit === undefined;
  const time = { hour, minute, is24h, isBare, half: halfOf(half) };
  return { time, length: all.trimEnd().length };
}

const halfOf = (letter: string | undefined): 'am' | 'pm' | undefined =>
  letter === undefined ? undefined : letter.toLowerCase() === 'a' ? 'am' : 'pm';

/** `HH:MM-HH:MM` of a start and an end, with the halves of the day that people leave out. */
export function spellRange(start: ClockTime, end: ClockTime): string | undefined {
  const [from, to] = resolve(start, end);
  const last = to === 0 || to === 1440 ? 1440 : to;
  if (from === last || from === 1440) return undefined;
  return from === 0 && last >= 1439 ? ALL_DAY : `${spell(from)}-${spell(last)}`;
}

const spell = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Minutes since midnight. */
function minutesOf({ hour, minute }: ClockTime, half?: 'am' | 'pm'): number {
  if (half === undefined) return hour * 60 + minute;
  return ((hour % 12) + (half === 'pm' ? 12 : 0)) * 60 + minute;
}

function resolve(start: ClockTime, end: ClockTime): readonly [number, number] {
  if (start.is24h || end.is24h) return [minutesOf(start, start.half), minutesOf(end, end.half)];
  if (end.half !== undefined) return [startBefore(start, end, end.half), minutesOf(end, end.half)];
  const from = minutesOf(start, start.half);
  const to = minutesOf(end);
  if (start.half !== undefined) return [from, to > from || to + 720 <= from ? to : to + 720];
  // `9-5`, `11-2`: the end is after noon; `1-5`, `5-9`: both are.
  if (to <= from) return [from, to + 720];
  return start.hour <= 5 && start.hour > 0 ? [from + 720, to + 720] : [from, to];
}

/** `9-5pm` opens in the morning, `5-9pm` in the evening. */
function startBefore(start: ClockTime, end: ClockTime, half: 'am' | 'pm'): number {
  if (start.half !== undefined) return minutesOf(start, start.half);
  const same = minutesOf(start, half);
  const last = minutesOf(end, half) || 1440;
  return same < last ? same : minutesOf(start, half === 'pm' ? 'am' : 'pm');
}
