import { readRatingOf } from '../listing/entity/read-offer.js';
import { firstFound, type Found } from '../listing/listing-values.js';
import { type Leaf, textsOf, type Thing, thingsOf } from '../listing/thing.js';
import { plainLine } from '../listing/values/plain-text.js';
import { readPhoto } from '../listing/values/web-address.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { availabilityOf } from './availability.js';
import { amountOf } from '../listing/values/price.js';
import { currencyOf } from './money.js';
import { type Product, type ProductFields } from './product-values.js';

const MAX_IMAGES = 50;
const MAX_VARIANTS = 100;
const MAX_OFFERS = 100;
const MAX_ID_CHARS = 60;
/** One word: with more it is a name. */
const ID = /^(?=.*[\dA-Z])\S+$/;

/** The fields of a product that schema.org markup describes. */
export function readMarkedProduct(thing: Thing, resolver: UrlResolver): ProductFields {
  const variants = thingsOf(thing, 'hasVariant').slice(0, MAX_VARIANTS);
  const offers = offersOf(thing);
  const rating = readRatingOf(thing);
  const sold = offers.length > 0 ? offers : variants.slice(0, 1).flatMap(offersOf);
  return {
    name: lineOf(textsOf(thing, 'name')),
    description: lineOf(textsOf(thing, 'description')),
    url: firstFound(textsOf(thing, 'url'), ({ text }) => resolver.resolveWeb(text.trim())),
    brand: brandOf(thing),
    ...priceOf(sold, thing),
    availability: availabilityIn([...sold, thing]),
    sku: idOf([
      ...textsOf(thing, 'sku'),
      ...offers.flatMap((offer) => textsOf(offer, 'sku')),
      ...textsOf(thing, 'productID'),
    ]),
    mpn: idOf([...textsOf(thing, 'mpn'), ...textsOf(thing, 'model')]),
    gtin: gtinOf([thing, ...offers]),
    rating: rating.rating,
    review_count: rating.review_count,
    images: imagesOf(thing, resolver),
    variants: variantsOf(variants),
  };
}

/** Of several offers, such as sizes, one in stock is enough. */
function availabilityIn(offers: readonly Thing[]): ProductFields['availability'] {
  const leaves = offers.flatMap((offer) => textsOf(offer, 'availability'));
  const inStock = firstFound(leaves, ({ text }) =>
    availabilityOf(text) === 'InStock' ? ('InStock' as const) : undefined,
  );
  return inStock ?? firstFound(leaves, ({ text }) => availabilityOf(text));
}

const lineOf = (leaves: readonly Leaf[]): Found<string> | undefined =>
  firstFound(leaves, ({ text }) => plainLine(text));

function brandOf(thing: Thing): Found<string> | undefined {
  for (const name of ['brand', 'manufacturer']) {
    const named = thingsOf(thing, name).flatMap((brand) => textsOf(brand, 'name'));
    const found = lineOf([...named, ...textsOf(thing, name)]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Offers in place, and those that an aggregate holds. */
function offersOf(thing: Thing): readonly Thing[] {
  const offers = thingsOf(thing, 'offers').slice(0, MAX_OFFERS);
  return offers.flatMap((offer) => [offer, ...thingsOf(offer, 'offers').slice(0, MAX_OFFERS)]);
}

function priceOf(
  offers: readonly Thing[],
  thing: Thing,
): Pick<ProductFields, 'price' | 'currency' | 'list_price'> {
  for (const offer of [...offers, thing]) {
    const specified = thingsOf(offer, 'priceSpecification');
    const isList = (part: Thing): boolean =>
      /list|strikethrough|srp|msrp/i.test(textsOf(part, 'priceType')[0]?.text ?? '');
    const sources = [offer, ...specified.filter((part) => !isList(part))];
    const price = firstFound(
      sources.flatMap((source) => textsOf(source, 'price', 'lowPrice', 'minPrice')),
      ({ text }) => statedAmount(text),
    );
    if (price === undefined) continue;
    const currency = firstFound(
      [...sources, thing].flatMap((source) => textsOf(source, 'priceCurrency')),
      ({ text }) => currencyOf(text),
    );
    const list = firstFound(
      specified.filter(isList).flatMap((part) => textsOf(part, 'price')),
      ({ text }) => statedAmount(text),
    );
    return { price, currency, list_price: list };
  }
  return {};
}

/** In markup a point is a decimal mark, whatever follows it: "23.450" is as it says. */
function statedAmount(text: string): number | undefined {
  const plain = text.trim();
  if (/^\d+(?:\.\d+)?$/.test(plain)) return Number(plain) > 0 ? Number(plain) : undefined;
  // Text of a property may hold the amount several times, for each size of screen.
  return amountOf(/\d[\d.,\s\u00a0']*/.exec(plain)?.[0] ?? '');
}

const idOf = (leaves: readonly Leaf[]): Found<string> | undefined =>
  firstFound(leaves, ({ text }) => {
    const id = plainLine(text, 2 * MAX_ID_CHARS)?.replace(/^(?:sku|mpn|isbn|id)\s?:\s?/i, '');
    return id !== undefined && id.length <= MAX_ID_CHARS && ID.test(id) ? id : undefined;
  });

const GTINS = ['gtin13', 'gtin12', 'gtin14', 'gtin8', 'gtin', 'isbn'];

const gtinOf = (things: readonly Thing[]): Found<string> | undefined =>
  firstFound(
    things.flatMap((thing) => GTINS.flatMap((name) => textsOf(thing, name))),
    ({ text }) => gtinIn(text),
  );

/** 8, 12, 13 or 14 digits whose last one is right; of zeros none. */
export function gtinIn(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^(?:\d{8}|\d{12,14})$/.test(digits) || /^0+$/.test(digits)) return undefined;
  let sum = 0;
  for (let at = digits.length - 2, weight = 3; at >= 0; at--, weight = 4 - weight)
    sum += weight * Number(digits[at]);
  return (10 - (sum % 10)) % 10 === Number(digits.at(-1)) ? digits : undefined;
}

function imagesOf(thing: Thing, resolver: UrlResolver): Found<readonly string[]> | undefined {
  const found = new Set<string>();
  let path = '';
  for (const value of thing.valuesOf('image')) {
    const leaves =
      value.kind === 'leaf' ? [value] : textsOf(value, 'contentUrl', 'url', '@id').slice(0, 1);
    for (const leaf of leaves) {
      const address = readPhoto(leaf.text, resolver);
      if (address === undefined || found.size >= MAX_IMAGES) continue;
      if (found.size === 0) path = leaf.path;
      found.add(address);
    }
  }
  return found.size === 0 ? undefined : { value: [...found], path };
}

type Variant = NonNullable<Product['variants']>[number];

function variantsOf(things: readonly Thing[]): Found<readonly Variant[]> | undefined {
  const [first] = things;
  const variants = things.map((thing): Variant => {
    const offers = offersOf(thing);
    const { price, currency } = priceOf(offers, thing);
    const availability = firstFound(
      offers.flatMap((offer) => textsOf(offer, 'availability')),
      ({ text }) => availabilityOf(text),
    );
    const fields = {
      name: lineOf(textsOf(thing, 'name')),
      sku: idOf(textsOf(thing, 'sku', 'productID')),
      gtin: gtinOf([thing, ...offers]),
      price,
      currency,
      availability,
    };
    const values = Object.entries(fields).flatMap(([name, found]) =>
      found === undefined ? [] : [[name, found.value] as const],
    );
    return Object.fromEntries(values);
  });
  const known = variants.filter((variant) => Object.keys(variant).length > 0);
  return first === undefined || known.length === 0 ? undefined : { value: known, path: first.path };
}
