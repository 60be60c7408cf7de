import type { Deadline } from '@app/contracts';

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

export type HttpHeaders = Readonly<Record<string, string | string[]>>;

export interface HttpRequest {
  readonly url: string | URL;
  /** @default 'GET' */
  readonly method?: HttpMethod;
  /** Refused by name when they are not the caller's to set, see `assertForwardableHeaders`. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Text of a Cookie header for the origin of `url` (see `RequestCookies`); a `cookie` among
   * `headers` is read the same way. Cookies set on the way serve the later hops of this request only.
   */
  readonly cookies?: string;
  /** ISO 3166-1 alpha-2: an outbound proxy of that country is used where there is one. @default null */
  readonly country?: string | null;
  readonly body?: Uint8Array | string;
  /** Covers DNS, connect, TLS, headers, body and every redirect. */
  readonly deadline: Deadline;
  readonly signal?: AbortSignal;
  /**
   * True: the body is returned as it was sent, compressed or not, for a caller that inflates it in bounded
   * memory; `maxBytes` then counts what was sent. @default false
   */
  readonly keepsEncoding?: boolean;
  /** Bytes of the body after decompression; the rest is cut and `truncated` says so. */
  readonly maxBytes: number;
  /**
   * 0 returns a 3xx as it is. A hop that repeats an earlier one with the same cookies ends the request
   * at once as `redirect_loop`. @default 10
   */
  readonly maxRedirects?: number;
  /**
   * Called before a hop is followed; throwing ends the request with that error
   * (for instance: robots.txt forbids the target).
   */
  readonly onRedirect?: (hop: RedirectHop, target: URL) => void | Promise<void>;
  /**
   * Called with each piece of the final response's body as it arrives, decoded: for a caller that must notice
   * that a stream has fallen silent. The piece may not be kept; the response has the whole body.
   */
  readonly onData?: (chunk: Uint8Array) => void;
}

/** One redirect response. */
export interface RedirectHop {
  readonly url: string;
  readonly status: number;
  /** The Location header as it was sent. */
  readonly location: string;
}

/** Milliseconds of the last hop. The first three are 0 when a pooled connection served. */
export interface HttpTimings {
  readonly dnsMs: number;
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly ttfbMs: number;
  readonly downloadMs: number;
}

/**
 * `byte_cap`: `maxBytes` was reached. `stream_end`: the connection ended early.
 * `decode`: the compressed stream is broken. `deadline`: only on the partial of a timeout.
 */
export type Truncation = 'byte_cap' | 'stream_end' | 'decode' | 'deadline';

export interface HttpResponse {
  /** Address after redirects. */
  readonly url: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: HttpHeaders;
  /** Decoded body alone in its ArrayBuffer, so it can be transferred to a worker. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** The body is not whole; `truncation` says why. */
  readonly truncated: boolean;
  readonly truncation: Truncation | null;
  readonly redirects: readonly RedirectHop[];
  readonly timings: HttpTimings;
  /** `h2` over TLS where the server chose it. */
  readonly protocol: 'h1' | 'h2';
  /** The vetted address; behind a proxy that resolves, the host as it was named. */
  readonly remoteAddress: string;
  /** Whether a pooled connection served. */
  readonly reused: boolean;
}
