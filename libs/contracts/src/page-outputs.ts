import type { Branding } from './branding.js';
import type { Listing } from './listing.js';
import type { WantedParts } from './passages.js';
import type { ScreenshotOptions } from './screenshot-task.js';

/** Where a field of a product was found: its layer, and the path or selector in it. */
interface ProductOrigin {
  readonly layer: 'json-ld' | 'microdata' | 'rdfa' | 'open-graph' | 'text' | 'heuristic';
  readonly path: string;
}

/** States of schema.org's `ItemAvailability`. */
type ProductAvailability =
  | 'InStock'
  | 'OutOfStock'
  | 'PreOrder'
  | 'BackOrder'
  | 'MadeToOrder'
  | 'LimitedAvailability'
  | 'Discontinued';

interface ProductVariant {
  readonly name?: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly price?: number;
  readonly currency?: string;
  readonly availability?: ProductAvailability;
}

/**
 * The product of a page in its wire form, as results and stored documents hold it. Fields that the
 * page does not have are absent.
 */
interface PageProduct {
  readonly name?: string;
  readonly description?: string;
  readonly url?: string;
  readonly brand?: string;
  readonly price?: number;
  /** ISO 4217. */
  readonly currency?: string;
  /** The higher price that the page crosses out. */
  readonly list_price?: number;
  readonly availability?: ProductAvailability;
  readonly sku?: string;
  readonly mpn?: string;
  readonly gtin?: string;
  readonly rating?: number;
  readonly review_count?: number;
  readonly images?: readonly string[];
  readonly variants?: readonly ProductVariant[];
  /** 0 to 1. */
  readonly _confidence: number;
  /** Layer of the price, else of the name. */
  readonly _extraction_method: ProductOrigin['layer'];
  /** Keyed by field name; every other field above has an entry. */
  readonly _provenance: Readonly<Record<string, ProductOrigin>>;
}

/** The value of each output that is read from a page: a field of its content and of its document. */
export interface OutputValues {
  readonly markdown: string;
  /** The decoded source. */
  readonly rawHtml: string;
  /**
   * The part that the content options keep, as HTML without scripts, styles, comments and event
   * attributes; addresses are absolute.
   */
  readonly html: string;
  /**
   * Absolute http(s) addresses without fragment, unique, in document order: of the part that the
   * content options keep.
   */
  readonly links: readonly string[];
  /** Null: the page is no listing. */
  readonly listing: Listing | null;
  /** How the page presents itself. */
  readonly branding: Branding;
  /** Null: the page is about no product. */
  readonly product: PageProduct | null;
}

type Wanted = { readonly [Output in keyof OutputValues]?: boolean };

/**
 * The outputs that are wanted of a page; absent: not wanted. One object, passed whole from the request
 * of a page to its readers and its presenter.
 */
export interface PageOutputs extends Wanted, WantedParts {
  /** Of document files: chunks of their text. */
  readonly chunks?: boolean;
  /** Of a PDF: each page by itself, with its blocks and their places; and a comment before each page in the Markdown. */
  readonly filePages?: boolean | 'sources';
  readonly pageMarkers?: boolean;
  /** Facts about the company whose site it is. */
  readonly company?: boolean;
  /** The page packed for a technology scan. */
  readonly scan?: boolean;
  /** The text for a search index; that of a page needs `markdown`. */
  readonly fullText?: boolean;
  /** The blocks of the Markdown of an HTML page, to compare them with those of other pages. */
  readonly blocks?: boolean;
  /** A key that pages of equal content share. */
  readonly contentKey?: boolean;
  /** Of an HTML page: Markdown, source, HTML and links as bytes of JSON, which no event loop has to read. */
  readonly packed?: boolean;
  readonly screenshot?: ScreenshotOptions;
}

/** Values of a page that lacks the output. */
const NONE: OutputValues = {
  markdown: '',
  rawHtml: '',
  html: '',
  links: [],
  listing: null,
  branding: {},
  product: null,
};

/** Exactly the wanted outputs, from those that were read. */
export function outputValues(
  outputs: PageOutputs,
  read: { readonly [Output in keyof OutputValues]?: OutputValues[Output] | undefined },
): Partial<OutputValues> {
  const names = Object.keys(NONE) as (keyof OutputValues)[];
  return Object.fromEntries(
    names.filter((name) => outputs[name]).map((name) => [name, read[name] ?? NONE[name]]),
  );
}

/** Names of outputs in requests (specification: POST /v1/scrape, `formats`). */
export const FORMATS = [
  'markdown',
  'rawHtml',
  'links',
  'screenshot',
  'json',
  'branding',
  'product',
  'summary',
] as const;
export type Format = (typeof FORMATS)[number];

/** Outputs of a job's pages: those that need no model. */
export const JOB_FORMATS = FORMATS.filter((format) => format !== 'json' && format !== 'summary');
