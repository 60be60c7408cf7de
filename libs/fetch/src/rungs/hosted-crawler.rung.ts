import { valueAtPointer, parseRetryAfter, type HttpResponse } from '@app/egress';
import type { FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';
import { carriesIdentity } from '../unblock/caller-identity.js';
import {
  acceptPage,
  callThirdParty,
  encodeCapped,
  isStatus,
  jsonCap,
  readJsonResponse,
  statusFailure,
  vetTarget,
  type EndpointClient,
  type TargetGuard,
} from '../unblock/third-party.js';
import { failedTry, type ProviderResult } from '../unblock/unblock-provider.js';
import { pauseUnless } from '../unblock/time-limit.js';

export interface HostedCrawlerOptions {
  /** Address of the API without `/v2`; a path is kept. */
  readonly baseUrl: URL;
  readonly key: string;
  /** Admits the API's endpoint. */
  readonly http: EndpointClient;
  /** Vets the page's address before the crawler receives it. */
  readonly guard: TargetGuard;
  /** Price of one scrape, in micro-dollars. @default 0 */
  readonly costMicroUsd?: number;
  /** Longest wait for one response. @default 120_000 */
  readonly timeoutMs?: number;
  /** The caller's headers and cookies are handed on. @default false */
  readonly forwardHeaders?: boolean;
}

type Failure = Extract<ProviderResult, { ok: false }>;

const DEFAULT_TIMEOUT_MS = 120_000;
/** The API takes no shorter one. */
const MIN_TIMEOUT_MS = 1_000;
/** Kept for the way there and back, so that its response comes before we hang up. */
const RETURN_MS = 500;
/** The API's maximum. */
const MAX_WAIT_FOR_MS = 60_000;
/** `scroll`: this often, with a pause for what loads. */
const SCROLLS = 5;
const SCROLL_PAUSE_MS = 300;

/**
 * Level 3: another crawler that speaks /v2/scrape. It receives the address, country and waits. The
 * caller's headers and cookies go along only with `forwardHeaders`, and then in its `headers`
 * field, from where it sends them to the page; without it a request that depends on them is not
 * handed over.
 */
export class HostedCrawlerRung implements FetchRung {
  readonly rung = 'hosted_crawler';
  readonly fetchMethod = 'hosted_crawler';
  readonly network = 'another';
  readonly runsScripts = true;
  readonly costMicroUsd: number;

  constructor(private readonly options: HostedCrawlerOptions) {
    this.costMicroUsd = options.costMicroUsd ?? 0;
  }

  async fetch(request: FetchRequest): Promise<RungResult> {
    const { guard, forwardHeaders = false } = this.options;
    if (!forwardHeaders && carriesIdentity(request.options)) {
      return failedTry(
        'provider_error',
        'the request carries cookies or headers that the hosted crawler is not given',
      );
    }
    const refused = await vetTarget(guard, request);
    if (refused !== null) return refused;
    const result = await this.scrape(request);
    const waitMs = result.ok ? null : result.failure.retryAfterMs;
    if (waitMs === null || request.onRetryAfter === 'report') return result;
    if (waitMs + RETURN_MS + MIN_TIMEOUT_MS > request.deadline.remainingMs()) return result;
    await pauseUnless(waitMs, request.signal);
    return this.scrape(request);
  }

  private async scrape(request: FetchRequest): Promise<ProviderResult> {
    const { baseUrl, key, http, guard, timeoutMs = DEFAULT_TIMEOUT_MS } = this.options;
    const due = request.deadline.within(timeoutMs);
    if (due.remainingMs() < MIN_TIMEOUT_MS + RETURN_MS || request.signal?.aborted) {
      return failedTry('timeout', 'no time was left for the hosted crawler');
    }
    const startedAt = performance.now();
    const asked = await callThirdParty(http, {
      url: `${baseUrl.href.replace(/(?<!\/)\/+$/, '')}/v2/scrape`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(this.scrapeBody(request, due.remainingMs() - RETURN_MS)),
      deadline: due,
      ...(request.signal ? { signal: request.signal } : {}),
      maxBytes: jsonCap(request.maxBytes),
    });
    if (!asked.ok) return asked;
    const read = readResponse(asked.response, request.maxBytes);
    if ('ok' in read) return read;
    const tookMs = performance.now() - startedAt;
    return acceptPage(guard, request, { ...read, isRendered: true, tookMs });
  }

  private scrapeBody({ url, options }: FetchRequest, timeoutMs: number): unknown {
    const waitForMs = Math.min(options.waitForMs, MAX_WAIT_FOR_MS, Math.floor(timeoutMs / 2));
    const headers = {
      ...options.headers,
      ...(options.cookies === null ? {} : { cookie: options.cookies }),
    };
    const hasHeaders = this.options.forwardHeaders && Object.keys(headers).length > 0;
    return {
      url: url.href,
      formats: ['rawHtml'],
      onlyMainContent: false,
      // A fresh page, checked like a page of the other rungs, and never served from a shared cache.
      maxAge: 0,
      storeInCache: false,
      skipTlsVerification: false,
      timeout: timeoutMs,
      ...(waitForMs > 0 ? { waitFor: waitForMs } : {}),
      ...(hasHeaders ? { headers } : {}),
      ...(options.country === null ? {} : { location: { country: options.country } }),
      ...(options.scroll ? { actions: SCROLL_ACTIONS } : {}),
    };
  }
}

const SCROLL_ACTIONS = Array.from({ length: SCROLLS }, () => [
  { type: 'scroll', direction: 'down' },
  { type: 'wait', milliseconds: SCROLL_PAUSE_MS },
]).flat();

interface ReadDocument {
  readonly url: string | null;
  readonly statusCode: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly isCut: boolean;
}

function readResponse(response: HttpResponse, maxBytes: number): ReadDocument | Failure {
  const refusal = statusFailure(response.status);
  if (refusal !== null) return withDetails(refusal, response);
  const read = readJsonResponse(response);
  if (!read.ok) return read;
  if (valueAtPointer(read.json, '/success') !== true) return unsuccessful(read.json);
  const statusCode = valueAtPointer(read.json, '/data/metadata/statusCode');
  if (!isStatus(statusCode)) {
    return failedTry('provider_error', "the hosted crawler's answer holds no status");
  }
  const html = valueAtPointer(read.json, '/data/rawHtml');
  if (typeof html !== 'string') return withoutPage(statusCode);
  const finalUrl = valueAtPointer(read.json, '/data/metadata/url');
  const contentType = valueAtPointer(read.json, '/data/metadata/contentType');
  return {
    url: typeof finalUrl === 'string' && finalUrl !== '' ? finalUrl : null,
    statusCode,
    contentType: inUtf8(contentType),
    ...encodeCapped(html, maxBytes),
  };
}

/** Adds what helps: when to come again, and the code of an error in JSON. */
function withDetails({ failure }: Failure, response: HttpResponse): Failure {
  const retryAfter = response.status === 429 ? response.headers['retry-after'] : undefined;
  const retryAfterMs = parseRetryAfter(retryAfter, Date.now());
  const read = readJsonResponse(response);
  const code = read.ok ? codeOf(read.json) : null;
  const problem = code === null ? failure.problem : `${failure.problem}: ${code}`;
  return { ok: false, failure: { ...failure, problem, retryAfterMs } };
}

/** 200 with `success: false`. */
function unsuccessful(json: unknown): Failure {
  const code = codeOf(json);
  const problem = `the hosted crawler did not get the page${code === null ? '' : `: ${code}`}`;
  return failedTry(code === 'SCRAPE_TIMEOUT' ? 'timeout' : 'provider_error', problem);
}

/** The site's own error came through without a page. */
function withoutPage(statusCode: number): Failure {
  return statusCode >= 400
    ? failedTry('http_error', `HTTP ${statusCode}`, { statusCode })
    : failedTry('provider_error', "the hosted crawler's answer holds no rawHtml");
}

/**
 * Error texts are the other side's and may quote anything, the key too; of its codes, the known
 * ones.
 */
const SHOWN_CODES: ReadonlySet<unknown> = new Set([
  'blocked_url',
  'browser_unavailable',
  'fetch_failed',
  'invalid_request',
  'invalid_url',
  'payment_required',
  'queue_unavailable',
  'rate_limited',
  'unauthorized',
  'unsupported_action',
  'unsupported_format',
  'unsupported_option',
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'SCRAPE_SSL_ERROR',
  'SCRAPE_TIMEOUT',
]);

function codeOf(json: unknown): string | null {
  const code = valueAtPointer(json, '/code');
  return typeof code === 'string' && SHOWN_CODES.has(code) ? code : null;
}

/** The text was decoded on the other side, whatever charset the page once had. */
function inUtf8(contentType: unknown): string {
  const [type = ''] = typeof contentType === 'string' ? contentType.split(';') : [];
  return `${/^[\w.+-]+\/[\w.+-]+$/.test(type.trim()) ? type.trim() : 'text/html'}; charset=utf-8`;
}
