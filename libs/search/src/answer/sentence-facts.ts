import { collapse, findDates, findNumbers, wordsOf } from '@app/content';

/** A day that a sentence names. */
export interface NamedDay {
  readonly year: number | null;
  readonly month: number;
  readonly day: number;
}

/** A number that a sentence says. */
export interface Figure {
  /** In all ways of reading it. */
  readonly values: readonly number[];
  /** Starts of the words beside it: what it counts or measures. */
  readonly beside: readonly string[];
  /** The word right behind it, such as `days` or `million`; null: none. */
  readonly unit: string | null;
}

/** Words that say nothing about a subject, in the languages most answers are in. */
const FUNCTION_WORDS = new Set(
  (
    'a about after all also although an and another any are as at be because been before being between both but by can ' +
    'could did do does during each either even every few for from further had has have he her here his how however i if in ' +
    'into is it its itself just may might more most much must no nor not now of often on once one only or other others our ' +
    'out over own rather same she should since so some such than that the their them then there these they this those ' +
    'through thus to too under until up upon use used uses using very was we were what when where which while who whom ' +
    'whose why will with within without would you your additionally moreover furthermore therefore overall according ' +
    'der die das den dem des ein eine einen einem einer und oder aber auch auf aus bei bis durch für gegen im in ist mit ' +
    'nach nicht noch nur ob sehr sich sie sind so über um und von vor war wenn werden wie wird zu zum zur ' +
    'le la les un une des du de et ou mais est sont par pour sur avec dans ce cette ces il elle ils elles qui que ' +
    'el los las una unos unas y o pero es son por para con en del al que se su sus como'
  ).split(' '),
);

/** Longer words are compared by their start, so that forms of one word match. */
const STEM_CHARS = 6;
const ADDRESS = /https?:\/\/|\bwww\.|\b[\w.+-]{1,64}@[\w-]{1,64}\.[a-z]/i;
/** A word that begins with a capital letter, or holds one or a digit inside: IPv6, x86, PostgreSQL. */
const NAME = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;

/** The start of a word, by which its forms are the same. */
export function stemOf(word: string): string {
  return word.length > STEM_CHARS ? word.slice(0, STEM_CHARS) : word;
}

/** What a sentence claims, as far as a page can be compared with it. */
export class SentenceFacts {
  readonly text: string;
  /** Words that say something. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly days: readonly NamedDay[];
  readonly figures: readonly Figure[];
  /** Words of each name. */
  readonly names: readonly (readonly string[])[];
  readonly hasAddress: boolean;

  constructor(sentence: string) {
    this.text = collapse(sentence).replace(/ (?=[.,;:!?])/g, '');
    this.hasAddress = ADDRESS.test(this.text);
    const dates = findDates(this.text);
    this.days = dates.map(({ year, month, day }) => ({ year, month, day }));
    const dateless = blanked(this.text, dates);
    this.figures = findNumbers(dateless)
      .filter(({ start, end }) => /\d/.test(dateless.slice(start, end)))
      .map(({ start, end, values }) => ({
        values,
        beside: beside(dateless, start, end),
        unit: unitAfter(dateless, end),
      }));
    this.names = namesIn(dateless);
    this.words = wordsOf(this.text).filter((word) => !FUNCTION_WORDS.has(word));
    // Figures are compared by their values.
    this.stems = [...new Set(this.words.filter((word) => !/^\p{N}+$/u.test(word)).map(stemOf))];
  }
}

/** Characters on each side of a figure, and words among them, that say what it counts. */
const BESIDE_CHARS = 48;
const BESIDE_WORDS = 2;

function beside(text: string, start: number, end: number): readonly string[] {
  const before = contentWords(text.slice(Math.max(0, start - BESIDE_CHARS), start));
  const after = contentWords(text.slice(end, end + BESIDE_CHARS));
  return [...before.slice(-BESIDE_WORDS), ...after.slice(0, BESIDE_WORDS)].map(stemOf);
}

/** Not `of`, in "62% of them". */
function unitAfter(text: string, end: number): string | null {
  const word = /^[ \u00a0-]?([\p{L}\p{M}]+)/u.exec(text.slice(end, end + BESIDE_CHARS))?.[1];
  const [unit] = word === undefined ? [] : contentWords(word);
  return unit ?? null;
}

function contentWords(text: string): readonly string[] {
  return wordsOf(text).filter((word) => !FUNCTION_WORDS.has(word) && !/^\p{N}+$/u.test(word));
}

function blanked(
  text: string,
  spans: readonly { readonly start: number; readonly end: number }[],
): string {
  return spans.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
}

/** Names by their capital letters. The first word has one anyway: it is a name unless it is a word of every language use. */
function namesIn(text: string): readonly (readonly string[])[] {
  const names: (readonly string[])[] = [];
  for (const { 0: word, index } of text.matchAll(NAME)) {
    const isFirst = !/[\p{L}\p{N}]/u.test(text.slice(0, index));
    const isNamed = /\p{Lu}/u.test(word) || (/\d/.test(word) && /\p{L}/u.test(word));
    const words = wordsOf(word);
    if (!isNamed || words.every((one) => FUNCTION_WORDS.has(one))) continue;
    // At the start it may be any word: its passage must have it, which is checked by its stem.
    if (isFirst && /^\p{Lu}\p{Ll}*$/u.test(word)) names.push([words[0] ?? '']);
    else names.push(words);
  }
  return names;
}
