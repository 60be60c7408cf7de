import { BlockedUrlError, InvalidUrlError, redirectLocation, type EgressGuard } from '@app/egress';
import type { RedirectStep } from '@app/contracts';
import { CookieJar } from 'tough-cookie';
import { acceptLanguageOf } from '../accept-language.js';
import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { BodyError, discard, readCapped } from './capped-body.js';
import { chromeAcceptLanguage, navigationHeaders } from './chrome-headers.js';
import {
  ClientPool,
  type PooledClient,
  type ProxyPortSource,
  loadImpersonation,
  type ImpersonatedResponse,
  type ImpersonationModule,
} from './client-pool.js';
import { withinTime } from './time-limit.js';
import { failedTry, type ProviderResult, type UnblockProvider } from './unblock-provider.js';

export interface ImpersonatingProviderOptions {
  readonly guard: Pick<EgressGuard, 'parse'>;
  /**
   * The filtering proxy: the native client has no hook for name look-ups, so it dials nothing
   * itself.
   */
  readonly proxyPorts: ProxyPortSource;
  /** Called with the reason why there is no provider. */
  readonly onUnavailable?: (reason: string) => void;
  /** @default the native module */
  readonly load?: () => ImpersonationModule;
}

const MAX_REDIRECTS = 10;
/**
 * Null where the native module cannot be loaded: the provider is then absent, and the start says
 * why.
 */
export function createImpersonatingProvider({
  load = loadImpersonation,
  onUnavailable,
  guard,
  proxyPorts,
}: ImpersonatingProviderOptions): ImpersonatingProvider | null {
  try {
    return new ImpersonatingProvider(guard, new ClientPool(load(), proxyPorts));
  } catch (error) {
    const [firstLine] = String(error instanceof Error ? error.message : error)
      .trim()
      .split('\n');
    onUnavailable?.(`the impersonating client cannot be loaded: ${firstLine ?? ''}`);
    return null;
  }
}

/** The state of one visit, carried from hop to hop. */
interface Visit {
  readonly request: FetchRequest;
  readonly pooled: PooledClient;
  readonly cookies: VisitCookies;
  readonly redirects: RedirectStep[];
  readonly signal: AbortSignal;
  /** Still on the requested origin: only there the caller's headers and cookies go. */
  isHome: boolean;
}

/**
 * Free: one request that looks like Chrome's on the wire (TLS, HTTP/2, headers and their order). It
 * leaves through the filtering proxy; redirects are followed by hand under the guard.
 */
export class ImpersonatingProvider implements UnblockProvider {
  readonly name = 'impersonate';
  readonly costClass = 'free';
  readonly costMicroUsd = 0;

  constructor(
    private readonly guard: Pick<EgressGuard, 'parse'>,
    private readonly pool: ClientPool,
  ) {}

  async fetch(request: FetchRequest): Promise<ProviderResult> {
    const url = this.guard.parse(request.url.href);
    return withinTime(request, async (signal) => {
      if (signal.aborted) return failedTry('timeout', 'the time was up before it began');
      const pooled = await this.pool.acquire(request.options.country).catch(() => null);
      if (pooled === null) return failedTry('provider_error', 'no proxy session is free');
      return this.visit(url, { request, pooled, signal });
    });
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private async visit(
    url: URL,
    start: Pick<Visit, 'request' | 'pooled' | 'signal'>,
  ): Promise<ProviderResult> {
    const visit: Visit = { ...start, cookies: new VisitCookies(), redirects: [], isHome: true };
    let isSound = false;
    try {
      const result = await this.follow(url, visit);
      isSound = result.ok;
      return result;
    } finally {
      await this.pool.release(visit.pooled, isSound);
    }
  }

  private async follow(first: URL, visit: Visit): Promise<ProviderResult> {
    const seen = new Set<string>();
    for (let url = first; ;) {
      const cookie = visit.cookies.headerFor(url, callersCookies(visit));
      // The same address with the same cookies would bring the same response for ever.
      const isRound = seen.has(`${url.href}\n${cookie}`);
      if (isRound || visit.redirects.length > MAX_REDIRECTS) {
        return failedTry('http_error', isRound ? 'redirects in a circle' : 'too many redirects');
      }
      seen.add(`${url.href}\n${cookie}`);
      const step = await this.hop(url, cookie, visit);
      if (!('next' in step)) return step;
      await visit.request.onRedirect?.(step.next);
      if (step.next.origin !== first.origin) visit.isHome = false;
      url = step.next;
    }
  }

  /** One request: its page, or where it sends us. */
  private async hop(
    url: URL,
    cookie: string,
    visit: Visit,
  ): Promise<ProviderResult | { readonly next: URL }> {
    const startedAt = performance.now();
    const { response, failure } = await ask(url, cookie, visit);
    if (response === null) return failure;
    const { status, headers, body } = response;
    visit.cookies.store(url, headers.getSetCookie());
    const location = redirectLocation(status, joinedHeaders(headers));
    if (location !== null) {
      await discard(body);
      visit.redirects.push({ url: url.href, statusCode: status });
      return this.parseLocation(location, url);
    }
    if (status === 304 && visit.request.validators !== undefined) {
      await discard(body);
      return { ok: true, notModified: true };
    }
    return readPage(url, response, visit, performance.now() - startedAt);
  }

  private parseLocation(location: string, base: URL): ProviderResult | { readonly next: URL } {
    try {
      return { next: this.guard.parse(location, base, 'redirect') };
    } catch (error) {
      if (!(error instanceof InvalidUrlError)) throw error;
      return failedTry('http_error', 'the site redirects to something that is no address');
    }
  }
}

/** Not a union by `ok`: the native response has a property of that name. */
type Asked =
  | { readonly response: ImpersonatedResponse; readonly failure: null }
  | { readonly response: null; readonly failure: Extract<ProviderResult, { ok: false }> };

/** Sends one request; distinguishes an error of the proxy from a response of the site. */
async function ask(
  url: URL,
  cookie: string,
  { request, pooled: { client, proxyPort }, signal, isHome }: Visit,
): Promise<Asked> {
  const refusedBefore = proxyPort.lastRefusal;
  const { options, validators, deadline } = request;
  let response: ImpersonatedResponse | null = null;
  let error: unknown = null;
  try {
    response = await client.fetch(url.href, {
      headers: navigationHeaders(url, {
        acceptLanguage: chromeAcceptLanguage(acceptLanguageOf(options.country)),
        cookie,
        ...(isHome ? validators : {}),
        own: isHome ? options.headers : {},
      }),
      signal,
      timeout: deadline.remainingMs() + 1_000,
    });
  } catch (thrown) {
    error = thrown;
  }
  const refusal = proxyPort.lastRefusal === refusedBefore ? null : proxyPort.lastRefusal;
  if (refusal?.kind === 'blocked') throw new BlockedUrlError('connect', url.href);
  if (response !== null && refusal === null) return { response, failure: null };
  const kind = refusal?.kind ?? null;
  return {
    response: null,
    failure: nameFailure({ error, refusal: kind, isTimeUp: signal.aborted }),
  };
}

async function readPage(
  url: URL,
  { status, headers, body }: ImpersonatedResponse,
  { request, redirects, signal }: Visit,
  ttfbMs: number,
): Promise<ProviderResult> {
  const startedAt = performance.now();
  try {
    const { bytes, isCut } = await readCapped(body, request.maxBytes, signal);
    const downloadMs = performance.now() - startedAt;
    const setCookies = headers.getSetCookie();
    const page: FetchedPage = {
      url: url.href,
      statusCode: status,
      contentType: headers.get('content-type'),
      headers: joinedHeaders(headers),
      ...(setCookies.length > 0 ? { setCookies } : {}),
      body: bytes,
      bytes: bytes.byteLength,
      isCut,
      redirects,
      timings: { ttfbMs: Math.round(ttfbMs), downloadMs: Math.round(downloadMs) },
      isRendered: false,
    };
    return { ok: true, page };
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    return nameFailure({ error, refusal: null, isTimeUp: signal.aborted });
  }
}

function callersCookies({ isHome, request: { options } }: Visit): string | null {
  if (!isHome) return null;
  const parts = [options.headers['cookie'], options.cookies].filter((part) => part);
  return parts.length === 0 ? null : parts.join('; ');
}

function joinedHeaders(headers: Headers): Readonly<Record<string, string>> {
  const joined: Record<string, string> = {};
  for (const [name, value] of headers) {
    joined[name] = name in joined ? `${joined[name]}, ${value}` : value;
  }
  return joined;
}

/** Cookies of one visit: the caller's for the first origin, and those that sites set on the way. */
class VisitCookies {
  private readonly jar = new CookieJar(undefined, { looseMode: true, rejectPublicSuffixes: true });

  /** Takes in the Set-Cookie lines of a response; a line that cannot be read or is not the site's is left. */
  store(url: URL, lines: readonly string[]): void {
    for (const line of lines) this.jar.setCookieSync(line, url.href, { ignoreError: true });
  }

  /** Text of the Cookie header; empty: none. What a site set replaces what the caller brought. */
  headerFor(url: URL, callers: string | null): string {
    const pairs = new Map(pairsOf(callers ?? ''));
    for (const { key, value } of this.jar.getCookiesSync(url.href)) pairs.set(key, value);
    return [...pairs].map(([name, value]) => (name === '' ? value : `${name}=${value}`)).join('; ');
  }
}

function pairsOf(text: string): [string, string][] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? ['', part] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
    });
}

/** A failed request of the native client. */
interface ImpersonationFailure {
  readonly error: unknown;
  /** The proxy's reason to refuse it; `blocked` is thrown before. */
  readonly refusal: 'blocked' | 'network' | 'timeout' | 'budget' | null;
  readonly isTimeUp: boolean;
}

/** Names of the native client's errors that are about time. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ConnectTimeout',
  'ReadTimeout',
  'WriteTimeout',
  'PoolTimeout',
]);

/** The native client has no code for a response that is no HTTP; it shows in the text alone. */
const NOT_HTTP = /\bParse\(|frame with invalid size|PROTOCOL_ERROR|FRAME_SIZE_ERROR/;
/** A broken body's cause is the connection's when the HTTP layer names it, else the encoding's. */
const LOST_CONNECTION = /hyper::Error\(|h2::Error|TimedOut|ConnectionReset/;

/** The error class of a failed request. The client's own words are left out: they show internals. */
function nameFailure({
  error,
  refusal,
  isTimeUp,
}: ImpersonationFailure): Extract<ProviderResult, { ok: false }> {
  if (isTimeUp || refusal === 'timeout') return failedTry('timeout', 'no whole answer in time');
  if (refusal === 'network') return failedTry('network', 'the site cannot be reached');
  if (refusal === 'budget') return failedTry('provider_error', 'the proxy session is used up');
  if (error instanceof BodyError) return nameBrokenBody(error);
  const { name, message } = wordsOf(error);
  if (TIMEOUTS.has(name)) return failedTry('timeout', 'no whole answer in time');
  if (name === 'DecodingError' || NOT_HTTP.test(message)) {
    return failedTry('parse_error', 'the answer is not HTTP');
  }
  if (/InvalidCertificate/.test(message)) {
    return failedTry('network', 'the certificate of the site cannot be verified');
  }
  return failedTry('network', 'the connection failed');
}

function nameBrokenBody({ cause }: BodyError): Extract<ProviderResult, { ok: false }> {
  return LOST_CONNECTION.test(wordsOf(cause).message)
    ? failedTry('network', 'the connection was lost in the body')
    : failedTry('parse_error', 'the body cannot be decoded');
}

/** The native client's errors may be of another realm, so their class cannot be asked. */
function wordsOf(error: unknown): { readonly name: string; readonly message: string } {
  const { name, message } = (error ?? {}) as {
    readonly name?: unknown;
    readonly message?: unknown;
  };
  return { name: String(name ?? ''), message: String(message ?? '') };
}
