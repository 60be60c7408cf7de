import { setTimeout as delay } from 'node:timers/promises';
import {
  HeaderRefusedError,
  HttpFetchError,
  parseRetryAfter,
  type HttpClient,
  type HttpHeaders,
  type HttpResponse,
} from '@app/egress';
import { acceptLanguageOf } from '../accept-language.js';
import type { FetchedPage, FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5';
const ACCEPT_MARKDOWN =
  'text/markdown, text/html;q=0.9, application/xhtml+xml;q=0.9, application/xml;q=0.8, text/plain;q=0.7, */*;q=0.5';
const MAX_REDIRECTS = 10;
/** After a Retry-After the second try has at least this long. */
const MIN_SECOND_TRY_MS = 1_000;

/**
 * Level 1: one HTTP request, redirects followed by hand under the guard. An error page of the site
 * is a page here; the verdict judges it.
 */
export class PlainRung implements FetchRung {
  readonly rung = 'plain';
  readonly fetchMethod = 'plain';
  readonly network = 'ours';
  readonly runsScripts = false;
  readonly costMicroUsd = 0;

  constructor(private readonly http: HttpClient) {}

  async fetch(request: FetchRequest): Promise<RungResult> {
    const result = await this.tryOnce(request);
    const waitMs = request.onRetryAfter === 'wait' ? retryAfterOf(result) : null;
    if (waitMs === null || request.deadline.remainingMs() - waitMs < MIN_SECOND_TRY_MS)
      return result;
    try {
      await delay(waitMs, undefined, request.signal ? { signal: request.signal } : {});
    } catch {
      // The caller has gone; the site's response is all there will be.
      return result;
    }
    return this.tryOnce(request);
  }

  private async tryOnce(request: FetchRequest): Promise<RungResult> {
    try {
      return read(await this.send(request), request);
    } catch (error) {
      if (error instanceof HttpFetchError) return salvaged(error) ?? failed(error);
      if (error instanceof HeaderRefusedError) return refusedHeader(error);
      throw error;
    }
  }

  private send(request: FetchRequest): Promise<HttpResponse> {
    const { url, deadline, signal, maxBytes, options, keepsEncoding, onRedirect } = request;
    return this.http.fetch({
      url,
      headers: headersOf(request),
      ...(options.cookies === null ? {} : { cookies: options.cookies }),
      country: options.country,
      deadline,
      ...(signal ? { signal } : {}),
      maxBytes,
      keepsEncoding,
      maxRedirects: MAX_REDIRECTS,
      ...(onRedirect ? { onRedirect: (_hop, target) => onRedirect(target) } : {}),
    });
  }
}

/** The caller's own headers win over those of the rung, except those that limit what it can decode. */
function headersOf({
  options,
  validators,
  keepsEncoding,
}: FetchRequest): Readonly<Record<string, string>> {
  return {
    accept: options.preferMarkdown ? ACCEPT_MARKDOWN : ACCEPT,
    'accept-language': acceptLanguageOf(options.country),
    ...(validators?.etag === undefined ? {} : { 'if-none-match': validators.etag }),
    ...(validators?.lastModified === undefined
      ? {}
      : { 'if-modified-since': validators.lastModified }),
    ...options.headers,
    ...(keepsEncoding ? { 'accept-encoding': 'gzip' } : {}),
  };
}

function read(response: HttpResponse, { validators }: FetchRequest): RungResult {
  const { status } = response;
  const isConditional = validators?.etag !== undefined || validators?.lastModified !== undefined;
  if (status === 304 && isConditional) return { ok: true, notModified: true };
  // A redirect that leads nowhere, or an unrequested 304, is no page.
  if (status >= 300 && status < 400) return refused(status);
  return { ok: true, page: toPage(response) };
}

function toPage(response: HttpResponse): FetchedPage {
  const headers = joined(response.headers);
  return {
    url: response.url,
    statusCode: response.status,
    contentType: headers['content-type'] ?? null,
    headers,
    body: response.body,
    bytes: response.body.byteLength,
    isCut: response.truncated,
    redirects: response.redirects.map(({ url, status }) => ({ url, statusCode: status })),
    timings: { ...response.timings },
    isRendered: false,
    ...robotsTagsOf(response.headers),
    ...setCookiesOf(response.headers),
  };
}

/** Joined, the robot that one of them names would have those behind it too. */
function robotsTagsOf({ 'x-robots-tag': tags }: HttpHeaders): Pick<FetchedPage, 'robotsTags'> {
  return Array.isArray(tags) ? { robotsTags: tags } : {};
}

/** Joined, they cannot be separated: an Expires has a comma of its own (RFC 9110 5.3). */
function setCookiesOf({ 'set-cookie': lines = [] }: HttpHeaders): Pick<FetchedPage, 'setCookies'> {
  const setCookies = typeof lines === 'string' ? [lines] : lines;
  return setCookies.length > 0 ? { setCookies } : {};
}

/**
 * Two Content-Types contradict each other: the first counts, as browsers read it where they can.
 */
function joined(headers: HttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]): [string, string] => {
    if (typeof value === 'string') return [name, value];
    return [name, name === 'content-type' ? (value[0] ?? '') : value.join(', ')];
  });
  return Object.fromEntries(entries);
}

/** Time ran out in the middle of a text: what there is of it is worth more than nothing. */
function salvaged({ code, partial }: HttpFetchError): RungResult | null {
  if (code !== 'deadline' || partial === null || partial.body.byteLength === 0) return null;
  const page = toPage(partial);
  const isText = /^\s*(?:text\/|application\/xhtml\+xml)/i.test(page.contentType ?? '');
  return isText ? { ok: true, page: { ...page, isCut: true, isUnsettled: true } } : null;
}

function retryAfterOf(result: RungResult): number | null {
  if (!result.ok || !('page' in result)) return null;
  const { statusCode, headers } = result.page;
  if (statusCode !== 429 && statusCode !== 503) return null;
  return parseRetryAfter(headers['retry-after'], Date.now());
}

function refused(status: number): RungResult {
  return failure('http_error', `Fetch failed: HTTP ${status}`, status);
}

function failed(error: HttpFetchError): RungResult {
  const isLost = error.code === 'too_many_redirects' || error.code === 'redirect_loop';
  const problem = isLost
    ? 'Fetch failed: too many redirects'
    : `Fetch failed: ${error.errorClass} (${error.code})`;
  return failure(error.errorClass, problem, null);
}

/** The name of the header only; values may be secrets. */
function refusedHeader(error: HeaderRefusedError): RungResult {
  return failure('http_error', `Fetch failed: ${error.message}`, null);
}

function failure(
  errorClass: HttpFetchError['errorClass'],
  problem: string,
  statusCode: number | null,
): RungResult {
  return { ok: false, failure: { errorClass, problem, statusCode, retryAfterMs: null } };
}
