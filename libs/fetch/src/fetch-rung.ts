import type {
  ActionFailure,
  ActionResult,
  BrowserCookie,
  Deadline,
  ErrorClass,
  FetchMethod,
  FetchOptions,
  RedirectStep,
  Rung,
  ScreenshotOptions,
  TaskOwner,
  UnblockAttempt,
} from '@app/contracts';
import type { Spend } from './spend.js';

export interface FetchRequest {
  readonly url: URL;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  readonly maxBytes: number;
  readonly options: FetchOptions;
  /** A rung with providers of several prices reserves what it is about to spend. */
  readonly spend: Spend;
  /** Validators of a copy at hand; a rung that can sends them and may return `notModified`. */
  readonly validators?: Validators;
  /**
   * `wait`: a Retry-After that fits into the deadline is waited for, once. `report`: the failure
   * carries it, and the scheduler waits without holding a worker.
   */
  readonly onRetryAfter: 'wait' | 'report';
  /** The tenant that waits for the result; absent for pages of jobs, which let it pass. */
  readonly caller?: TaskOwner;
  /** What a browser does beside loading the page. */
  readonly render: RenderRequest;
  /**
   * A plain rung returns the body as it was sent; the reader inflates it in bounded memory. Gzip is
   * then the only coding it accepts, and `maxBytes` counts what was sent. @default false
   */
  readonly keepsEncoding?: boolean;
  /** Asked before a redirect is followed; what it throws ends the fetch. */
  readonly onRedirect?: (target: URL) => Promise<void>;
  /**
   * Headers that sign the request for a document of the page's main frame, each redirect too. Of rungs that render;
   * an HTTP client signs by itself. @default nothing is signed
   */
  readonly signDocument?: (target: URL) => Promise<Readonly<Record<string, string>>>;
}

export interface RenderRequest {
  /** A picture of the page when it is ready. */
  readonly screenshot: ScreenshotOptions | null;
  /** Consent banners and overlays are taken out of the page. */
  readonly removeOverlays: boolean;
  /** Cookies with their domains, beside `options.cookies`. */
  readonly cookies: readonly BrowserCookie[];
  /**
   * Pages of one key may follow each other in one browser context, cleared in between: those of a host, of a crawl
   * job or of the scrapes of a tenant. Null: a context of its own.
   */
  readonly contextKey: string | null;
  /** Advertising, analytics, chats and consent managers of third parties are not loaded. @default false */
  readonly refusesThirdParties?: boolean;
  /** How long an action waits for its element. @default 5 s */
  readonly elementWaitMs?: number;
  /** The cookies that the visit ends with are part of the page. @default false */
  readonly keepsCookies?: boolean;
  /** What a technology scan wants to know of the page beside its source. @default nothing */
  readonly watch?: WatchRequest;
}

export interface WatchRequest {
  /** Globals of the page to look for, by path: `jQuery.fn.jquery`. */
  readonly globalPaths: readonly string[];
  /** Longest time for them, in milliseconds. @default 1,500 */
  readonly globalsMs?: number;
  /** Requests the page may make, that for its document included; further ones are not loaded. */
  readonly maxRequests: number;
}

/** The result of a {@link WatchRequest}. */
export interface WatchedPage {
  /**
   * Those of the requested paths that exist once the page has settled, in that order: the text of
   * strings and numbers, cut at 2,000 characters, and '' for all else. Those not read in time are
   * left out.
   */
  readonly globals: Readonly<Record<string, string>>;
  /** The page did not respond, or time ran out before every global was read. */
  readonly isUnresponsive: boolean;
  /**
   * Addresses the page requested, in order, including redirects and pictures that are not captured.
   * Each is cut at 2,001 characters: one more than a scan reads, so that it can see the cut.
   */
  readonly requests: readonly string[];
  /** It made more than `maxRequests` requests. */
  readonly isCapped: boolean;
  /** Cookies of the page's address that responses or scripts have set, value by name. */
  readonly cookies: Readonly<Record<string, string>>;
}

export const PLAIN_RENDER: RenderRequest = {
  screenshot: null,
  removeOverlays: false,
  cookies: [],
  contextKey: null,
};

/** Validators of a conditional request (RFC 9110 8.8). */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** A page as a rung brought it, not yet converted. */
export interface FetchedPage {
  /** Address after redirects. */
  readonly url: string;
  readonly statusCode: number;
  readonly contentType: string | null;
  /** Names in lower case; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * The X-Robots-Tag headers one by one, where there are several and the rung can separate them.
   */
  readonly robotsTags?: readonly string[];
  /**
   * The Set-Cookie headers one by one, as they were sent, where there are any and the rung can
   * separate them.
   */
  readonly setCookies?: readonly string[];
  /** Owns its memory, so it can be moved to a thread. */
  readonly body: Uint8Array;
  /** Length of the body as it arrived, after decompression. */
  readonly bytes: number;
  /** The byte cap cut the body. */
  readonly isCut: boolean;
  /** In order. */
  readonly redirects: readonly RedirectStep[];
  /** Milliseconds by phase: dnsMs, connectMs, tlsMs, ttfbMs, downloadMs, renderMs, actionsMs. */
  readonly timings: Readonly<Record<string, number>>;
  /** The source is that of the rendered page, not the response body. */
  readonly isRendered: boolean;
  /** An address that the page led to by itself and that the guard refused; the page stayed where it was. */
  readonly refusedNavigation?: string;
  /** The page did not come to rest in its time; what was there was taken. */
  readonly isUnsettled?: boolean;
  /** Requests that were refused by `render.refusesThirdParties`, where there were any. */
  readonly refusedThirdParties?: number;
  readonly screenshot?: Screenshot;
  readonly actionResults?: readonly ActionResult[];
  /** Only with `render.watch`, by rungs that render. */
  readonly watched?: WatchedPage;
  /** Only with `render.keepsCookies`, by rungs that render: those of all hosts of the visit. */
  readonly cookies?: readonly BrowserCookie[];
}

export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly contentType: 'image/png' | 'image/jpeg';
  readonly widthPx: number;
  readonly heightPx: number;
  /** The page is taller than a picture may be; its lower part is missing. */
  readonly isClipped?: boolean;
}

export interface RungFailure {
  readonly errorClass: ErrorClass;
  /** For people: what happened, without internals. */
  readonly problem: string;
  readonly statusCode: number | null;
  readonly retryAfterMs: number | null;
  /** Names of the signals a verdict rests on. */
  readonly signals?: readonly string[];
  /** Set when one of the caller's actions failed: no other rung would help. */
  readonly action?: ActionFailure;
}

/**
 * The result of a rung. A failure is a value; only an error of the guard is thrown.
 * An error page of the site (403, 503 …) is a page: the verdict separates a challenge from an
 * error.
 */
export type RungResult = { readonly unblock?: readonly UnblockAttempt[] } & (
  | { readonly ok: true; readonly page: FetchedPage }
  /** 304: the caller's cached copy is still valid. */
  | { readonly ok: true; readonly notModified: true }
  | { readonly ok: false; readonly failure: RungFailure }
);

/**
 * One way to fetch a page. A rung that is not configured is absent from the cascade. Every byte it
 * sends goes through the egress library; it throws `BlockedUrlError` when the guard refuses.
 */
export interface FetchRung {
  readonly rung: Rung;
  readonly fetchMethod: FetchMethod;
  /**
   * The network that the site sees: a rung of `another` one may help where the service itself cannot connect.
   */
  readonly network: 'ours' | 'another';
  readonly runsScripts: boolean;
  /** Price of one attempt for the operator, in micro-dollars; 0: nothing. */
  readonly costMicroUsd: number;
  /**
   * Tried only after its rung was turned away (`blocked`, or a status meant for robots), as a
   * second try.
   */
  readonly onlyAfterBlocked?: boolean;
  fetch(request: FetchRequest): Promise<RungResult>;
}
