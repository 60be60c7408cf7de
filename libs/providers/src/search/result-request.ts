import { HttpFetchError, parseRetryAfter, type HttpRequest, type HttpResponse } from '@app/egress';
import type { FoundPage, PageReading, ResultShape } from '@app/search';
import {
  backendFailure,
  type BackendFailure,
  type BackendResult,
  type BackendTerms,
  type ReadResultPage,
  type SearchHttp,
} from './search-backend.js';

/** More than any page of results; a list of 5,000 is 2 MB. */
const MAX_RESULT_BYTES = 4 * 1024 * 1024;

/** The request for one page of results, and how its response is read. */
export interface ResultCall<Shape extends { readonly kind: string } = ResultShape, R = FoundPage> {
  readonly http: SearchHttp;
  readonly request: Pick<HttpRequest, 'url' | 'method' | 'headers' | 'body'>;
  readonly shape: Shape;
  /** It has a key: what it refuses, it refuses the key. Otherwise refusals are walls. */
  readonly hasKey: boolean;
  readonly read: ReadResultPage<ShapedPage<Shape>, R>;
  readonly terms: BackendTerms & { readonly tenantId: string };
}

/** One page of results as it arrived, and how it is read. */
export interface ShapedPage<Shape> {
  readonly body: Uint8Array;
  readonly contentType: string | null;
  readonly url: string;
  readonly shape: Shape;
}

type Fetched = { readonly ok: true; readonly response: HttpResponse } | BackendFailure;

/** Requests and reads one page of results. */
export async function requestResults<Shape extends { readonly kind: string }, R>(
  call: ResultCall<Shape, R>,
): Promise<BackendResult<R>> {
  const fetched = await requestPage(call);
  return fetched.ok ? readResponse(call, fetched.response) : fetched;
}

/**
 * Errors become values here and nothing of them is kept: they may quote the address, which may hold the key. Redirects are
 * not followed: the operator's address is the backend.
 */
async function requestPage({
  http,
  request,
  terms,
  hasKey,
}: Pick<ResultCall, 'http' | 'request' | 'terms' | 'hasKey'>): Promise<Fetched> {
  const { deadline, signal } = terms;
  try {
    const response = await http.fetch({
      ...request,
      deadline,
      signal,
      maxBytes: MAX_RESULT_BYTES,
      maxRedirects: 0,
    });
    const failure = statusFailureOf(response, hasKey);
    return failure ?? { ok: true, response };
  } catch (error) {
    signal.throwIfAborted();
    return failureOf(error);
  }
}

async function readResponse<Shape extends { readonly kind: string }, R>(
  { shape, read, terms }: ResultCall<Shape, R>,
  { body, headers, url, truncation }: HttpResponse,
): Promise<BackendResult<R>> {
  const isPage = shape.kind === 'html' || shape.kind === 'searxng_html';
  // The start of a page may have its results; the start of JSON has none.
  if (truncation === 'byte_cap' && !isPage)
    return backendFailure('parse_error', `the answer is larger than ${MAX_RESULT_BYTES} bytes`);
  if (truncation !== null && truncation !== 'byte_cap')
    return backendFailure('network', 'the answer broke off');
  const type = headers['content-type'];
  const contentType = typeof type === 'string' ? type : null;
  const reading = await read({ body, contentType, url, shape }, terms);
  terms.signal.throwIfAborted();
  return reading === null
    ? backendFailure('timeout', 'the results could not be read in time')
    : resultOfReading(reading);
}

/** What a reading of a page means for its backend. */
export function resultOfReading<R>(reading: PageReading<R>): BackendResult<R> {
  switch (reading.kind) {
    case 'results':
      return { ok: true, results: reading.results };
    case 'incomplete':
      return backendFailure('provider_error', reading.problem, { isOfQuery: true });
    case 'wall':
      return backendFailure('blocked', reading.problem);
    case 'unreadable':
      return backendFailure('parse_error', reading.problem);
    case 'drift':
      return backendFailure('provider_error', reading.problem, { isDrift: true });
  }
}

function failureOf(error: unknown): BackendFailure {
  if (!(error instanceof HttpFetchError))
    return backendFailure('provider_error', 'the backend cannot be used at its configured address');
  if (error.errorClass === 'timeout')
    return backendFailure('timeout', 'the backend did not respond in time');
  return backendFailure('network', `the backend cannot be reached (${error.code})`);
}

/** Statuses about the query, which another one may not have. */
const OF_QUERY: ReadonlySet<number> = new Set([400, 414, 422]);
const REFUSALS: ReadonlySet<number> = new Set([401, 402, 403, 407, 429]);

function statusFailureOf(
  { status, headers }: HttpResponse,
  hasKey: boolean,
): BackendFailure | null {
  if (status >= 200 && status < 300) return null;
  const more = {
    statusCode: status,
    retryAfterMs: parseRetryAfter(headers['retry-after'], Date.now()),
    isOfQuery: OF_QUERY.has(status),
  };
  if (REFUSALS.has(status)) {
    const refused = status === 429 ? 'limits our rate' : `refuses ${hasKey ? 'our key' : 'us'}`;
    const errorClass = hasKey ? 'provider_error' : 'blocked';
    return backendFailure(errorClass, `the backend ${refused} (${status})`, more);
  }
  if (status >= 300 && status < 400)
    return backendFailure('provider_error', `the backend redirects elsewhere (${status})`, more);
  if (status === 408 || status === 504)
    return backendFailure('timeout', `the backend had no results in time (${status})`, more);
  return backendFailure('http_error', `the backend answered with HTTP ${status}`, more);
}
