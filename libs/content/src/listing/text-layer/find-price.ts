import { type LayerFields } from '../listing-values.js';
import { type PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { type PriceRange, readPriceRange } from '../values/price.js';
import { ownLines, type TextPage } from './text-page.js';

const SIGNS = /(?<![$€£\d])([$€£]{2,4})(?![$€£\d\w])/;
const LONE_SIGN = /^(?:.{0,80}[·•|,]\s?)?([$€£])(?:\s?[·•|,].{0,80})?$/;
const LABEL = /^(?:price(?:s| range| level)?|price category|cost)\s?[:\t]?\s*/i;
const RANGE =
  /(?:US)?[$€£]\s?\d[\d,.]{0,8}\s?(?:-|–|—|to)\s?(?:US)?[$€£]?\s?\d[\d,.]{0,8}(?<![.,])/i;
/** What makes a span of two amounts the price level of the place, not of a dish or a plan. */
const PRICE_WORD =
  /\b(?:rates?|per night|per person|a night|nightly|entr[ée]es|mains|price range|average (?:price|cost)|room rates)\b/i;
const MAX_LINE_CHARS = 120;

/** A price level (`$$`), or a span of amounts that the page calls its rates. */
export function findPrice(page: TextPage): LayerFields {
  const lines = ownLines(page).filter(
    ({ text }) => text.length <= MAX_LINE_CHARS && /[$€£]/.test(text),
  );
  for (const read of [labelledPrice, signs, rates]) {
    for (const line of lines) {
      const range = read(line.text);
      if (range !== undefined) return fieldsOf(range, line);
    }
  }
  return {};
}

function labelledPrice(text: string): PriceRange | undefined {
  const label = LABEL.exec(text)?.[0];
  if (label === undefined || label.length === 0) return undefined;
  const rest = text.slice(label.length).trim();
  const span = RANGE.exec(rest)?.[0];
  return readPriceRange(span ?? (/^[$€£]{1,4}$/.test(rest) ? rest : ''));
}

function signs(text: string): PriceRange | undefined {
  const found = SIGNS.exec(text)?.[1] ?? LONE_SIGN.exec(text)?.[1];
  return found === undefined ? undefined : readPriceRange(found);
}

function rates(text: string): PriceRange | undefined {
  const span = PRICE_WORD.test(text) ? RANGE.exec(text)?.[0] : undefined;
  const range = span === undefined ? undefined : readPriceRange(span.trim());
  return range?.max === undefined ? undefined : range;
}

function fieldsOf({ text, min, max }: PriceRange, { element }: PageLine): LayerFields {
  const path = selectorOf(element);
  return {
    price_range: { value: text, path },
    price_min: min === undefined ? undefined : { value: min, path },
    price_max: max === undefined ? undefined : { value: max, path },
  };
}
