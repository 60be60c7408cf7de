import type { OpeningHours } from '@app/contracts';
import { EVERY_DAY, parseHours } from './parse-hours.js';
import { Week } from './week.js';

const MAX_TEXT_CHARS = 400;
/** Rules that a week cannot hold: holidays, months, weeks of the year, the sun, comments, alternatives. */
const BEYOND_A_WEEK =
  /\b(?:PH|SH|week|easter|sunrise|sunset|dawn|dusk|unknown|by appointment|holidays?|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b|["[\]|+]|\b\d{4}\b/i;
/** What OpenStreetMap writes for `closed`. */
const OFF = /\boff\b/gi;
/** A week says nothing about public holidays, so days off then change nothing in it. */
const HOLIDAYS_OFF = /(?:^|[;,])\s?PH (?:off|closed)(?=\s?(?:;|$))/g;
/** OpenStreetMap's names of days, which English texts spell with three letters. */
const SHORT_DAY = /\b(?:Mo|Tu|We|Th|Fr|Sa|Su)\b/g;
const LONGER: Readonly<Record<string, string>> = {
  Mo: 'Mon',
  Tu: 'Tue',
  We: 'Wed',
  Th: 'Thu',
  Fr: 'Fri',
  Sa: 'Sat',
  Su: 'Sun',
};
/** Words that may be beside days and times. */
const MAX_WORDS = 1;

/**
 * The week that a short statement of opening hours names: `Mo-Fr 09:00-18:00; Sa 10:00-14:00`, `24/7`. Undefined where
 * it states more than a week can hold, or anything is not understood: no hours are better than wrong ones.
 */
export function readStatedHours(text: string, language = 'en'): OpeningHours | undefined {
  if (text.length > MAX_TEXT_CHARS) return undefined;
  const stated = text.replace(HOLIDAYS_OFF, '');
  if (BEYOND_A_WEEK.test(stated)) return undefined;
  const spelled = stated.replace(OFF, 'closed').replace(SHORT_DAY, (day) => LONGER[day] ?? day);
  const parsed = parseHours(spelled, language);
  if (parsed.words > MAX_WORDS) return undefined;
  const isDaily = parsed.groups.length === 0 && (parsed.isAlways || parsed.loose.length > 0);
  const always = parsed.isAlways ? EVERY_DAY.ranges : parsed.loose;
  const groups = isDaily ? [{ days: EVERY_DAY.days, ranges: always }] : parsed.groups;
  // A day without times was not understood as a whole.
  if (groups.some(({ ranges }) => ranges.length === 0)) return undefined;
  // Times of several rules for one day replace or add to each other: which, a week does not say.
  const days = groups.flatMap((group) => group.days);
  if (new Set(days).size < days.length) return undefined;
  const week = new Week();
  for (const group of groups)
    for (const day of group.days) for (const range of group.ranges) week.add(day, range);
  return week.finish();
}
