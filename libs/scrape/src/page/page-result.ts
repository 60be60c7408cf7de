import type {
  ActionFailure,
  BrowserCookie,
  CascadeReport,
  ContentOptions,
  Deadline,
  ErrorClass,
  FetchOptions,
  PageDocument,
  PageOutputs,
  Plan,
} from '@app/contracts';
import type { RobotsDirectives, FoundLink } from '@app/crawl';
import type { RenderRequest, Screenshot, Validators } from '@app/fetch';
import type { ContentUse, DeclaredUse } from '@app/uses';
import type { FileOutcome } from '../files/file-reader.js';
import type { PageReadings } from '../content/content-task.js';
import type { CrawlContext } from '../content/crawl-context.js';
import type { RequestPace } from './request-pace.js';

export interface PageRequest {
  readonly url: string;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly ignoreRobotsTxt: boolean;
  /** A page whose site does not allow this use fails: before its request where the site says so. @default none */
  readonly respectUse?: ContentUse;
  readonly outputs: PageOutputs;
  /** Document files may be sent to a vision model. @default false */
  readonly allowVision?: boolean;
  /** Owner of the request: tenants take turns in the threads, and the owner's data may be cached. */
  readonly tenantId?: string;
  /** That of a tenant that waits for the response; absent for pages of jobs. */
  readonly plan?: Plan;
  readonly fetch: FetchOptions;
  readonly content: ContentOptions;
  readonly render: Omit<RenderRequest, 'screenshot'>;
  readonly validators?: Validators;
  readonly onRetryAfter: 'wait' | 'report';
  readonly crawl: CrawlContext | null;
  /** Of a crawled page; pages that a caller waits for have no pace. */
  readonly pace?: RequestPace;
}

/**
 * What the service that requested a page gets: its document, or why there is none. Made of the `CascadeOutcome`, or
 * without one where robots.txt or the egress guard ended the page. A value; only internal errors are thrown.
 */
export type PageResult =
  | (PageReadings & {
      readonly kind: 'document';
      readonly document: PageDocument;
      readonly found: readonly FoundLink[];
      readonly crawlDelayMs: number | null | undefined;
      readonly validators: Validators;
      /** Response time of the site, milliseconds; null if no rung measured it. */
      readonly ttfbMs: number | null;
      /** The site forbids storing a copy (RFC 9111 5.2.2.5). */
      readonly isNoStore: boolean;
      /**
       * Robots directives of the page and its headers; absent unless it was fetched for a crawl that follows
       * them.
       */
      readonly robots?: RobotsDirectives;
      /** With `render.keepsCookies`. */
      readonly loggedIn?: EndedLogin;
      /** A browser recorded the page's behaviour, as `render.watch` of the request demands. */
      readonly watched?: WatchedEnd;
      /** Not part of the result: the consumer decides where it goes. */
      readonly screenshot: Screenshot | null;
    })
  /** The site confirmed the copy whose validators were sent. */
  | { readonly kind: 'not_modified'; readonly report: CascadeReport }
  | FailedPage
  /** The egress guard refused the URL or a redirect. */
  | { readonly kind: 'blocked'; readonly url: string };

/** What a login ended with. */
export interface EndedLogin {
  readonly cookies: readonly BrowserCookie[];
  /** The page still has a field for a password. */
  readonly isAskedAgain: boolean;
}

export interface WatchedEnd {
  /** The page exceeded its number of requests; further ones were not loaded. */
  readonly isCapped: boolean;
  /** The page had not settled in time. */
  readonly isUnsettled: boolean;
  /** It did not respond, or its globals were not read in time: some may be missing. */
  readonly isUnresponsive: boolean;
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
  /** The page was not requested, because the rules of its site could not be read. */
  readonly isRobotsUnread?: boolean;
  /** The site does not allow the use that the request respects: what it declares. */
  readonly refusedUse?: DeclaredUse;
  /** The site asked for a login, though it got the cookies of a profile. */
  readonly isAuthExpired?: boolean;
  /** A document file was fetched but could not be read. */
  readonly file?: UnreadFile;
}

export type ReadFile = Extract<FileOutcome, { ok: true }>;
export type UnreadFile = Extract<FileOutcome, { ok: false }>;

/** Default fields of a failure: no request went to the site except for robots.txt. */
export const NOT_REQUESTED = {
  kind: 'failed',
  statusCode: null,
  retryAfterMs: null,
  report: { level: null, attempts: [], unblock: [] },
  crawlDelayMs: undefined,
} as const satisfies Partial<FailedPage>;
