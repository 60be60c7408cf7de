import { findDates, type DateInText } from './date-forms.js';
import { findNumbers, type NumberInText } from './number-forms.js';
import { MAX_QUOTE_CHARS } from '../../limits.js';

/** A part of the page's text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Scripts without spaces between words: each character counts as a word. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{sc=${script}}`)
  .join('');
/** Hyphens and joiners that are not seen. */
const UNSEEN = '\\u00ad\\u200b-\\u200d\\u2060';
/**
 * Numbers are words of their own (`12kg` is two). Built from text, since the compiler's target
 * knows no `v` flag.
 */
const WORD = new RegExp(
  `[${UNSPACED}]|\\p{N}+|[[\\p{L}\\p{M}]--[${UNSPACED}]][[\\p{L}\\p{M}${UNSEEN}]--[${UNSPACED}]]*`,
  'gv',
);
const UNSEEN_CHARACTERS = new RegExp(`[${UNSEEN}]`, 'gv');

/** Words as they compare: without case, width, punctuation and white space. */
export function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => comparable(word));
}

function comparable(word: string): string {
  return word.replace(UNSEEN_CHARACTERS, '').normalize('NFKC').toLowerCase();
}

/**
 * Longest passage, in words, that a combined text may be drawn from. A few words say who or what:
 * they must be adjacent, in whatever order (`Smith, John`).
 */
function scatterWords(words: number): number {
  return words < 4 ? words : Math.floor(words * 1.5) + 4;
}

/** Longer texts must be there literally: their words alone say too little. */
const MAX_SCATTERED_WORDS = 60;
/** Places of one value that are examined. */
const MAX_PLACES = 50;
/** Characters of the page shown on each side of a value. */
const QUOTE_MARGIN_CHARS = 60;

/** A page's Markdown, indexed for the question whether and where it says something. */
export class PageText {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly words: string[] = [];
  /** The words with single spaces around each. */
  private readonly joined: string;
  /** Where each word begins in `joined`. */
  private readonly offsets: number[] = [];
  private readonly text: string;
  private readonly links = new Map<string, Span>();
  private numbers: ReadonlyMap<number, readonly Span[]> | null = null;
  private dates: readonly DateInText[] | null = null;
  private phones: readonly (Span & { readonly digits: string })[] | null = null;

  constructor(
    private readonly markdown: string,
    private readonly url: string,
  ) {
    this.text = this.readLinks();
    for (const match of this.text.matchAll(WORD)) {
      this.starts.push(match.index);
      this.ends.push(match.index + match[0].length);
      this.words.push(comparable(match[0]));
    }
    let offset = 1;
    for (const word of this.words) {
      this.offsets.push(offset);
      offset += word.length + 1;
    }
    this.joined = ` ${this.words.join(' ')} `;
  }

  /**
   * The position of consecutive words, with anything but other words between them.
   * @param label name of what is looked for: of several places one that it is written before is
   * taken
   */
  findPhrase(words: readonly string[], label = ''): Span | null {
    if (words.length === 0) return null;
    const phrase = ` ${words.join(' ')} `;
    const spans: Span[] = [];
    let at = this.joined.indexOf(phrase);
    while (at >= 0 && spans.length < MAX_PLACES) {
      const first = lastAtMost(this.offsets, at + 1);
      spans.push(this.span(first, first + words.length - 1));
      at = this.joined.indexOf(phrase, at + 1);
    }
    return this.labelled(spans, label);
  }

  /** Whether one passage of the page holds all the words, in any order. */
  hasNearby(words: readonly string[]): boolean {
    if (words.length === 0 || words.length > MAX_SCATTERED_WORDS) return false;
    const wanted = new Map<string, number>();
    for (const word of words) wanted.set(word, (wanted.get(word) ?? 0) + 1);
    const windowWords = scatterWords(words.length);
    let missing = words.length;
    const change = (at: number, by: 1 | -1) => {
      const word = this.words[at];
      const left = word === undefined ? undefined : wanted.get(word);
      if (word === undefined || left === undefined) return;
      if (by === -1 ? left > 0 : left >= 0) missing += by;
      wanted.set(word, left + by);
    };
    for (let at = 0; at < this.words.length; at++) {
      change(at, -1);
      if (at >= windowWords) change(at - windowWords, 1);
      if (missing === 0) return true;
    }
    return false;
  }

  /** Signs and the like, which hold no word. */
  findExact(text: string): Span | null {
    const start = text === '' ? -1 : this.markdown.indexOf(text);
    return start < 0 ? null : { start, end: start + text.length };
  }

  findNumber(value: number, label = ''): Span | null {
    this.numbers ??= byValue(findNumbers(this.text));
    return this.labelled(this.numbers.get(value) ?? [], label);
  }

  /** A day; its year may be elsewhere on the page. */
  findDay(day: {
    readonly year: number;
    readonly month: number;
    readonly day: number;
  }): Span | null {
    this.dates ??= findDates(this.text);
    const same = this.dates.filter((one) => one.month === day.month && one.day === day.day);
    const whole = same.find(({ year }) => year === day.year);
    if (whole !== undefined) return whole;
    const yearless = same.find(({ year }) => year === null);
    return yearless !== undefined && this.findNumber(day.year) !== null ? yearless : null;
  }

  /** Digits of a phone number; a country or trunk prefix may be on one side only. */
  findPhone(digits: string): Span | null {
    this.phones ??= [...this.text.matchAll(PHONE)].map(({ index, 0: whole }) => ({
      start: index,
      end: index + whole.length,
      digits: digitsOf(whole),
    }));
    const national = digits.replace(/^0+/, '');
    return this.phones.find((one) => isSamePhone(one.digits.replace(/^0+/, ''), national)) ?? null;
  }

  /** An address the page is at or links to; without a scheme also as people write it. */
  findLink(address: string): Span | null {
    const spellings = /^[\w-]+(?:\.[\w-]+)+/.test(address) ? [`https://${address}`] : [];
    for (const spelling of [address, ...spellings]) {
      const key = linkKey(spelling, this.url);
      const found = key === null ? undefined : this.links.get(key);
      if (found !== undefined) return found;
    }
    return null;
  }

  /** The page's own words around a part of it, on its line. */
  quoteAt({ start, end }: Span): string {
    const from = Math.max(this.markdown.lastIndexOf('\n', start) + 1, start - QUOTE_MARGIN_CHARS);
    const newline = this.markdown.indexOf('\n', end);
    const lineEnd = newline < 0 ? this.markdown.length : newline;
    const to = Math.min(lineEnd, end + QUOTE_MARGIN_CHARS, from + MAX_QUOTE_CHARS);
    return wholeWords(this.markdown, from, Math.max(to, Math.min(end, from + MAX_QUOTE_CHARS)));
  }

  /** The first place with a word of the label before it on its line; else the first. */
  private labelled(spans: readonly Span[], label: string): Span | null {
    const names = label === '' || spans.length < 2 ? [] : wordsOf(label.replaceAll('_', ' '));
    const isNamed = ({ start }: Span) => {
      const lineStart = this.markdown.lastIndexOf('\n', start) + 1;
      const before = this.markdown.slice(Math.max(lineStart, start - MAX_QUOTE_CHARS), start);
      const words = new Set(wordsOf(before));
      return names.some((name) => words.has(name));
    };
    return spans.find(isNamed) ?? spans[0] ?? null;
  }

  private span(first: number, last: number): Span {
    return { start: this.starts[first] ?? 0, end: this.ends[last] ?? 0 };
  }

  /** Notes the links, and blanks what readers do not see: addresses and character references. */
  private readLinks(): string {
    const own = linkKey(this.url, this.url);
    if (own !== null) this.links.set(own, { start: 0, end: 0 });
    const note = (address: string, start: number, end: number) => {
      const key = linkKey(address, this.url);
      if (key !== null && !this.links.has(key)) this.links.set(key, { start, end });
    };
    const visible = this.markdown.replace(TARGET, (whole, address: string, at: number) => {
      note(address.replace(/^<|>$/g, ''), at, at + whole.length);
      return ' '.repeat(whole.length);
    });
    for (const { index, 0: address } of visible.matchAll(BARE_ADDRESS)) {
      note(address, index, index + address.length);
    }
    return visible.replace(REFERENCE, (whole) => ' '.repeat(whole.length));
  }
}

/** `](address "title")` of Markdown. */
const TARGET =
  /\]\((<[^<>\n]{0,2048}>|[^()\s]{0,8192}(?:\([^()\s]{0,1024}\)[^()\s]{0,1024}){0,4})(?:\s"[^"\n]{0,1024}")?\)/g;
const BARE_ADDRESS = /https?:\/\/[^\s<>()"']{1,8192}/g;
const REFERENCE = /&(?:amp|lt|gt|quot|nbsp|#\d{1,6});/g;
const PHONE = /(?<!\d)\+?(?:\d[\s().\-/\u00a0]{0,3}){6,16}\d(?!\d)/g;

/** Shortest number that its digits alone identify. */
const MIN_PHONE_DIGITS = 7;
/** Country and trunk prefixes. */
const MAX_PREFIX_DIGITS = 4;

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function isSamePhone(one: string, other: string): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const isLongEnough = short.length >= MIN_PHONE_DIGITS;
  return isLongEnough && long.endsWith(short) && long.length - short.length <= MAX_PREFIX_DIGITS;
}

/** The same for addresses that lead to the same place; null for what is none. */
function linkKey(address: string, base: string): string | null {
  const text = address.trim();
  const url = URL.canParse(text)
    ? new URL(text)
    : URL.canParse(text, base)
      ? new URL(text, base)
      : null;
  if (url === null) return null;
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return url.href.toLowerCase();
  const { host, pathname, search } = url;
  return `${host.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}${search}`;
}

function byValue(numbers: readonly NumberInText[]): ReadonlyMap<number, readonly Span[]> {
  const places = new Map<number, Span[]>();
  for (const { start, end, values } of numbers) {
    for (const value of values) {
      const spans = places.get(value) ?? [];
      if (spans.length < MAX_PLACES) spans.push({ start, end });
      places.set(value, spans);
    }
  }
  return places;
}

/** Index of the last number in a sorted list that is at most `limit`. */
function lastAtMost(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? Infinity) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without a word cut in two at either end. */
function wholeWords(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  const isInside = (at: number) =>
    at > 0 && at < text.length && /\S/.test(text.charAt(at - 1)) && /\S/.test(text.charAt(at));
  while (start < end && isInside(start) && start - from < 24) start++;
  while (end > start && isInside(end) && to - end < 24) end--;
  return text.slice(start, end).trim();
}
