import { type LayerFields } from '../listing-values.js';
import { type PageLine } from '../page-text/page-line.js';
import { selectorOf } from '../page-text/selector-of.js';
import { readCount, readRating } from '../values/numbers.js';
import { type TextPage } from './text-page.js';

const VALUE = '(\\d(?:[.,]\\d{1,2})?)';
/** A rating that names its scale or its stars. */
const RATINGS: readonly RegExp[] = [
  new RegExp(`(?<![\\d.,])${VALUE}\\s?(?:stars?\\s)?out of\\s(?:5|five)\\b`, 'i'),
  new RegExp(`(?<![\\d.,/])${VALUE}\\s?/\\s?5(?:\\.0)?(?![\\d/.])`),
  new RegExp(`(?:rated|rating|score)\\s?:?\\s${VALUE}(?![\\d,.]*\\d)`, 'i'),
  new RegExp(`(?<![\\d.,])${VALUE}[\\s-]?(?:[★⭐☆]|stars?\\b)`, 'i'),
  new RegExp(`[★⭐]\\s?${VALUE}(?![\\d.,])`),
  new RegExp(`(?<![\\d.,$])${VALUE}\\s(?:average |overall |star )?rating\\b`, 'i'),
  new RegExp(`^${VALUE}\\s?\\(\\s?[\\d,.]{1,9}\\s?(?:reviews?|ratings?)\\b`, 'i'),
  /^(\d[.,]\d)\s?\(\s?[\d,]{1,7}\s?\)(?!\s?\d)/,
];
const COUNT =
  /(?<![\d.,$])(\d{1,3}(?:[,.]\d{3}){1,2}|\d{1,7})\+?\s(?:(?:verified|customer|guest|patient|client|google|yelp|facebook|tripadvisor|online|total|user|global)\s){0,2}(?:reviews?|ratings?|bewertungen|avis)\b/i;
const BARE_COUNT = /\(\s?(\d{1,3}(?:,\d{3}){0,2}|\d{1,6})\s?\)(?!\s?\d)/;
const AGGREGATE = /average|overall|rated|based on|out of|google|tripadvisor|facebook|yelp|\/ ?5/i;
const LINES_AROUND = 2;
const MAX_LINE_CHARS = 300;

interface Sighting {
  readonly rating: number;
  readonly count: number | undefined;
  readonly line: PageLine;
}

/**
 * The rating of the business: one with a number of reviews beside it, else the only one there is
 * that says what it is. Stars of single reviews are not it.
 */
export function findRating(page: TextPage): LayerFields {
  const sightings = sightingsIn(page);
  const counted = sightings.find(({ count }) => count !== undefined);
  if (counted !== undefined) return fieldsOf(counted);
  const own = sightings.filter(({ line }) => line.region !== 'other' && AGGREGATE.test(line.text));
  const values = new Set(own.map(({ rating }) => rating));
  return values.size === 1 && own[0] ? fieldsOf(own[0]) : {};
}

function fieldsOf({ rating, count, line }: Sighting): LayerFields {
  const path = selectorOf(line.element);
  return {
    rating: { value: rating, path },
    review_count: count === undefined ? undefined : { value: count, path },
  };
}

function sightingsIn({ survey, isDirectory }: TextPage): readonly Sighting[] {
  const { lines } = survey;
  return lines.flatMap((line, index) => {
    if (line.text.length > MAX_LINE_CHARS || (isDirectory && line.region === 'foot')) return [];
    const rating = ratingIn(line.text);
    if (rating === undefined) return [];
    // Others' ratings count only with their number beside them, and reviews have none.
    return line.region === 'other' && !COUNT.test(line.text)
      ? []
      : [{ rating, count: countNear(lines, index), line }];
  });
}

function ratingIn(text: string): number | undefined {
  for (const pattern of RATINGS) {
    const value = pattern.exec(text)?.[1];
    const rating = value === undefined ? undefined : readRating(value);
    if (rating !== undefined && rating >= 1) return rating;
  }
  return undefined;
}

function countNear(lines: readonly PageLine[], index: number): number | undefined {
  const own = lines[index]?.text ?? '';
  const inOwn = COUNT.exec(own)?.[1] ?? BARE_COUNT.exec(own)?.[1];
  if (inOwn !== undefined) return readCount(inOwn);
  for (let step = 1; step <= LINES_AROUND; step++) {
    for (const line of [lines[index + step], lines[index - step]]) {
      const text = line?.text ?? '';
      const match = text.length <= 80 ? COUNT.exec(text)?.[1] : undefined;
      if (match !== undefined) return readCount(match);
    }
  }
  return undefined;
}
