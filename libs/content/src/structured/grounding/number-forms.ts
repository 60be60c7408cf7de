/** A number in a text, with everything it may mean: `1.234` is 1.234 or 1234. */
export interface NumberInText {
  readonly start: number;
  readonly end: number;
  readonly values: readonly number[];
}

/** Digits with separators; the spaces and the apostrophe are those that group thousands. */
const NUMBER = /\d(?:[\d.,'’\u00a0\u2009\u202f]*\d)?/g;
/** Thousands grouped by plain spaces. */
const SPACED = /(?<![\d.,])\d{1,3}(?: \d{3}){1,6}(?! ?\d)/g;
const FRACTIONS: Readonly<Record<string, number>> = { '½': 0.5, '¼': 0.25, '¾': 0.75 };
const FRACTION = /(?<!\d)(\d{0,6})\s?([½¼¾])/g;

/** What a word right after a number makes of it. Languages of the pages we meet most. */
const MULTIPLIERS: readonly (readonly [RegExp, number])[] = [
  [/^\s?%/, 0.01],
  [/^\s?(?:k|tsd\.?|thousand|tausend|mille|mil)(?![\p{L}])/iu, 1e3],
  [/^\s?(?:m|mn|mio\.?|mill\.?|million(?:en|s)?|millones|milhões|milioni)(?![\p{L}])/iu, 1e6],
  [/^\s?(?:b|bn|mrd\.?|billions?|milliarden?|milliards?|miliardi)(?![\p{L}])/iu, 1e9],
];

const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
] as const;
const WORD = new RegExp(`\\b(?:${WORDS.join('|')})\\b`, 'gi');

/**
 * All numbers of a text: digits in the usual ways of writing them (`1,234.50`, `1.234,50`,
 * `1 234,50`, `1'234.50`), with the sign, percent or multiplier (`1.2k`, `3 million`) beside them,
 * halves and quarters (`2½`), and English words up to twelve.
 */
export function findNumbers(text: string): NumberInText[] {
  const found: NumberInText[] = [];
  for (const match of text.matchAll(NUMBER)) read(text, match.index, match[0], found);
  for (const { index, 0: spaced } of text.matchAll(SPACED)) {
    const value = Number(spaced.replaceAll(' ', ''));
    found.push(inContext(text, index, index + spaced.length, [value]));
  }
  for (const { index, 0: whole, 1: digits, 2: sign } of text.matchAll(FRACTION)) {
    const value = Number(digits ?? '') + (FRACTIONS[sign ?? ''] ?? 0);
    found.push({ start: index, end: index + whole.length, values: [value] });
  }
  for (const { index, 0: word } of text.matchAll(WORD)) {
    const value = WORDS.findIndex((one) => one === word.toLowerCase());
    found.push({ start: index, end: index + word.length, values: [value] });
  }
  return found;
}

/** The number that a text says, when it says just one, plainly: `$1,234.50`; null otherwise. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  const bare =
    /^[-+−]?\s?(?:[\p{Sc}]|[A-Z]{3})?\s?([\d][\d.,'’\s]*)\s?(?:[\p{Sc}]|[A-Z]{3}|%)?$/u.exec(
      trimmed,
    )?.[1];
  if (bare === undefined) return null;
  const values = readings(bare.replace(/[\s\u00a0\u2009\u202f]/g, ''));
  // An ambiguous one is read as English writes it, as models mostly do.
  const value = values[0];
  if (value === undefined) return null;
  return /^[-−]/.test(trimmed) ? -value : value;
}

function read(text: string, start: number, raw: string, found: NumberInText[]): void {
  const values = readings(raw);
  if (values.length > 0) {
    found.push(inContext(text, start, start + raw.length, values));
    return;
  }
  // A date, an address, a version: its runs of digits are numbers by themselves.
  for (const { index, 0: digits } of raw.matchAll(/\d+/g)) {
    const at = start + index;
    found.push({ start: at, end: at + digits.length, values: [Number(digits)] });
  }
}

/** With what the signs and words beside it make of it. */
function inContext(
  text: string,
  start: number,
  end: number,
  plain: readonly number[],
): NumberInText {
  const scaled = plain.flatMap((value) => [value, ...multiplied(text, end, value)]);
  const isSigned = /[-−(]\s?\p{Sc}?\s?$/u.test(text.slice(Math.max(0, start - 4), start));
  return { start, end, values: isSigned ? scaled.flatMap((one) => [one, -one]) : scaled };
}

function multiplied(text: string, end: number, value: number): number[] {
  const after = text.slice(end, end + 14);
  if (!/^\s?[%\p{L}]/u.test(after)) return [];
  // Rounded, since 4.35 × 100 is not 435 in binary.
  return MULTIPLIERS.filter(([word]) => word.test(after)).map(([, factor]) =>
    Number((value * factor).toPrecision(15)),
  );
}

const GROUPED: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?$/, (text) => text.replaceAll(',', '')],
  [/^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/, (text) => text.replaceAll('.', '').replace(',', '.')],
  [
    /^\d{1,3}(?:['’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?$/,
    (text) => text.replace(/['’\u00a0\u2009\u202f]/g, '').replace(',', '.'),
  ],
  [/^\d+\.\d+$/, (text) => text],
  [/^\d+,\d+$/, (text) => text.replace(',', '.')],
];

/** What digits and separators may mean; empty: they are no number. */
function readings(raw: string): number[] {
  if (/^\d+$/.test(raw)) return [Number(raw)].filter(Number.isFinite);
  const values = GROUPED.filter(([form]) => form.test(raw)).map(([, plain]) => Number(plain(raw)));
  return [...new Set(values)].filter(Number.isFinite);
}
