export interface PriceRange {
  readonly text: string;
  readonly min?: number;
  readonly max?: number;
}

const SIGNS = '$€£¥₹₩';
const SIGN_SCALE = new RegExp(`^[${SIGNS}]{1,5}(?:\\s?[-–—]\\s?[${SIGNS}]{1,5})?$`);
const AMOUNT = new RegExp(
  `(?:[${SIGNS}]|\\b(?:USD|EUR|GBP|CAD|AUD|CHF)\\b)?\\s?(\\d{1,9}(?:[.,]\\d{1,3}){0,3})\\s?(?:[${SIGNS}]|\\b(?:USD|EUR|GBP|CAD|AUD|CHF)\\b)?`,
  'g',
);
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

/** Positive amounts in a text, in order. */
export function amountsIn(text: string): readonly number[] {
  return [...text.slice(0, 500).matchAll(AMOUNT)]
    .map((match) => readAmount(match[1] ?? ''))
    .filter((amount) => amount !== undefined);
}

/** `1,299.50`, `1.299,50`, `249` → a number above 0. */
export function readAmount(text: string): number | undefined {
  const digits = text.replace(/[^\d.,]/g, '');
  const decimals = /[.,](\d{1,2})$/.exec(digits);
  const whole = (decimals === null ? digits : digits.slice(0, decimals.index)).replace(/\D/g, '');
  const amount = Number(`${whole}.${decimals?.[1] ?? '0'}`);
  return whole !== '' && amount > 0 ? amount : undefined;
}
