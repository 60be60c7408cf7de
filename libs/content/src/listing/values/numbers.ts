/** `1,284`, `1.043`, `1 284`, `188 reviews` → a whole number; undefined below 1. */
export function readCount(text: string): number | undefined {
  const match = /^\D{0,12}?(-?)(\d{1,3}(?:[.,\s\u00a0']\d{3}){1,3}|\d{1,9})(?![\d.,]\d)/.exec(text);
  if (match === null || match[1] === '-') return undefined;
  const count = Number((match[2] ?? '').replace(/\D/g, ''));
  return count >= 1 ? count : undefined;
}

/** `4.6`, `4,6`, ` 4.60 stars`; undefined when the text does not begin with a number. */
export function readDecimal(text: string): number | undefined {
  const match = /^\s*([+-]?\d{1,9}(?:[.,]\d{1,30})?)(?!\d|[.,]\d)/.exec(text);
  return match === null ? undefined : Number((match[1] ?? '').replace(',', '.'));
}

/** Scale of `rating` in every result. */
export const TOP_RATING = 5;

/**
 * A rating on the scale of 5, two decimals: 8.9 of 10 is 4.45. Without a best rating the scale is 5
 * (schema.org's rule), so 8.9 alone is an error and not a rating; nor is 0, which means "none yet".
 */
export function readRating(text: string, best = TOP_RATING): number | undefined {
  const value = readDecimal(text);
  if (value === undefined || !(value > 0) || !(best > 0) || value > best) return undefined;
  return Math.round((value / best) * TOP_RATING * 100) / 100;
}

/** A year a business can have begun in. */
export function readYear(text: string): number | undefined {
  const year = Number(/\b(1[5-9]\d{2}|20\d{2})\b/.exec(text.slice(0, 100))?.[1] ?? Number.NaN);
  return Number.isNaN(year) ? undefined : year;
}

/** Latitude and longitude; 0/0 is an empty form. */
export function readPosition(
  latitude: string,
  longitude: string,
): { readonly lat: number; readonly lng: number } | undefined {
  const lat = readDecimal(latitude);
  const lng = readDecimal(longitude);
  if (lat === undefined || lng === undefined || (lat === 0 && lng === 0)) return undefined;
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}
