import type { Branding } from './branding.js';
import type { CascadeReport, Fallback } from './cascade.js';
import type { Listing } from './listing.js';
import type { LlmOutput } from './llm.js';
import type { ActionResult } from './page-actions.js';
import type { Chunk, ParsedFile } from './parsed-file.js';
import type { FetchMethod } from './rung.js';
import type { ImageRef } from './screenshot-task.js';

/** Metadata read from a page, plus how it was fetched. Absent fields were not on the page. */
export interface PageMetadata {
  readonly title?: string;
  readonly description?: string;
  readonly language?: string;
  readonly canonical?: string;
  readonly robots?: string;
  readonly favicon?: string;
  readonly openGraph?: Readonly<Record<string, string>>;
  /** `twitter:` properties without their prefix. */
  readonly twitter?: Readonly<Record<string, string>>;
  readonly author?: string;
  readonly keywords?: string;
  /** Main heading, or the title without the site's name; absent: `title` is it already. */
  readonly headline?: string;
  readonly siteName?: string;
  readonly section?: string;
  readonly tags?: readonly string[];
  /** ISO 8601 with the zone that the page gives; as the page has it where that is no such time. */
  readonly publishedTime?: string;
  readonly modifiedTime?: string;
  /** Types of the JSON-LD items, unique, in order. */
  readonly jsonLdTypes?: readonly string[];
  readonly feeds?: readonly {
    readonly url: string;
    readonly type: string;
    readonly title?: string;
  }[];
  /** Other languages of the page (`hreflang`). */
  readonly alternates?: readonly { readonly language: string; readonly url: string }[];
  /** Characters of text that a reader does not see and that were left out of Markdown. */
  readonly hiddenChars?: number;
  /** The X-Robots-Tag header as it came. */
  readonly xRobotsTag?: string;
}

/** One answered redirect. */
export interface RedirectStep {
  readonly url: string;
  readonly statusCode: number;
}

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

/** One fetched and converted page: the middle that scrape and crawl share. */
export interface PageDocument {
  /** Address after redirects. */
  readonly url: string;
  /** URL as requested or discovered. */
  readonly sourceUrl: string;
  readonly statusCode: number;
  readonly contentType: string | null;
  readonly markdown?: string;
  readonly rawHtml?: string;
  /**
   * The part that the content options keep, as HTML without scripts, styles, comments and event
   * attributes; addresses are absolute.
   */
  readonly html?: string;
  readonly links?: readonly string[];
  readonly metadata: PageMetadata;
  readonly fetchMethod: FetchMethod;
  readonly latencyMs: number;
  readonly cascade: CascadeReport;
  /** Names of the signals the verdict rests on, when it is not plainly complete. */
  readonly signals?: readonly string[];
  /** In order; absent without redirects. */
  readonly redirects?: readonly RedirectStep[];
  /** Present when content is incomplete or blank: why. Never together with `fallback`. */
  readonly partialReason?: string;
  readonly fallback?: Fallback;
  readonly screenshot?: ImageRef;
  /** Null: the page is no listing. */
  readonly listing?: Listing | null;
  /** Null: the page is about no product. */
  readonly product?: PageProduct | null;
  readonly branding?: Branding;
  readonly llm?: LlmOutput;
  /** The address led to a document instead of a page. */
  readonly file?: ParsedFile;
  readonly chunks?: readonly Chunk[];
  readonly actionResults?: readonly ActionResult[];
  /** Served from the cache: how old the copy is. */
  readonly cacheAgeMs?: number;
}

/** Among the signals when a rung could not run for lack of a browser: nothing is wrong with the page. */
export const BROWSER_UNAVAILABLE = 'browser_unavailable';
