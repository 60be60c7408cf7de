export interface PriceRange {
  readonly text: string;
  readonly min?: number;
  readonly max?: number;
}

const SIGNS = '$€£¥₹₩';
const SIGN_SCALE = new RegExp(`^[${SIGNS}]{1,5}(?:\\s?[-–—]\\s?[${SIGNS}]{1,5})?$`);
/** Digits in groups of three with one separator, or in one run; then at most one decimal part. */
const AMOUNT =
  /(?<![\d.,])(?:\d{1,3}(?:(?:,\d{3}){1,3}|(?:\.\d{3}){1,3}|(?:[ \u00a0\u2009\u202f'’]\d{3}){1,3})|\d{1,9})(?:[.,]\d{1,6})?(?![\d.,]*\d)/g;
/** `12 99`: an amount and its cents, or two amounts. */
const SPLIT_AMOUNT = /\d[ \u00a0\u2009\u202f]{1,4}\d/;
const WORDS =
  /^(?:very )?(?:cheap|inexpensive|budget|affordable|moderate|mid-?range|expensive|luxury|upscale|premium)(?:ly priced)?$/i;
/** Signs with an explanation behind them. */
const SIGNS_EXPLAINED = new RegExp(`^[${SIGNS}]{1,5}\\s?\\(`);
const MAX_PRICE_RANGE_CHARS = 100;

/** A price range as written, with its amounts; undefined when it says nothing about prices. */
export function readPriceRange(text: string): PriceRange | undefined {
  if (text.length > MAX_PRICE_RANGE_CHARS) return undefined;
  if (SIGN_SCALE.test(text) || SIGNS_EXPLAINED.test(text) || WORDS.test(text)) return { text };
  const amounts = amountsIn(text);
  const [min] = amounts;
  if (min === undefined) return undefined;
  const max = amounts.length > 1 ? amounts[1] : undefined;
  return max !== undefined && max < min ? undefined : { text, min, max };
}

const MAX_AMOUNT_CHARS = 500;

/**
 * Positive amounts in a text, in order; none when the text leaves open where one ends: `12 99` is
 * one amount or two.
 */
export function amountsIn(text: string): readonly number[] {
  const start = text.slice(0, MAX_AMOUNT_CHARS);
  const written = [...start.matchAll(AMOUNT)].map(([amount]) => amount);
  if (SPLIT_AMOUNT.test(start.replace(AMOUNT, (amount) => amount.replace(/[^\d]/g, '')))) return [];
  return written.flatMap((amount) => amountOf(amount) ?? []);
}

/** `$1,299.50`, `1.299,50 €`, `249` → a number above 0; undefined when the text has several. */
export function readAmount(text: string): number | undefined {
  const amounts = new Set(amountsIn(text));
  return amounts.size === 1 ? [...amounts][0] : undefined;
}

/**
 * `1,299.50`, `1.299,50`, `1 299`, `249`, `12.990000` → a number above 0. Three digits behind the last separator are
 * thousands, unless only a zero is before it.
 */
export function amountOf(written: string): number | undefined {
  const digits = written.replace(/[^\d.,]/g, '').replace(/[.,]$/, '');
  const at = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const [before, behind] = at < 0 ? [digits, ''] : [digits.slice(0, at), digits.slice(at + 1)];
  const isGroup = behind.length === 3 && before !== '0';
  const whole = (isGroup ? digits : before).replace(/\D/g, '');
  const amount = whole === '' ? 0 : Number(`${whole}.${isGroup || behind === '' ? '0' : behind}`);
  return Number.isFinite(amount) && amount > 0 ? amount : undefined;
}
