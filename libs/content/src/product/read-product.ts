import { identifyPage } from '../listing/identify-page.js';
import { type PageIdentity } from '../listing/entity/page-identity.js';
import { jsonLdThings } from '../listing/json-ld/json-ld-things.js';
import { surveyListing } from '../listing/page-text/survey-page.js';
import { type ReadablePage } from '../readable-page.js';
import { addressId } from './address-id.js';
import { chooseProduct } from './choose-product.js';
import { readOpenGraphProduct } from './open-graph-product.js';
import {
  type Product,
  PRODUCT_FIELDS,
  type ProductFields,
  type ProductLayer,
} from './product-values.js';
import { readMarkedProduct } from './read-markup.js';
import { scriptId } from './script-id.js';
import { readShopText } from './shop-text.js';

interface Layer {
  readonly layer: ProductLayer;
  readonly fields: ProductFields;
}

/**
 * The product a page sells or shows, or null when it is about none: from markup (JSON-LD, microdata, RDFa), Open
 * Graph and the text near its heading, each field from the first that has it. Pure and deterministic; never throws.
 */
export function readProduct(page: ReadablePage): Product | null {
  const identity = identifyPage(page);
  const survey = surveyListing(page.parsed.document);
  const marked = [
    { layer: 'json-ld', thing: chooseProduct(jsonLdThings(page.jsonLd).things, identity) },
    { layer: 'microdata', thing: chooseProduct(survey.microdata.things, identity) },
    { layer: 'rdfa', thing: chooseProduct(survey.rdfa.things, identity) },
  ] as const;
  const markup = marked.flatMap(({ layer, thing }): Layer[] =>
    thing === null ? [] : [{ layer, fields: readMarkedProduct(thing, page.resolver) }],
  );
  const openGraph = readOpenGraphProduct(page.parsed.described, page.resolver);
  const text = readShopText(page.parsed.document, identity.title);
  const isSoldOut = text.isSoldOut && addressId(page.url) !== undefined;
  const isProduct = markup.length > 0 || openGraph.isProduct || text.isShop || isSoldOut;
  if (!isProduct) return null;
  return present([
    ...reduced(markup, text.fields),
    ...markup,
    { layer: 'open-graph', fields: openGraph.fields },
    { layer: 'text', fields: text.fields },
    { layer: 'heuristic', fields: ofScripts(page) },
    { layer: 'heuristic', fields: ofPage(identity) },
  ]);
}

/** Markup may still have the price that the page crosses out: then the page's own is the price. */
function reduced(
  markup: readonly Layer[],
  { price, list_price: list, currency }: ProductFields,
): readonly Layer[] {
  const stated = markup.find(({ fields }) => fields.price !== undefined)?.fields.price?.value;
  const isOld = stated !== undefined && list !== undefined && stated === list.value;
  return isOld && price !== undefined
    ? [{ layer: 'text', fields: { price, list_price: list, currency } }]
    : [];
}

function ofScripts({ parsed }: ReadablePage): ProductFields {
  const id = scriptId(parsed.document);
  return id === undefined ? {} : { sku: { value: id, path: 'script' } };
}

/** What the page itself is called, and where it is. */
function ofPage(identity: PageIdentity): ProductFields {
  const { h1, title, url, canonical } = identity;
  const name = h1 === '' ? title : h1;
  const id = addressId(canonical ?? url) ?? addressId(url);
  return {
    name: name === '' ? undefined : { value: name, path: h1 === '' ? 'title' : 'h1' },
    url: {
      value: canonical ?? url,
      path: canonical === undefined ? 'page address' : 'link[rel="canonical"]',
    },
    sku: id === undefined ? undefined : { value: id, path: 'page address' },
  };
}

/** A price and its currency are of one layer, as are a rating and its count. */
const FOLLOWS: Readonly<Record<string, string>> = {
  currency: 'price',
  list_price: 'price',
  review_count: 'rating',
};

function present(layers: readonly Layer[]): Product {
  const values: Record<string, unknown> = {};
  const provenance: Record<string, Product['_provenance'][string]> = {};
  for (const name of PRODUCT_FIELDS) {
    const leader = provenance[FOLLOWS[name] ?? ''];
    const found = layers.find(({ layer, fields }) => {
      if (fields[name] === undefined) return false;
      return leader === undefined || leader.layer === layer || name === 'currency';
    });
    const field = found?.fields[name];
    if (found === undefined || field === undefined) continue;
    values[name] = field.value;
    provenance[name] = { layer: found.layer, path: field.path };
  }
  return {
    ...values,
    _confidence: confidenceOf(provenance),
    _extraction_method: provenance.price?.layer ?? provenance.name?.layer ?? 'heuristic',
    _provenance: provenance,
  };
}

/** Hundredths that a field adds where markup has it; from text it adds half. */
const WEIGHTS: Readonly<Record<string, number>> = {
  name: 20,
  price: 30,
  currency: 10,
  availability: 15,
  sku: 10,
  brand: 5,
  images: 5,
  description: 5,
};

function confidenceOf(provenance: Readonly<Record<string, { readonly layer: string }>>): number {
  let sum = 0;
  for (const [name, weight] of Object.entries(WEIGHTS)) {
    const layer = provenance[name]?.layer;
    if (layer !== undefined) sum += layer === 'text' || layer === 'heuristic' ? weight / 2 : weight;
  }
  return sum / 100;
}
