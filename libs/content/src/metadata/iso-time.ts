/** Longer texts are no times; a time is at the start of what it is read from. */
const MAX_CHARS = 120;

/** What all forms have: a year, or numbers with marks between them. */
const MAYBE = /(?:19|20)\d\d|\d[./-]\d/;

/** Names of months by their beginning, in the languages that most pages are written in. */
const MONTHS: readonly (readonly [RegExp, number])[] = [
  [/^(?:jan|ene|gen|sty|янв|oca)/, 1],
  [/^(?:f[eé][bv]|lut|фев|şub)/, 2],
  [/^(?:m[aä]r[^i]?|mrt|мар|mär)/, 3],
  [/^(?:apr|avr|abr|kwi|апр|nis)/, 4],
  [/^(?:may|mai|mag|maj|mei|мая|май)/, 5],
  [/^(?:jun|juin|giu|cze|июн|haz)/, 6],
  [/^(?:jul|juil|lug|lip|июл|tem)/, 7],
  [/^(?:aug|ao[uûû]|ago|sie|авг|ağu)/, 8],
  [/^(?:sep|set|wrz|сен|eyl)/, 9],
  [/^(?:oct|okt|out|ott|paź|окт|eki)/, 10],
  [/^(?:nov|lis|ноя|kas)/, 11],
  [/^(?:dec|dez|d[eé]c|dic|gru|дек|ara)/, 12],
];

const CLOCK =
  /(?:[T\s,]{1,3}|\s(?:at|um)\s)(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s?(am|pm)?\s?(Z|UTC|GMT|[+-]\d\d:?\d\d)?/iy;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Where the text goes on after the day. */
  readonly end: number;
}

type Reading = (match: RegExpExecArray, isMonthFirst: boolean) => Omit<Day, 'end'> | null;

const dayOf = (year: string, month: number, day: string): Omit<Day, 'end'> => ({
  year: Number(year),
  month,
  day: Number(day),
});

const FORMS: readonly (readonly [RegExp, Reading])[] = [
  [
    /\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/,
    ([, year = '', month = '', day = '']) => dayOf(year, Number(month), day),
  ],
  [
    /(\d{4})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/,
    ([, year = '', month = '', day = '']) => dayOf(year, Number(month), day),
  ],
  [
    /\b(\d{1,2})(?:st|nd|rd|th|er|\.|º)?\s?(?:of\s|de\s)?[-\s]?(\p{L}{3,12})\.?,?(?:\sde|\sdel)?[-\s]{1,2}(\d{4})\b/u,
    ([, day = '', name = '', year = '']) => named(year, name, day),
  ],
  [
    /(?<!\p{L})(\p{L}{3,12})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s{1,2}(\d{4})\b/u,
    ([, name = '', day = '', year = '']) => named(year, name, day),
  ],
  [
    // As the C library and Java write it: "Tue Jan 28 15:28:56 CET 2020".
    /(?<!\p{L})(\p{L}{3}) (\d{1,2}) \d\d:\d\d:\d\d (?:[a-z]{3,5} )?(\d{4})\b/u,
    ([, name = '', day = '', year = '']) => named(year, name, day),
  ],
  [
    /\b(\d{4})\s(\p{L}{3,12})\.?\s(\d{1,2})\b/u,
    ([, year = '', name = '', day = '']) => named(year, name, day),
  ],
  [
    /(?<![\d.])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)(?![\d.])/,
    ([, one = '', mark = '', two = '', year = ''], isMonthFirst) =>
      numeric(one, two, year.length === 2 ? `20${year}` : year, isMonthFirst && mark === '/'),
  ],
];

function named(year: string, name: string, day: string): Omit<Day, 'end'> | null {
  const month = MONTHS.find(([beginning]) => beginning.test(name))?.[1];
  return month === undefined ? null : dayOf(year, month, day);
}

function numeric(
  one: string,
  two: string,
  year: string,
  isMonthFirst: boolean,
): Omit<Day, 'end'> | null {
  const isSwapped = Number(two) > 12 || (isMonthFirst && Number(one) <= 12);
  const [day, month] = isSwapped ? [two, one] : [one, two];
  return dayOf(year, Number(month), day);
}

/**
 * A time in ISO 8601: a day, or a day with its clock time, the zone kept as the text has it; undefined of what is none.
 * @param isMonthFirst of two numbers with slashes, as in the United States
 */
export function isoTimeOf(source: string, isMonthFirst = false): string | undefined {
  const text = source.slice(0, MAX_CHARS).replace(/\s+/g, ' ').trim();
  if (!MAYBE.test(text)) return undefined;
  // In lower case once: expressions for either case are slow.
  const lower = text.toLowerCase();
  for (const [form, read] of FORMS) {
    const match = form.exec(lower);
    if (match === null) continue;
    const day = read(match, isMonthFirst);
    if (day === null || !isValid(day)) continue;
    const clock = lower.length === text.length ? clockOf(text, match.index + match[0].length) : '';
    return `${isoDay(day)}${clock}`;
  }
  return undefined;
}

const isValid = ({ year, month, day }: Omit<Day, 'end'>): boolean =>
  year >= 1_970 && year <= 2_100 && month >= 1 && month <= 12 && day >= 1 && day <= 31;

const isoDay = ({ year, month, day }: Omit<Day, 'end'>): string =>
  `${year}-${twoDigits(month)}-${twoDigits(day)}`;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function clockOf(text: string, at: number): string {
  CLOCK.lastIndex = at;
  const match = CLOCK.exec(text);
  if (match === null) return '';
  const [, hours = '', minutes = '', seconds = '00', half = '', zone = ''] = match;
  const isAfternoon = half.toLowerCase() === 'pm' && Number(hours) < 12;
  const isMidnight = half.toLowerCase() === 'am' && Number(hours) === 12;
  const hour = isMidnight ? 0 : Number(hours) + (isAfternoon ? 12 : 0);
  if (hour > 24 || Number(minutes) > 59) return '';
  return `T${twoDigits(hour)}:${minutes}:${seconds}${zoneOf(zone)}`;
}

function zoneOf(zone: string): string {
  if (zone === '') return '';
  if (/^[a-z]/i.test(zone)) return 'Z';
  return zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
}
