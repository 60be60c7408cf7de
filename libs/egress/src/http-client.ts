import type { Dispatcher } from 'undici';
import { SIGNATURE_HEADERS, type SignRequest } from './bot-auth/bot-identity.js';
import { ConnectionPool, type Lease } from './connection-pool.js';
import { ACCEPT_ENCODING } from './content-decoder.js';
import { Dialler } from './dialler.js';
import { InvalidUrlError } from './egress-errors.js';
import { abortReason, type Exchanged, exchange, ExchangeCut, NoResponseError } from './exchange.js';
import { assertForwardableHeaders } from './forwardable-headers.js';
import type { EgressGuard } from './guard.js';
import { HttpFetchError, toFetchError } from './http-fetch-error.js';
import type { HttpRequest, HttpResponse, RedirectHop } from './http-message.js';
import type { OutboundProxies, ProxyRoute } from './proxies/outbound-proxies.js';
import { type HopRequest, nextHop, redirectLocation } from './redirect.js';
import { RequestCookies, splitCookieHeader } from './request-cookies.js';

export interface HttpClientOptions {
  readonly guard: EgressGuard;
  readonly userAgent: string;
  /** @default 16 */
  readonly maxConnectionsPerOrigin?: number;
  /** Idle sockets kept over all origins. @default 256 */
  readonly maxIdleConnections?: number;
  /** How long an idle socket is kept. @default 15_000 */
  readonly keepAliveMs?: number;
  /** DNS, TCP and TLS of one connection together. @default 10_000 */
  readonly connectTimeoutMs?: number;
  /** From the request to the last header byte. @default 30_000 */
  readonly headersTimeoutMs?: number;
  /** @default 32_768 */
  readonly maxHeaderBytes?: number;
  /**
   * Extra trusted authorities in PEM, e.g. of a company network. Verification itself is never off.
   */
  readonly ca?: readonly string[];
  /** @default every connection is direct */
  readonly proxies?: OutboundProxies;
  /** Offers HTTP/2 to https servers. @default true */
  readonly allowH2?: boolean;
  /** Signs each request, those after a redirect too; callers then set no signature of their own. @default none is signed */
  readonly signRequest?: SignRequest | undefined;
}

const DEFAULT_MAX_REDIRECTS = 10;
/**
 * The body of a followed redirect is dropped; past this it costs more to drain than a new
 * connection.
 */
const MAX_REDIRECT_BODY_BYTES = 65_536;

/**
 * The one HTTP client: every plain request of the service leaves through it, by HTTP/2 where an
 * https server speaks it, else by HTTP/1.1. Keeps no cookies between requests and ignores Alt-Svc;
 * sockets are shared, since nothing of a caller stays on them.
 */
export class HttpClient {
  private readonly guard: EgressGuard;
  private readonly userAgent: string;
  private readonly signRequest: SignRequest | undefined;
  private readonly headersTimeoutMs: number;
  private readonly dialler: Dialler;
  private readonly pool: ConnectionPool;
  private running = 0;
  private readonly idleListeners: (() => void)[] = [];

  constructor(options: HttpClientOptions) {
    const { guard, userAgent, connectTimeoutMs = 10_000, headersTimeoutMs = 30_000, ca } = options;
    this.guard = guard;
    this.userAgent = userAgent;
    this.signRequest = options.signRequest;
    this.headersTimeoutMs = headersTimeoutMs;
    const { proxies, allowH2 = true } = options;
    const dialler = new Dialler({ guard, connectTimeoutMs, ca, proxies });
    this.dialler = dialler;
    this.pool = new ConnectionPool({
      dial: ({ url, route }, signal) => dialler.open(url, signal, null, { allowH2, route }),
      allowH2,
      maxConnectionsPerOrigin: options.maxConnectionsPerOrigin ?? 16,
      maxIdleConnections: options.maxIdleConnections ?? 256,
      keepAliveMs: options.keepAliveMs ?? 15_000,
      maxHeaderBytes: options.maxHeaderBytes ?? 32_768,
    });
  }

  /**
   * Fetches a URL and reads its body whole, following redirects by hand: each hop is parsed, vetted
   * and stripped of credentials where the origin changes.
   * @throws InvalidUrlError | BlockedUrlError | HeaderRefusedError | HttpFetchError, or what
   * `onRedirect` threw
   */
  async fetch(request: HttpRequest): Promise<HttpResponse> {
    const url = this.guard.parse(String(request.url));
    const { headers, cookieText } = splitCookieHeader(request.headers ?? {}, request.cookies);
    assertForwardableHeaders(
      cookieText === '' ? headers : { ...headers, cookie: cookieText },
      this.signRequest && SIGNATURE_HEADERS,
    );
    const time = new TimeLimit(request);
    this.running++;
    try {
      const first: HopRequest = {
        url,
        method: request.method ?? 'GET',
        headers,
        body: request.body,
      };
      const cookies = new RequestCookies(url, cookieText);
      return await this.follow(request, first, { cookies, signal: time.signal });
    } finally {
      time.dispose();
      this.running--;
      if (this.running === 0) for (const listener of this.idleListeners.splice(0)) listener();
    }
  }

  /** Waits for running requests (their deadlines bound the wait), then closes every socket. */
  async close(): Promise<void> {
    if (this.running > 0) await new Promise<void>((resolve) => this.idleListeners.push(resolve));
    this.pool.close();
  }

  private async follow(
    request: HttpRequest,
    first: HopRequest,
    { cookies, signal }: Pick<HopContext, 'cookies' | 'signal'>,
  ): Promise<HttpResponse> {
    const { maxBytes, maxRedirects = DEFAULT_MAX_REDIRECTS, onData, keepsEncoding } = request;
    const redirects: RedirectHop[] = [];
    // One exit for all hops: sites tie a session to the address it began from.
    const route = this.dialler.route(request.country ?? null);
    const context: HopContext = {
      maxBytes,
      maxRedirects,
      redirects,
      cookies,
      route,
      signal,
      onData,
      keepsEncoding: keepsEncoding ?? false,
    };
    const seen = new Set<string>();
    let hop = first;
    for (;;) {
      const response = await this.sendHop(hop, context);
      const { status, headers } = response;
      const location = maxRedirects === 0 ? null : redirectLocation(status, headers);
      if (location === null) return response;
      if (redirects.length === maxRedirects)
        throw new HttpFetchError('http_error', 'too_many_redirects');
      const target = this.parseLocation(location, hop.url);
      const made: RedirectHop = { url: hop.url.href, status, location };
      redirects.push(made);
      await request.onRedirect?.(made, target);
      seen.add(stateOf(hop, cookies));
      cookies.take(hop.url, headers['set-cookie']);
      hop = nextHop(hop, status, target);
      if (seen.has(stateOf(hop, cookies))) throw new HttpFetchError('http_error', 'redirect_loop');
    }
  }

  private parseLocation(location: string, base: URL): URL {
    try {
      return this.guard.parse(location, base, 'redirect');
    } catch (error) {
      if (!(error instanceof InvalidUrlError)) throw error;
      throw new HttpFetchError('http_error', 'invalid_redirect', { cause: error });
    }
  }

  /** A pooled socket may close just as it is used; the request then goes once more on a new one. */
  private async sendHop(
    hop: HopRequest,
    context: HopContext,
    isRepeat = false,
  ): Promise<HttpResponse> {
    let lease: Lease | null = null;
    try {
      const target = { url: hop.url, route: context.route };
      lease = await this.pool.acquire(target, context.signal, isRepeat);
      return toResponse(hop, await this.exchangeOn(lease, hop, context), lease, context.redirects);
    } catch (error) {
      if (error instanceof NoResponseError && lease !== null && !isRepeat) {
        if (error.fate === 'refused') lease.connection.retire();
        if (mayRepeat(error, lease, hop)) return this.sendHop(hop, context, true);
      }
      throw nameFailure(error, hop, lease, context);
    }
  }

  private async exchangeOn(lease: Lease, hop: HopRequest, context: HopContext): Promise<Exchanged> {
    const { maxBytes, maxRedirects, cookies, signal, onData, keepsEncoding } = context;
    const limits = {
      maxBytes,
      maxRedirectBytes: maxRedirects === 0 ? null : MAX_REDIRECT_BODY_BYTES,
      headersTimeoutMs: this.headersTimeoutMs,
      keepsEncoding,
      ...(onData === undefined ? {} : { onData }),
    };
    try {
      return await exchange(lease.connection, this.toDispatch(hop, cookies), limits, signal);
    } finally {
      this.pool.release(lease);
    }
  }

  private toDispatch(hop: HopRequest, cookies: RequestCookies): Dispatcher.DispatchOptions {
    const headers: string[] = [];
    const names = new Set<string>();
    for (const [name, value] of Object.entries(hop.headers)) {
      names.add(name.toLowerCase());
      headers.push(name, value);
    }
    if (!names.has('user-agent')) headers.push('user-agent', this.userAgent);
    if (!names.has('accept')) headers.push('accept', '*/*');
    if (!names.has('accept-encoding')) headers.push('accept-encoding', ACCEPT_ENCODING);
    const cookie = cookies.headerFor(hop.url);
    if (cookie !== '') headers.push('cookie', cookie);
    if (this.signRequest) headers.push(...Object.entries(this.signRequest(hop.url)).flat());
    const { pathname, search } = hop.url;
    return { path: pathname + search, method: hop.method, headers, body: hop.body ?? null };
  }
}

interface HopContext {
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly redirects: RedirectHop[];
  readonly cookies: RequestCookies;
  readonly route: ProxyRoute | null;
  readonly signal: AbortSignal;
  readonly onData: HttpRequest['onData'];
  readonly keepsEncoding: boolean;
}

/** The same for two hops that can only get the same response. */
function stateOf({ url, method }: HopRequest, cookies: RequestCookies): string {
  const [address] = url.href.split('#', 1);
  return `${method} ${address} ${cookies.headerFor(url)}`;
}

/**
 * A new connection that breaks is reported; a pooled one may have been closed before the request
 * came.
 */
function mayRepeat({ fate }: NoResponseError, { reused }: Lease, hop: HopRequest): boolean {
  return fate === 'refused' || (reused && (fate === 'unsent' || isIdempotent(hop)));
}

function nameFailure(
  error: unknown,
  hop: HopRequest,
  lease: Lease | null,
  context: HopContext,
): Error {
  if (error instanceof ExchangeCut && lease !== null) {
    const { errorClass, code } = error.reason;
    const partial = toResponse(hop, error.partial, lease, context.redirects);
    return new HttpFetchError(errorClass, code, { partial, cause: error.reason });
  }
  if (context.signal.aborted) return abortReason(context.signal);
  return toFetchError(error instanceof NoResponseError ? error.cause : error);
}

function isIdempotent({ method }: HopRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

function toResponse(
  hop: HopRequest,
  { status, headers, body, truncation, ttfbMs, downloadMs }: Exchanged,
  { connection, reused, dnsMs, connectMs, tlsMs }: Lease,
  redirects: readonly RedirectHop[],
): HttpResponse {
  return {
    url: hop.url.href,
    status,
    headers,
    body,
    truncated: truncation !== null,
    truncation,
    redirects,
    timings: { dnsMs, connectMs, tlsMs, ttfbMs, downloadMs },
    protocol: connection.protocol,
    remoteAddress: connection.remoteAddress,
    reused,
  };
}

/** The deadline and the caller's signal as one signal; its reason is the error to throw. */
class TimeLimit {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly request: Pick<HttpRequest, 'deadline' | 'signal'>) {
    const remainingMs = Math.min(request.deadline.remainingMs(), MAX_TIMER_MS);
    this.timer = setTimeout(() => this.abort('deadline'), remainingMs);
    // A timer would let the request start first.
    if (remainingMs === 0) this.abort('deadline');
    request.signal?.addEventListener('abort', this.onCallerAbort, { once: true });
    if (request.signal?.aborted) this.onCallerAbort();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.onCallerAbort);
  }

  private readonly onCallerAbort = (): void => this.abort('aborted', this.request.signal?.reason);

  private abort(code: 'deadline' | 'aborted', cause?: unknown): void {
    this.controller.abort(new HttpFetchError('timeout', code, { cause }));
  }
}

/** Longer timers fire at once in Node. */
const MAX_TIMER_MS = 2_147_483_647;
