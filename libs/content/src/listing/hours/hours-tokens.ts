import { type ClockTime, readTime } from './clock.js';
import { type Day, DAYS, dayNamed, dayOfLetters } from './day-names.js';

export type HoursToken =
  | { readonly kind: 'days'; readonly days: readonly Day[] }
  | { readonly kind: 'time'; readonly time: ClockTime }
  | { readonly kind: 'until' | 'and' | 'cell' | 'closed' | 'all-day' | 'always' | 'word' | 'stop' };

const SPACE = /\s/;
const DIGIT = /\d/;
const MAX_HOURS_CHARS = 600;

const noon: ClockTime = { hour: 12, minute: 0, is24h: false, isBare: false, half: 'pm' };
const midnight: ClockTime = { hour: 12, minute: 0, is24h: false, isBare: false, half: 'am' };

type Rule = readonly [RegExp, (match: string) => HoursToken];

const plain =
  (kind: 'until' | 'and' | 'closed' | 'all-day' | 'always' | 'word') => (): HoursToken => ({
    kind,
  });

/** Tried in order at each place of the text. */
const RULES: readonly Rule[] = [
  [/^[$€£]\s?\d[\d.,]*/, plain('word')],
  [/^24\s?\/\s?7/, plain('always')],
  [
    /^(?:24|twenty-four)[\s-]?(?:hours|hour|hrs|hr|h)(?: a day| daily)?(?!\p{L}|[\s-](?:emergency|service|support|notice|security|fitness|front|gym|access|towing|surveillance|roadside|on-?call))/iu,
    plain('all-day'),
  ],
  [/^(?:all day|around the clock|24 std|24 stunden)(?!\p{L})/iu, plain('all-day')],
  [
    /^(?:(?:seven|7) days(?: a| per)?(?: week)?|every ?day|everyday|daily|täglich|tous les jours|todos los días|tutti i giorni)(?!\p{L})/iu,
    () => ({ kind: 'days', days: DAYS }),
  ],
  [/^(?:weekdays?|werktags)(?!\p{L})/iu, () => ({ kind: 'days', days: DAYS.slice(0, 5) })],
  [/^(?:weekends?|wochenende)(?!\p{L})/iu, () => ({ kind: 'days', days: DAYS.slice(5) })],
  [
    /^(?:closed|geschlossen|ruhetag|fermée?|cerrado|chiuso|gesloten|fechado)(?!\p{L})/iu,
    plain('closed'),
  ],
  [
    /^(?:12[:.]?(?:00)?\s?)?(?:noon|midday|mittags?)(?!\p{L})/iu,
    () => ({ kind: 'time', time: noon }),
  ],
  [
    /^(?:12[:.]?(?:00)?\s?)?(?:midnight|mitternacht|minuit|medianoche)(?!\p{L})/iu,
    () => ({ kind: 'time', time: midnight }),
  ],
  [/^(?:to|until|till|til|through|thru|bis|à|au|a|al|tot|alle)(?!\p{L})/iu, plain('until')],
  [/^[-\u2010-\u2015~→]+/, plain('until')],
  [/^(?:and|und|et|y|e|en|plus)(?!\p{L})|^[,&+;/]/iu, plain('and')],
];

/** Words that may be between days and times without meaning anything. */
const FILLER = /^(?:open|opens|from|hours?|uhr|von|de|between|at|only|are|is|am|le|du)$/i;

/** Splits a line into what matters for opening hours. Bounded, and linear in the text read. */
export function tokenizeHours(text: string, language: string): readonly HoursToken[] {
  const tokens: HoursToken[] = [];
  const source = text.slice(0, MAX_HOURS_CHARS);
  let at = 0;
  while (at < source.length) {
    const char = source[at] ?? '';
    if (char === '\t') tokens.push({ kind: 'cell' });
    if (SPACE.test(char)) at++;
    else at += readToken(source.slice(at, at + 40), language, tokens);
  }
  return tokens;
}

/** `0800-1700`: four digits are a time only beside their like. */
const MILITARY = /^((?:[01]\d|2[0-4])[0-5]\d)\s?(?:-|–|—|to)\s?((?:[01]\d|2[0-4])[0-5]\d)(?![\d-])/;

function readMilitary(rest: string, tokens: HoursToken[]): number | undefined {
  const match = MILITARY.exec(rest);
  if (match === null) return undefined;
  const [all, start = '', end = ''] = match;
  const time = (digits: string): HoursToken => ({
    kind: 'time',
    time: {
      hour: Number(digits.slice(0, 2)),
      minute: Number(digits.slice(2)),
      is24h: true,
      isBare: true,
    },
  });
  tokens.push(time(start), { kind: 'until' }, time(end));
  return all.length;
}

/** Reads one token and answers its length. */
function readToken(rest: string, language: string, tokens: HoursToken[]): number {
  const military = readMilitary(rest, tokens);
  if (military !== undefined) return military;
  const number = /^\d{3,}[\d-]*|^\d+(?:\/\d+)+|^\d+%/.exec(rest);
  if (number !== null && !/^24\s?\/\s?7/.test(rest))
    return push(tokens, { kind: 'word' }, number[0]);
  for (const [pattern, make] of RULES) {
    const match = pattern.exec(rest);
    if (match !== null) return push(tokens, make(match[0]), match[0]);
  }
  if (DIGIT.test(rest[0] ?? '')) return readNumber(rest, tokens);
  return readWord(rest, language, tokens);
}

function push(tokens: HoursToken[], token: HoursToken, text: string): number {
  tokens.push(token);
  return Math.max(1, text.length);
}

function readNumber(rest: string, tokens: HoursToken[]): number {
  const read = readTime(rest);
  if (read === undefined) return push(tokens, { kind: 'word' }, /^\d+/.exec(rest)?.[0] ?? '');
  tokens.push({ kind: 'time', time: read.time });
  return Math.max(1, read.length);
}

function readWord(rest: string, language: string, tokens: HoursToken[]): number {
  const word = /^[\p{L}]+(?:-feira)?/u.exec(rest)?.[0];
  if (word === undefined) return readMark(rest, tokens);
  const day = dayNamed(word.toLowerCase(), language) ?? letterDay(word, rest, tokens);
  if (day !== undefined) tokens.push({ kind: 'days', days: [day] });
  else if (!FILLER.test(word)) tokens.push({ kind: 'word' });
  return word.length;
}

/** A full stop after a time ends what was said about its days. */
function readMark(rest: string, tokens: HoursToken[]): number {
  const last = tokens.at(-1)?.kind;
  if (/^\.\s/.test(rest) && (last === 'time' || last === 'closed' || last === 'all-day'))
    tokens.push({ kind: 'stop' });
  return 1;
}

/** `M-F`, `M - Th`: a letter is a day before a dash and a letter, or after a day and a dash. */
function letterDay(word: string, rest: string, tokens: readonly HoursToken[]): Day | undefined {
  const day = word.length <= 2 ? dayOfLetters(word) : undefined;
  if (day === undefined) return undefined;
  const isFirst =
    /^\p{L}{1,2}\s?[-\u2010-\u2015/,&]\s?(?:M|T|Tu|W|Th|R|F|S|Sa|Su|Fri|Sat|Sun|Thur?s?)(?!\p{L})/u.test(
      rest,
    );
  const isSecond = tokens.at(-1)?.kind !== 'word' && tokens.at(-2)?.kind === 'days';
  return isFirst || isSecond ? day : undefined;
}
