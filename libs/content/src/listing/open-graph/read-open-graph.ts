import { type Element } from 'domhandler';
import { parseHours } from '../hours/parse-hours.js';
import { Week } from '../hours/week.js';
import { readTime, spellRange } from '../hours/clock.js';
import { type PageIdentity } from '../entity/page-identity.js';
import { type Found, type LayerFields, withoutGaps } from '../listing-values.js';
import { readEmail } from '../values/email.js';
import { readPosition, readRating, readCount, readYear } from '../values/numbers.js';
import { readPhone } from '../values/phone.js';
import { plainLine } from '../values/plain-text.js';
import { checkAddress } from '../values/postal-address.js';
import { readAmount, readPriceRange } from '../values/price.js';
import { readAddressOfSite, readPhoto } from '../values/web-address.js';
import { knownCountry } from '../values/country.js';

export interface OpenGraph {
  readonly fields: LayerFields;
  /** The type says that the page is a business or a place. */
  readonly isBusiness: boolean;
  readonly isProduct: boolean;
  /** An article with a date of publication. */
  readonly isArticle: boolean;
  /** Only the type says article, as some systems have it for every page of a site. */
  readonly isUndatedArticle: boolean;
  readonly siteName: string | undefined;
  readonly title: string | undefined;
}

const BUSINESS_TYPE =
  /^(?:business(?:\.business)?|place|restaurant(?:s\.restaurant|\.restaurant)?|hotel|bar|cafe|local_?business|landmark|company)$|:(?:restaurant|hotel|business|place)$/i;
const MAX_PROPERTIES = 500;

type Properties = ReadonlyMap<string, readonly Found<string>[]>;

/** Reads Open Graph and its business, place, restaurant and product vocabularies. */
export function readOpenGraph(described: readonly Element[], page: PageIdentity): OpenGraph {
  const properties = propertiesOf(described);
  const first = (name: string): string | undefined => properties.get(name)?.[0]?.value;
  const type = first('og:type') ?? '';
  const isBusiness = BUSINESS_TYPE.test(type) || properties.has('business:contact_data:locality');
  const isDated = properties.has('article:published_time');
  const isProduct = /^(?:product|og:product|product\.item)$/i.test(type);
  return {
    fields: withoutGaps({
      ...aboutPage(properties, page, isBusiness || isProduct),
      ...contact(properties, page),
      ...place(properties),
      ...offer(properties),
    }),
    isBusiness,
    isProduct,
    isArticle: isDated && !/^website$/i.test(type),
    isUndatedArticle: !isDated && /^article$/i.test(type),
    siteName: first('og:site_name'),
    title: first('og:title'),
  };
}

function propertiesOf(described: readonly Element[]): Properties {
  const properties = new Map<string, Found<string>[]>();
  let count = 0;
  for (const { name, attribs } of described) {
    if (name !== 'meta' || attribs.content === undefined || count > MAX_PROPERTIES) continue;
    const property = (attribs.property ?? attribs.name ?? '').trim().toLowerCase();
    const value = plainLine(attribs.content);
    if (!property.includes(':') || property.length > 100 || value === undefined) continue;
    count++;
    const found = { value, path: `meta[property="${property.replace(/["\\]/g, '')}"]` };
    const others = properties.get(property);
    if (others === undefined) properties.set(property, [found]);
    else others.push(found);
  }
  return properties;
}

/** The first value of any of the names that is accepted. */
function pick<T>(
  properties: Properties,
  names: readonly string[],
  read: (text: string) => T | undefined,
): Found<T> | undefined {
  for (const { value, path } of names.flatMap((name) => properties.get(name) ?? [])) {
    const accepted = read(value);
    if (accepted !== undefined) return { value: accepted, path };
  }
  return undefined;
}

/** A title is the name only where the page says that it is a business or a product. */
function aboutPage(properties: Properties, page: PageIdentity, isEntity: boolean): LayerFields {
  const pictures = (properties.get('og:image') ?? []).flatMap(({ value, path }) => {
    const address = readPhoto(value, page.resolver);
    return address === undefined ? [] : [{ value: address, path }];
  });
  const distinct = [...new Set(pictures.map(({ value }) => value))];
  return {
    name: isEntity ? pick(properties, ['og:title', 'og:site_name'], (text) => text) : undefined,
    description: pick(properties, ['og:description'], (text) => text),
    hero_image: pictures[0],
    // One picture is the card of the page; several are of the place.
    photo_urls:
      distinct.length > 1 && pictures[0] ? { value: distinct, path: pictures[0].path } : undefined,
  };
}

const CONTACT = [
  'business:contact_data:',
  'restaurant:contact_info:',
  'og:',
  'place:contact_data:',
];
const under = (...names: readonly string[]): readonly string[] =>
  CONTACT.flatMap((prefix) => names.map((name) => prefix + name));

function contact(properties: Properties, page: PageIdentity): LayerFields {
  const raw = {
    address: pick(properties, under('street_address', 'street-address'), (text) => text),
    city: pick(properties, under('locality'), (text) => text),
    state: pick(properties, under('region'), (text) => text),
    zip: pick(properties, under('postal_code', 'postal-code', 'zip'), (text) => text),
    country: pick(properties, under('country_name', 'country-name'), (text) => text),
  };
  const parts = checkAddress(
    Object.fromEntries(Object.entries(raw).map(([name, found]) => [name, found?.value])),
  );
  const checked = (name: keyof typeof raw): Found<string> | undefined => {
    const value = parts[name];
    return value === undefined ? undefined : { value, path: raw[name]?.path ?? '' };
  };
  const country = knownCountry(parts.country ?? '') ?? parts.country ?? page.country;
  return {
    address: checked('address'),
    city: checked('city'),
    state: checked('state'),
    zip: checked('zip'),
    country: checked('country'),
    phone: pick(properties, under('phone_number'), (text) => readPhone(text, country)),
    email: pick(properties, under('email'), readEmail),
    website: pick(properties, under('website', 'see_also'), (text) =>
      readAddressOfSite(text, page.resolver),
    ),
  };
}

function place(properties: Properties): LayerFields {
  for (const prefix of ['place:location:', 'og:', 'business:location:']) {
    const [lat] = properties.get(`${prefix}latitude`) ?? [];
    const [lng] = properties.get(`${prefix}longitude`) ?? [];
    const position = lat && lng && readPosition(lat.value, lng.value);
    if (lat && lng && position)
      return {
        lat: { value: position.lat, path: lat.path },
        lng: { value: position.lng, path: lng.path },
        hours: hours(properties),
      };
  }
  return { hours: hours(properties) };
}

/** Days, starts and ends come as three lists of equal length. */
function hours(properties: Properties): LayerFields['hours'] {
  const days = properties.get('business:hours:day') ?? [];
  const starts = properties.get('business:hours:start') ?? [];
  const ends = properties.get('business:hours:end') ?? [];
  const week = new Week();
  days.slice(0, 50).forEach(({ value }, index) => {
    const start = readTime(starts[index]?.value ?? '')?.time;
    const end = readTime(ends[index]?.value ?? '')?.time;
    const range = start && end && spellRange(start, end);
    const named = parseHours(value, 'en').groups.flatMap((group) => group.days);
    if (range !== undefined) for (const day of named) week.add(day, range);
  });
  const value = week.finish();
  const path = days[0]?.path;
  return value === undefined || path === undefined ? undefined : { value, path };
}

function offer(properties: Properties): LayerFields {
  const amounts = ['product:price:amount', 'og:price:amount', 'product:sale_price:amount'];
  const range = pick(
    properties,
    ['restaurant:price_rating', 'business:price_range'],
    readPriceRange,
  );
  return {
    price_min: pick(properties, amounts, readAmount),
    price_max: pick(properties, amounts, readAmount),
    price_range: range && { value: range.value.text, path: range.path },
    rating: pick(properties, ['og:rating', 'business:rating'], (text) => readRating(text)),
    review_count: pick(properties, ['og:rating_count', 'og:review_count'], readCount),
    founded_year: pick(properties, ['business:founded', 'og:founded'], readYear),
  };
}
