import { type UrlResolver } from '../../links/url-resolver.js';
import { firstFound, type Found, type LayerFields } from '../listing-values.js';
import { type Leaf, textsOf, type Thing, thingsOf, type ThingValue } from '../thing.js';
import { readCount, readDecimal, readRating, readYear } from '../values/numbers.js';
import { plainLine } from '../values/plain-text.js';
import { amountsIn, readPriceRange } from '../values/price.js';
import { readPhoto } from '../values/web-address.js';

const MAX_AMENITIES = 100;
const MAX_PHOTOS = 50;
const MAX_OFFERS = 100;

export function readRatingOf(thing: Thing): LayerFields {
  for (const rating of thingsOf(thing, 'aggregateRating')) {
    const best = readDecimal(textsOf(rating, 'bestRating')[0]?.text ?? '');
    const value = firstFound(textsOf(rating, 'ratingValue'), ({ text }) => readRating(text, best));
    const counts = [...textsOf(rating, 'reviewCount'), ...textsOf(rating, 'ratingCount')];
    const count = firstFound(counts, ({ text }) => readCount(text));
    if (value !== undefined || count !== undefined) return { rating: value, review_count: count };
  }
  return {};
}

/** The written range, and the lowest and highest price of it or of the offers. */
export function readPrices(thing: Thing): LayerFields {
  const written = textsOf(thing, 'priceRange')
    .map(({ text, path }) => ({ range: readPriceRange(plainLine(text, 200) ?? ''), path }))
    .find(({ range }) => range !== undefined);
  const { range, path = '' } = written ?? {};
  const offered = offeredPrices(thing);
  return {
    price_range: range && { value: range.text, path },
    price_min: found(range?.min, path) ?? extreme(offered, 'low'),
    price_max:
      found(range?.max, path) ?? (range?.min === undefined ? extreme(offered, 'high') : undefined),
  };
}

const found = (value: number | undefined, path: string): Found<number> | undefined =>
  value === undefined ? undefined : { value, path };

function offeredPrices(thing: Thing): readonly Found<number>[] {
  const offers = [...thingsOf(thing, 'offers'), ...thingsOf(thing, 'makesOffer')].slice(
    0,
    MAX_OFFERS,
  );
  return offers
    .flatMap(pricesOf)
    .flatMap(({ text, path }) => amountsIn(text).map((value) => ({ value, path })));
}

function pricesOf(offer: Thing): readonly Leaf[] {
  const own = ['price', 'lowPrice', 'highPrice'].flatMap((name) =>
    textsOf(offer, name).slice(0, 1),
  );
  const specified = thingsOf(offer, 'priceSpecification').flatMap((part) =>
    ['price', 'minPrice', 'maxPrice'].flatMap((name) => textsOf(part, name).slice(0, 1)),
  );
  return own.length > 0 ? own : specified;
}

function extreme(prices: readonly Found<number>[], end: 'low' | 'high'): Found<number> | undefined {
  let best: Found<number> | undefined;
  for (const price of prices) {
    const isBetter =
      best !== undefined && (end === 'low' ? price.value < best.value : price.value > best.value);
    if (best === undefined || isBetter) best = price;
  }
  return best;
}

/** Names of features that the thing has; those said to be absent are left out. */
export function readAmenities(thing: Thing): Found<readonly string[]> | undefined {
  const values = [
    ...thing.valuesOf('amenityFeature'),
    ...thingsOf(thing, 'containsPlace').flatMap((place) => place.valuesOf('amenityFeature')),
  ];
  const names = new Map<string, string>();
  for (const value of values) {
    const name = amenityName(value);
    if (name !== undefined && names.size < MAX_AMENITIES && !names.has(name.toLowerCase()))
      names.set(name.toLowerCase(), name);
  }
  const path = values[0]?.path;
  return names.size === 0 || path === undefined ? undefined : { value: [...names.values()], path };
}

function amenityName(value: ThingValue): string | undefined {
  if (value.kind === 'leaf') return plainLine(value.text, 100);
  const [state] = textsOf(value, 'value');
  if (state !== undefined && /^(?:false|no|0|n)$/i.test(state.text.trim())) return undefined;
  return plainLine(textsOf(value, 'name', 'propertyID')[0]?.text ?? '', 100);
}

/** Pictures of the thing: of `image`, then of `photo`; its logo is none of them. */
export function readPhotos(thing: Thing, resolver: UrlResolver): LayerFields {
  const logos = new Set(
    ['logo'].flatMap((name) => pictures(thing, name)).map(({ text }) => text.trim()),
  );
  const seen = new Map<string, string>();
  for (const { text, path } of ['image', 'photo', 'photos'].flatMap((name) =>
    pictures(thing, name),
  )) {
    const address = logos.has(text.trim()) ? undefined : readPhoto(text, resolver);
    if (address !== undefined && seen.size < MAX_PHOTOS && !seen.has(address))
      seen.set(address, path);
  }
  const [hero] = seen;
  if (hero === undefined) return {};
  const [value, path] = hero;
  return { hero_image: { value, path }, photo_urls: { value: [...seen.keys()], path } };
}

const pictures = (thing: Thing, name: string): readonly Leaf[] =>
  thing
    .valuesOf(name)
    .flatMap((value) =>
      value.kind === 'leaf' ? [value] : textsOf(value, 'url', 'contentUrl', '@id').slice(0, 1),
    );

const CAPACITIES = ['maximumAttendeeCapacity', 'occupancy', 'seatingCapacity', 'numberOfRooms'];

/** People it holds; for lodging, else, the rooms it has. */
export function readCapacity(thing: Thing): Found<number> | undefined {
  const inner = thingsOf(thing, 'containsPlace').flatMap((place) => quantity(place, 'occupancy'));
  const leaves = [...CAPACITIES.flatMap((name) => quantity(thing, name)), ...inner];
  return firstFound(leaves, ({ text }) => readCount(text));
}

const quantity = (thing: Thing, name: string): readonly Leaf[] =>
  thing
    .valuesOf(name)
    .flatMap((value) => (value.kind === 'leaf' ? [value] : textsOf(value, 'value', 'maxValue')));

export const readFounded = (thing: Thing): Found<number> | undefined =>
  firstFound(textsOf(thing, 'foundingDate', 'dateFounded'), ({ text }) => readYear(text));

const LICENSE_NAME = /licen[cs]e|certificat/i;

/** A licence among identifiers, credentials and further properties. */
export function readLicense(thing: Thing): Found<string> | undefined {
  const properties = [
    'identifier',
    'additionalProperty',
    'hasCredential',
    'hasCertification',
    'permit',
  ];
  const leaves = properties.flatMap((name) => thingsOf(thing, name)).filter(isLicense);
  const values = leaves.flatMap((item) =>
    textsOf(item, 'value', 'identifier', 'certificationIdentification').slice(0, 1),
  );
  return firstFound([...textsOf(thing, 'licenseNumber'), ...values], ({ text }) => {
    const number = plainLine(text, 60);
    return number !== undefined && /\d{3}/.test(number) ? number : undefined;
  });
}

const isLicense = (item: Thing): boolean =>
  ['name', 'propertyID', 'credentialCategory', 'description'].some((name) =>
    LICENSE_NAME.test(textsOf(item, name)[0]?.text ?? ''),
  );
