import { collapse, readStatedHours } from '@app/content';
import type { OpeningHours } from '@app/contracts';

/** What a source states about one business; fields that it does not state are absent. */
export interface Business {
  readonly name: string;
  readonly address?: string;
  readonly phone?: string;
  readonly rating?: number;
  readonly reviewCount?: number;
  readonly categories?: readonly string[];
  readonly priceRange?: string;
  readonly hours?: OpeningHours;
  readonly isOpenNow?: boolean;
  /** The business's own site. */
  readonly website?: string;
  /** The source's page about it. */
  readonly page?: string;
}

/** Fields of a business that the settings of a source describe, by their wire names. */
export const BUSINESS_FIELDS = [
  'name',
  'address',
  'phone',
  'rating',
  'review_count',
  'category',
  'price_range',
  'hours',
  'is_open_now',
  'website',
  'page',
] as const;
export type BusinessField = (typeof BUSINESS_FIELDS)[number];

/** Values of a source, as they arrived. */
export type RawBusiness = Readonly<Partial<Record<BusinessField, unknown>>>;

const MAX_NAME_CHARS = 300;
const MAX_ADDRESS_CHARS = 500;
const MAX_PHONE_CHARS = 40;
const MAX_PRICE_CHARS = 40;
const MAX_CATEGORIES = 10;
const MAX_CATEGORY_CHARS = 100;
const MAX_URL_CHARS = 2_048;
const MAX_HOURS_CHARS = 400;
const MAX_RATING = 10;

/**
 * A business of values as a source has them; null: it has no name.
 * @param base of relative addresses
 */
export function toBusiness(raw: RawBusiness, base?: string): Business | null {
  const name = textOf(raw.name, MAX_NAME_CHARS);
  if (name === undefined) return null;
  return statedBusiness({
    name,
    address: textOf(joined(raw.address, ', '), MAX_ADDRESS_CHARS),
    phone: phoneOf(raw.phone),
    rating: ratingOf(raw.rating),
    reviewCount: countOf(raw.review_count),
    categories: categoriesOf(raw.category),
    priceRange: textOf(raw.price_range, MAX_PRICE_CHARS),
    hours: hoursOf(raw.hours),
    isOpenNow: openNowOf(raw.is_open_now),
    website: businessUrl(raw.website, base),
    page: businessUrl(raw.page, base),
  });
}

/** The same business without the fields that have no value. */
export function statedBusiness(
  business: { readonly [Name in keyof Business]: Business[Name] | undefined } & {
    readonly name: string;
  },
): Business {
  const { name, ...rest } = business;
  const stated = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { name, ...Object.fromEntries(stated) };
}

/** A web address without credentials; undefined: it is none. */
export function businessUrl(value: unknown, base?: string): string | undefined {
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_URL_CHARS)
    return undefined;
  const url = URL.parse(value.trim(), base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') return undefined;
  return url.href.length > MAX_URL_CHARS ? undefined : url.href;
}

function textOf(value: unknown, maxChars: number): string | undefined {
  if (typeof value === 'number') return textOf(String(value), maxChars);
  if (typeof value !== 'string') return undefined;
  const text = collapse(value.slice(0, 4 * maxChars).replace(/[\u0000-\u001f\u007f]/g, ' '));
  return text === '' ? undefined : text.slice(0, maxChars).trimEnd().toWellFormed();
}

/** Lists of texts, such as the lines of an address, as one text. */
function joined(value: unknown, separator: string): unknown {
  if (!Array.isArray(value)) return value;
  return value
    .slice(0, 20)
    .filter((part) => typeof part === 'string' && part.trim() !== '')
    .join(separator);
}

function phoneOf(value: unknown): string | undefined {
  const text = textOf(value, 4 * MAX_PHONE_CHARS)?.replace(/^tel:/i, '');
  const digits = text?.replace(/\D/g, '').length ?? 0;
  const isPhone = digits >= 7 && digits <= 15 && (text?.length ?? 0) <= MAX_PHONE_CHARS;
  return isPhone ? text : undefined;
}

/** `4.5`, `4,5`, `4.5 out of 5`. */
function ratingOf(value: unknown): number | undefined {
  const text = textOf(value, 80);
  const [stated] = text === undefined ? [] : (/\d{1,2}(?:[.,]\d{1,3})?/.exec(text) ?? []);
  const rating = stated === undefined ? Number.NaN : Number(stated.replace(',', '.'));
  return rating > 0 && rating <= MAX_RATING ? rating : undefined;
}

/** `1,234 reviews`, `(87)`. */
function countOf(value: unknown): number | undefined {
  const text = textOf(value, 80);
  const [stated] =
    text === undefined ? [] : (/\d{1,3}(?:[.,\s]\d{3}){1,3}|\d{1,9}/.exec(text) ?? []);
  return stated === undefined ? undefined : Number(stated.replace(/\D/g, ''));
}

function categoriesOf(value: unknown): readonly string[] | undefined {
  const parts: readonly unknown[] = Array.isArray(value)
    ? value.slice(0, MAX_CATEGORIES * 2)
    : typeof value === 'string'
      ? value.slice(0, 1_000).split(/[,;|·]/)
      : [];
  const texts = parts.flatMap((part) => textOf(part, MAX_CATEGORY_CHARS) ?? []);
  const distinct = [...new Set(texts)].slice(0, MAX_CATEGORIES);
  return distinct.length === 0 ? undefined : distinct;
}

function hoursOf(value: unknown): OpeningHours | undefined {
  const text = textOf(joined(value, '; '), MAX_HOURS_CHARS);
  return text === undefined ? undefined : readStatedHours(text);
}

function openNowOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = textOf(value, 80)?.toLowerCase() ?? '';
  if (/\bclosed\b/.test(text)) return false;
  return /\bopen\b/.test(text) ? true : undefined;
}
