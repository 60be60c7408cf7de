import type { components } from './api-types.js';

/** Every object of the API by its name in /openapi.json. */
export type Schemas = components['schemas'];

/** Fields of a request body other than those that are arguments of the method. */
type Without<Name extends keyof Schemas, Keys extends string> = Omit<Schemas[Name], Keys>;

export type ScrapeInput = Without<'ScrapeRequest', 'url'>;
export type MapInput = Without<'MapRequest', 'url'>;
/** One of `url`, `urls`, `html` and `markdown`, and what to extract. */
export type ExtractInput = Schemas['ExtractRequest'];
export type ParseInput = Without<'ParseRequest', 'url'>;
export type ScreenshotInput = Without<'ScreenshotRequest', 'url'>;
export type EnrichInput = Without<'EnrichRequest', 'domain' | 'url'>;
export type BatchInput = Without<'BatchRequest', 'urls' | 'async' | 'webhook' | 'webhookUrl'>;
export type BatchJobInput = Without<'BatchRequest', 'urls' | 'async'>;
export type CrawlInput = Without<'CrawlRequest', 'url'>;
export type ReextractInput = Schemas['ReextractRequest'];

export type MapsInput = Without<'MapsScraperRequest', 'query'>;
export type LocatedInput = Without<'LocatedScraperRequest', 'query'>;
export type DirectoryInput = Without<'DirectoryRequest', 'urls'>;
export type PreviewInput = Without<'PreviewRequest', 'connectorId'>;
export type PullInput = Without<'PullRequest', 'jobId'>;
export type ChatInput = Without<'ChatMessage', 'message'>;
export type FeedInput = Schemas['FeedRequest'];

/** A page, or a document file: `isPdf` is only in the latter. */
export type ScrapeOutput = Schemas['ScrapeResult'] | Schemas['ScrapedFile'];
export type ExtractResponse =
  Schemas['ExtractedListing'] | Schemas['ExtractedData'] | Schemas['ExtractedMany'];

/** The state of a job. Times are ISO 8601, `pages` counts its URLs by state. */
export type JobSnapshot = Schemas['JobView'];
export type JobUrl = Schemas['LedgerEntryView'];
/** Body of a webhook that reports the end of a job. */
export type WebhookEvent = Schemas['EventBody'];
/** Body of a webhook of a feed: its new rows, or that it has paused itself; see `type`. */
export type FeedEvent = Schemas['FeedRowsEvent'] | Schemas['FeedPausedEvent'];

/** A page result of a job: a page, or a document file (with `isPdf`; a PDF has no `statusCode`, and only `llm` as `metadata`). */
export interface CrawledPage {
  /** URL after redirects. */
  readonly url: string;
  readonly ok: boolean;
  /** HTTP status. */
  readonly statusCode?: number;
  readonly markdown?: string;
  readonly rawHtml?: string;
  /** Page source, with `includeHtml`. */
  readonly html?: string;
  readonly links?: readonly string[];
  /** URL or data URI of the picture. */
  readonly screenshot?: string;
  readonly branding?: Readonly<Record<string, unknown>>;
  readonly listing?: Schemas['ListingView'] | null;
  readonly metadata?: Readonly<Record<string, unknown>> & {
    readonly title?: string;
    readonly description?: string;
    readonly language?: string;
  };
  /** Of a batch: first place of the URL in `urls`. */
  readonly index?: number;
  /** Text of a file. */
  readonly text?: string;
  /** Only for files: false for all but PDF. */
  readonly isPdf?: boolean;
  /** Of a file that is no PDF: its kind, such as `docx`. */
  readonly format?: string;
  /** Those that answer the question of `formats`, best first. */
  readonly passages?: readonly Schemas['PassageView'][];
  /** What `maxTokens` left out of the Markdown. */
  readonly markdownCut?: Schemas['MarkdownCutView'];
  readonly partial?: boolean;
  readonly partial_reason?: string;
}

/** Fields of POST /v1/search other than `query`. */
export interface SearchInput {
  /** @default 10 */
  readonly limit?: number;
  /** Scrape each result to Markdown. @default false */
  readonly scrapeResults?: boolean;
  /** Two letters. @default 'us' */
  readonly country?: string;
  /** Add an answer that cites the results. @default false */
  readonly include_answer?: boolean;
  /** Up to 20 hosts. */
  readonly includeDomains?: readonly string[];
  /** Up to 20 hosts. */
  readonly excludeDomains?: readonly string[];
  readonly categories?: string | readonly string[];
  /** Time filter: qdr:d, qdr:w, qdr:m or qdr:y. */
  readonly tbs?: string;
  /** Of the Markdown of each page. */
  readonly maxTokens?: number;
}

export interface SearchOutput {
  readonly query: string;
  readonly results: readonly {
    readonly url: string;
    readonly title: string;
    readonly snippet: string;
    /** From 1. */
    readonly position: number;
    /** Null without `scrapeResults`. */
    readonly markdown: string | null;
    /** What `maxTokens` left out of it. */
    readonly markdownCut?: Schemas['MarkdownCutView'];
  }[];
  readonly source: string | null;
  readonly total: number;
  /** `no_results` when nothing was found. */
  readonly error?: string;
  readonly answer?: unknown;
}
