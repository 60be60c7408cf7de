import type { CompanyPage } from '@app/company';
import type {
  ActionFailure,
  CascadeReport,
  ContentOptions,
  Deadline,
  ErrorClass,
  FetchOptions,
  PageDocument,
  Plan,
} from '@app/contracts';
import type { RobotsDirectives, FoundLink } from '@app/crawl';
import type { RenderRequest, Screenshot, Validators } from '@app/fetch';
import type { FileOutcome } from '../files/file-reader.js';
import type { CrawlContext } from '../content/crawl-context.js';
import type { RequestPace } from './request-pace.js';

export interface PageRequest {
  readonly url: string;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
  readonly markdown: boolean;
  readonly rawHtml: boolean;
  readonly links: boolean;
  readonly listing: boolean;
  readonly branding: boolean;
  /** What the page says of the company whose site it is on. @default false */
  readonly company?: boolean;
  /** The page is packed for a technology scan. @default false */
  readonly scan?: boolean;
  /** Of documents. */
  readonly chunks: boolean;
  /** A vision model may be asked about documents. @default false */
  readonly allowVision?: boolean;
  /** Whose request it is: threads serve tenants in turn, and something may be kept for them. */
  readonly tenantId?: string;
  /** That of a tenant that waits for the answer; absent for pages of jobs. */
  readonly plan?: Plan;
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
  readonly render: RenderRequest;
  readonly validators?: Validators;
  readonly onRetryAfter: 'wait' | 'report';
  readonly crawl: CrawlContext | null;
  /** Of a crawled page; what a caller waits for has no pace. */
  readonly pace?: RequestPace;
}

/** How a page ended, as a value; only faults of our own are thrown. */
export type PageResult =
  | {
      readonly kind: 'document';
      readonly document: PageDocument;
      readonly found: readonly FoundLink[];
      readonly crawlDelayMs: number | null | undefined;
      readonly validators: Validators;
      /** How soon the site answered, milliseconds; null when no rung could tell. */
      readonly ttfbMs: number | null;
      /** The site forbids to keep a copy (RFC 9111 5.2.2.5). */
      readonly isNoStore: boolean;
      /** What the page and its headers ask of robots; absent unless it was fetched for a crawl that heeds it. */
      readonly robots?: RobotsDirectives;
      /** Of a page of HTML, when it was asked for. */
      readonly company?: CompanyPage;
      /** Gzipped JSON of a `ScanInput`, when it was asked for and there is text. */
      readonly scanInput?: Uint8Array;
      /** A browser watched the page, as the request's `render.watch` asked it to. */
      readonly watched?: WatchedEnd;
      /** Not part of the document: where it goes is the consumer's to decide. */
      readonly screenshot: Screenshot | null;
    }
  /** The copy whose validators were sent still holds. */
  | { readonly kind: 'not_modified'; readonly report: CascadeReport }
  | FailedPage
  /** The egress guard refused the address or a redirect of it. */
  | { readonly kind: 'blocked'; readonly url: string };

export interface WatchedEnd {
  /** The page made more requests than it might; the rest was not loaded. */
  readonly isCapped: boolean;
  /** The page had not come to rest in its time. */
  readonly isUnsettled: boolean;
}

export interface FailedPage {
  readonly kind: 'failed';
  readonly errorClass: ErrorClass;
  readonly problem: string;
  readonly statusCode: number | null;
  readonly retryAfterMs: number | null;
  readonly report: CascadeReport;
  readonly crawlDelayMs: number | null | undefined;
  readonly action?: ActionFailure;
  readonly signals?: readonly string[];
  /** A document came that could not be read. */
  readonly file?: UnreadFile;
}

export type ReadFile = Extract<FileOutcome, { ok: true }>;
export type UnreadFile = Extract<FileOutcome, { ok: false }>;

/** What a failure is unless it says otherwise: nothing was asked of the site but robots.txt. */
export const NOT_ASKED = {
  kind: 'failed',
  statusCode: null,
  retryAfterMs: null,
  report: { level: null, attempts: [], unblock: [] },
  crawlDelayMs: undefined,
} as const satisfies Partial<FailedPage>;
