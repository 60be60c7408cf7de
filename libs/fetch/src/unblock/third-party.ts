import {
  HttpFetchError,
  ResolveError,
  type EgressGuard,
  type HttpClient,
  type HttpRequest,
  type HttpResponse,
} from '@app/egress';
import type { FetchedPage, FetchRequest } from '../fetch-rung.js';
import { withinTime } from './time-limit.js';
import { failedTry, type ProviderResult } from './unblock-provider.js';

/** The guard for targets, asked before an address is handed to a third party. */
export type TargetGuard = Pick<EgressGuard, 'parse' | 'vet'>;
/** A client with a guard that admits the operator's endpoint. */
export type EndpointClient = Pick<HttpClient, 'fetch'>;

type Failure = Extract<ProviderResult, { ok: false }>;
type CallResult = { readonly ok: true; readonly response: HttpResponse } | Failure;

/** A JSON response holds the page with escapes and more beside it. */
const JSON_OVERHEAD_BYTES = 262_144;

/** Most bytes of a JSON response that holds a page of `maxBytes`. */
export function jsonCap(maxBytes: number): number {
  return 2 * maxBytes + JSON_OVERHEAD_BYTES;
}

/**
 * Makes sure that the target may be seen from outside: an address of the inside is never handed
 * over.
 * @throws BlockedUrlError
 */
export async function vetTarget(
  guard: TargetGuard,
  request: Pick<FetchRequest, 'url' | 'deadline' | 'signal'>,
): Promise<Failure | null> {
  const url = guard.parse(request.url.href);
  return withinTime(request, async (signal) => {
    try {
      await guard.vet(url, signal);
      return null;
    } catch (error) {
      if (signal.aborted)
        return failedTry('timeout', 'the time was up before the provider was asked');
      if (error instanceof ResolveError) return failedTry('network', error.message);
      throw error;
    }
  });
}

/**
 * Asks a third party. Errors become values here and nothing of them is kept: they may quote the
 * address, which may hold the key, and a refused endpoint must not read as a refused target.
 */
export async function callThirdParty(
  http: EndpointClient,
  request: HttpRequest,
): Promise<CallResult> {
  try {
    return { ok: true, response: await http.fetch({ ...request, maxRedirects: 0 }) };
  } catch (error) {
    const isTimeout = error instanceof HttpFetchError && error.errorClass === 'timeout';
    return isTimeout
      ? failedTry('timeout', 'the provider did not answer in time')
      : failedTry('provider_error', 'the provider cannot be reached or does not speak HTTP');
  }
}

/** The failure that a third party's own error status means; null for any other status. */
export function statusFailure(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 402) return failedTry('provider_error', 'the provider requires payment (402)');
  if (status === 401 || status === 403 || status === 407) {
    return failedTry('provider_error', `the provider refuses our key (${status})`);
  }
  if (status === 429) return failedTry('provider_error', 'the provider limits our rate (429)');
  if (status === 408 || status === 504) {
    return failedTry('timeout', `the provider did not get the page in time (${status})`);
  }
  return failedTry('provider_error', `the provider answered HTTP ${status}`);
}

/** The whole body as JSON; a failure when it is none or not whole. */
export function readJsonResponse({
  body,
  truncation,
}: HttpResponse): { readonly ok: true; readonly json: unknown } | Failure {
  if (truncation === 'byte_cap')
    return failedTry('provider_error', "the provider's answer is too large");
  if (truncation !== null) return failedTry('provider_error', "the provider's answer broke off");
  if (body.byteLength === 0) return failedTry('provider_error', "the provider's answer is empty");
  try {
    return {
      ok: true,
      json: JSON.parse(
        Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'),
      ) as unknown,
    };
  } catch {
    // The parser's message would quote the response.
    return failedTry('provider_error', "the provider's answer is not JSON");
  }
}

/** Text of a page as bytes of its own, cut at the cap. */
export function encodeCapped(
  text: string,
  maxBytes: number,
): { readonly body: Uint8Array; readonly isCut: boolean } {
  const bytes = new TextEncoder().encode(text);
  const isCut = bytes.byteLength > maxBytes;
  return { body: isCut ? bytes.slice(0, maxBytes) : bytes, isCut };
}

/** Whether a value is a status a site can have responded with. */
export function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 999;
}

/** A page as a third party reports it. */
export interface HandedPage {
  /** Address after redirects; null: not reported. */
  readonly url: string | null;
  readonly statusCode: number;
  readonly contentType: string | null;
  readonly body: Uint8Array;
  readonly isCut: boolean;
  readonly isRendered: boolean;
  readonly tookMs: number;
}

/**
 * The page, once its final address has passed the guard and the redirect check (robots.txt).
 * @throws what `onRedirect` throws
 */
export async function acceptPage(
  guard: TargetGuard,
  { url: asked, onRedirect }: FetchRequest,
  handed: HandedPage,
): Promise<ProviderResult> {
  const url = handed.url === null ? asked : parsedOrNull(guard, handed.url);
  if (url === null) {
    return failedTry('provider_error', 'the provider names a final address that is refused');
  }
  if (withoutFragment(url) !== withoutFragment(asked)) await onRedirect?.(url);
  const { statusCode, contentType, body, isCut, isRendered, tookMs } = handed;
  const page: FetchedPage = {
    url: url.href,
    statusCode,
    contentType,
    headers: contentType === null ? {} : { 'content-type': contentType },
    body,
    bytes: body.byteLength,
    isCut,
    redirects: [],
    timings: { downloadMs: Math.round(tookMs) },
    isRendered,
  };
  return { ok: true, page };
}

function parsedOrNull(guard: TargetGuard, text: string): URL | null {
  try {
    return guard.parse(text, undefined, 'redirect');
  } catch {
    // Not the caller's address but a word of the provider's: its failure, whatever the reason.
    return null;
  }
}

function withoutFragment({ href }: URL): string {
  return href.split('#')[0] ?? href;
}
