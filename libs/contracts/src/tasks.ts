import type { CascadeReport, Fallback } from './cascade.js';
import type { Branding } from './branding.js';
import type { ActionFailure, ActionResult, PageAction } from './page-actions.js';
import type { Listing } from './listing.js';
import type { LlmOutput, LlmRequest, LlmUsage } from './llm.js';
import type { Chunk, FileProblem, ParsedFile } from './parsed-file.js';
import type { Plan } from './plans.js';
import type { FetchMethod } from './rung.js';

/** The work queues. Interactive work has its own, so a flood of crawl pages never delays a scrape. */
export const QUEUES = [
  'scrape',
  'screenshot',
  'convert',
  'map',
  'enrich',
  'brand',
  'crawl',
  'tech-scan',
] as const;
export type QueueName = (typeof QUEUES)[number];

/**
 * Queues whose tasks are encrypted in the broker: they carry what tenants entrust to the service.
 * Tasks of the other queues are ids of rows.
 */
export const SEALED_QUEUES = [
  'scrape',
  'screenshot',
  'convert',
  'map',
  'enrich',
  'brand',
] as const satisfies readonly QueueName[];

/** Outputs of a scrape (specification: POST /v1/scrape, `formats`). */
export const FORMATS = [
  'markdown',
  'rawHtml',
  'links',
  'screenshot',
  'json',
  'branding',
  'summary',
] as const;
export type Format = (typeof FORMATS)[number];

/** Request of the `scrape` queue. */
export interface ScrapeTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  readonly formats: readonly Format[];
  readonly includeHtml: boolean;
  readonly ignoreRobotsTxt: boolean;
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
  /** Runs the listing cascade. */
  readonly listing: boolean;
  /** Null: no model runs. */
  readonly llm: LlmRequest | null;
  /** A vision model may read a document without text. */
  readonly allowVision: boolean;
  /** Adds chunks of the page or document. */
  readonly chunks: boolean;
  /** A copy younger than this may be served; 0: always fetched. */
  readonly maxAgeMs: number;
  /** Object storage is configured: a screenshot goes there. */
  readonly upload: boolean;
  /** Served from the cache only, by a copy at least this old; null: fetched when needed. */
  readonly minAgeMs: number | null;
  /** Epoch milliseconds by which the answer is due. */
  readonly deadlineAtMs: number;
}

/** How a page is fetched. */
export interface FetchOptions {
  /** Sent to the page's own origin only. Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text of a Cookie header: `a=1; b=2`. */
  readonly cookies: string | null;
  /**
   * ISO 3166-1 alpha-2, upper case: requested language, and a proxy of that country where there is
   * one.
   */
  readonly country: string | null;
  /** Rungs below the browser are left out. */
  readonly forceHeadless: boolean;
  /** Milliseconds a browser waits after load. */
  readonly waitForMs: number;
  /** Scrolls to the end so that lazy content loads. */
  readonly scroll: boolean;
  readonly actions: readonly PageAction[];
  /** Most that paid rungs may cost, in micro-dollars; null: no ceiling of the request's own. */
  readonly costCeilingMicroUsd: number | null;
}

/** Parts of a page that are kept. */
export interface ContentOptions {
  readonly onlyMainContent: boolean;
  /** CSS selectors kept; empty: all. */
  readonly includeTags: readonly string[];
  /** CSS selectors dropped. */
  readonly excludeTags: readonly string[];
  readonly removeBase64Images: boolean;
}

/**
 * Milliseconds a request has its page wait. Waits for a selector are a bound, not a wish, and do not
 * count.
 */
export function ownWaitsMs({
  waitForMs,
  actions,
}: Pick<FetchOptions, 'waitForMs' | 'actions'>): number {
  return actions.reduce(
    (sum, one) => (one.type === 'wait' && one.selector === undefined ? sum + one.ms : sum),
    waitForMs,
  );
}

export const DEFAULT_FETCH_OPTIONS: FetchOptions = {
  headers: {},
  cookies: null,
  country: null,
  forceHeadless: false,
  waitForMs: 0,
  scroll: false,
  actions: [],
  costCeilingMicroUsd: null,
};

export const DEFAULT_CONTENT_OPTIONS: ContentOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: false,
};

/** How the pages of a crawl or batch are scraped; stored with the job. */
export interface JobScrape {
  readonly formats: readonly JobFormat[];
  /** Runs the listing cascade. */
  readonly listing: boolean;
  /** Keeps where each field of the listing was found. */
  readonly listingProvenance: boolean;
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
}

/** Outputs of a job's pages: those that need no model. */
export const JOB_FORMATS = ['markdown', 'rawHtml', 'links', 'screenshot', 'branding'] as const;
export type JobFormat = (typeof JOB_FORMATS)[number];

export const DEFAULT_JOB_SCRAPE: JobScrape = {
  formats: ['markdown'],
  listing: false,
  listingProvenance: false,
  fetch: DEFAULT_FETCH_OPTIONS,
  content: DEFAULT_CONTENT_OPTIONS,
};

/** Outputs that can be made of a stored page. A picture cannot: it needs the page itself. */
export const EXTRACT_FORMATS = [
  'markdown',
  'rawHtml',
  'links',
  'branding',
  'json',
  'summary',
] as const satisfies readonly Format[];
export type ExtractFormat = (typeof EXTRACT_FORMATS)[number];

/**
 * Form in which a stored page is read: its source, where the job kept it, has more detail than
 * Markdown.
 */
export type StoredForm = 'html' | 'markdown';

/** Input and model request of an `extract` job; stored with the job. */
export interface JobExtract {
  /** The job with the documents to read. */
  readonly sourceJobId: string;
  readonly storedForm: StoredForm;
  /**
   * JSON text of an `LlmRequest`; null: no model runs. As text, because the database neither keeps
   * the order of an object's keys nor takes every string that a schema may hold.
   */
  readonly llm: string | null;
}

/** Why a stored page could not be read. Its other failures are error classes and problems of the model. */
export const STORED_PROBLEMS = ['source_expired', 'source_unreadable'] as const;
export type StoredProblem = (typeof STORED_PROBLEMS)[number];

/** Request of the `map` queue. */
export interface MapTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  /** Most links of the answer. */
  readonly limit: number;
  /** Case-insensitive part of the addresses wanted; null: all. */
  readonly search: string | null;
  readonly deadlineAtMs: number;
}

/** Where the links of a map come from (specification: POST /v1/map). */
export const MAP_SOURCES = ['sitemap', 'crawl', 'none'] as const;
export type MapSource = (typeof MAP_SOURCES)[number];

/** Answer to a {@link MapTask}. */
export type MapReply =
  | {
      readonly kind: 'mapped';
      readonly links: readonly string[];
      readonly source: MapSource;
      /** The budget ended the search; the results so far are included. */
      readonly timedOut: boolean;
      /** Names of bounds that cut something off: a file's size, its addresses, the children of an index. */
      readonly cuts: readonly string[];
    }
  | { readonly kind: 'failed'; readonly reason: 'fetch' | 'timeout'; readonly problem: string }
  | { readonly kind: 'blocked'; readonly url: string };

/** Request of the `screenshot` queue. */
export interface ScreenshotTask {
  readonly requestId: string;
  readonly tenantId: string;
  /** That of the tenant: plans differ in their share of the slots. */
  readonly plan: Plan;
  readonly url: string;
  readonly shot: ScreenshotOptions;
  /** Milliseconds after DOM content loaded. */
  readonly waitForMs: number;
  readonly cookies: readonly BrowserCookie[];
  /** Object storage is configured: the image goes there. */
  readonly upload: boolean;
  readonly deadlineAtMs: number;
}

export interface ScreenshotOptions {
  readonly fullPage: boolean;
  /** Width of the viewport, CSS pixels. */
  readonly widthPx: number;
  /** A phone's viewport, scale, touch and user agent. */
  readonly mobile: boolean;
  /** CSS selector; its first match is taken alone. */
  readonly element: string | null;
  readonly format: 'png' | 'jpeg';
}

/** One cookie of the screenshot endpoint's JSON list. */
export interface BrowserCookie {
  readonly name: string;
  readonly value: string;
  /** With or without a leading dot. */
  readonly domain: string;
  readonly path: string;
}

/** Blob key of an uploaded image, or the image itself where there is no object storage or it failed. */
export type ImageRef = { readonly contentType: 'image/png' | 'image/jpeg' } & (
  { readonly key: string } | { readonly base64: string }
);

/** Answer to a {@link ScreenshotTask}. */
export type ScreenshotReply =
  | {
      readonly kind: 'image';
      /** Address after redirects. */
      readonly url: string;
      readonly widthPx: number;
      readonly heightPx: number;
      /** The page is taller than a picture may be; its lower part is missing. */
      readonly isClipped: boolean;
      readonly latencyMs: number;
      readonly image: ImageRef;
    }
  | { readonly kind: 'failed'; readonly problem: string }
  /** No browser can be started; `isPermanent`: none is configured. */
  | { readonly kind: 'unavailable'; readonly isPermanent?: boolean }
  | { readonly kind: 'blocked'; readonly url: string };

/** Folder of the blob store where replies wait that are too large for a message. */
export const REPLY_FOLDER = 'replies/';

/** How a reply travels. */
export type ReplyEnvelope<R> =
  | R
  /** Too large for a message: it waits in the blob store; the reader deletes it. */
  | { readonly kind: 'blob'; readonly key: string }
  /** Too large for a message, and the blob store does not take it. */
  | { readonly kind: 'undeliverable' };

/** Message of the `crawl` queue: names a leased page. The fetcher claims it in SQL before any request leaves. */
export interface CrawlTask {
  readonly jobId: string;
  /** The page's URL key: 32 hexadecimal digits. */
  readonly urlKey: string;
  /** Dispatch number of the lease; a later dispatch makes this message void. */
  readonly epoch: number;
}

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
  /** As the page says it: `article:published_time` or its like. */
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
  readonly branding?: Branding;
  readonly llm?: LlmOutput;
  /** The address led to a document instead of a page. */
  readonly file?: ParsedFile;
  readonly chunks?: readonly Chunk[];
  readonly actionResults?: readonly ActionResult[];
  /** Served from the cache: how old the copy is. */
  readonly cacheAgeMs?: number;
}

/** Answer to a {@link ScrapeTask}. */
export type ScrapeReply =
  | { readonly kind: 'document'; readonly document: PageDocument }
  | {
      readonly kind: 'failed';
      readonly problem: string;
      /** The last one the site answered with; absent when no site answered. */
      readonly statusCode?: number;
      readonly cascade: CascadeReport;
      readonly action?: ActionFailure;
      /** The address led to a document that could not be read. */
      readonly file?: FileProblem;
      /** Use of the vision model, which is counted even so. */
      readonly usage?: LlmUsage;
    }
  | { readonly kind: 'blocked'; readonly url: string }
  /** Only the cache was read, and no copy fits. */
  | { readonly kind: 'not_cached' }
  /** The request needs a browser and none can be started here. */
  | { readonly kind: 'unavailable'; readonly isPermanent?: boolean };
