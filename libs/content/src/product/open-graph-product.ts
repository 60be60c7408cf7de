import { type Element } from 'domhandler';
import { type Found } from '../listing/listing-values.js';
import { plainLine } from '../listing/values/plain-text.js';
import { readPhoto } from '../listing/values/web-address.js';
import { type UrlResolver } from '../links/url-resolver.js';
import { availabilityOf } from './availability.js';
import { amountOf } from '../listing/values/price.js';
import { currencyOf } from './money.js';
import { type ProductFields } from './product-values.js';

/** What Open Graph and product cards say; `isProduct`: that the page is one. */
export interface OpenGraphProduct {
  readonly fields: ProductFields;
  readonly isProduct: boolean;
}

const MAX_METAS = 500;
const MAX_IMAGES = 50;

export function readOpenGraphProduct(
  described: readonly Element[],
  resolver: UrlResolver,
): OpenGraphProduct {
  const metas = metasOf(described);
  const first = <T>(
    names: readonly string[],
    read: (text: string) => T | undefined,
  ): Found<T> | undefined => {
    for (const name of names) {
      const text = metas.get(name)?.[0];
      const value = text === undefined ? undefined : read(text);
      if (value !== undefined) return { value, path: `meta[property="${name}"]` };
    }
    return undefined;
  };
  const line = (text: string): string | undefined => plainLine(text);
  const type = metas.get('og:type')?.[0] ?? '';
  const price = first(under('price:amount', 'price'), amountOf);
  const images = (metas.get('og:image') ?? []).flatMap((text) => readPhoto(text, resolver) ?? []);
  const fields: ProductFields = {
    name: first(['og:title'], line),
    description: first(['og:description'], line),
    brand: first(under('brand'), line),
    price: first(['product:sale_price:amount'], amountOf) ?? price,
    currency: first(under('sale_price:currency', 'price:currency', 'currency'), currencyOf),
    availability: first(under('availability'), availabilityOf),
    sku: first(under('retailer_item_id', 'sku', 'retailer_part_no'), line),
    mpn: first(under('mfr_part_no'), line),
    images:
      images.length === 0
        ? undefined
        : { value: [...new Set(images)].slice(0, MAX_IMAGES), path: 'meta[property="og:image"]' },
  };
  return { fields, isProduct: /\bproduct\b/i.test(type) || price !== undefined };
}

const under = (...names: readonly string[]): readonly string[] =>
  ['product:', 'og:', 'product:product:'].flatMap((prefix) => names.map((name) => prefix + name));

function metasOf(described: readonly Element[]): ReadonlyMap<string, readonly string[]> {
  const metas = new Map<string, string[]>();
  let count = 0;
  for (const { name, attribs } of described) {
    if (name !== 'meta' || attribs.content === undefined || ++count > MAX_METAS) continue;
    const property = (attribs.property ?? attribs.name ?? '').trim().toLowerCase();
    const known = metas.get(property);
    if (known === undefined) metas.set(property, [attribs.content]);
    else known.push(attribs.content);
  }
  return metas;
}
