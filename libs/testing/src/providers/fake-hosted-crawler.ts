import { answerBadly, isFailureMode, type FailureMode } from './failure-modes.js';
import { fetchLoopbackPage, type LoopbackPage } from './loopback-page.js';
import { startLoopbackServer, type ProviderRequest } from './loopback-server.js';
import { parseScrapeRequest, type V2ScrapeRequest } from './scrape-request.js';
import { sendJson } from '../site/send-json.js';

/**
 * `unsuccessful`: 200 with `success: false`. `timeout_code`: the same, saying that it was the time.
 * `no_html`: a document without the format requested. `site_error`: the site's 404, without a page.
 */
export type HostedCrawlerMode =
  'ok' | 'unsuccessful' | 'timeout_code' | 'no_html' | 'site_error' | FailureMode;

export interface FakeHostedCrawlerOptions {
  /** @default 'fake-crawler-key' */
  readonly key?: string;
  /** The page for every address. @default the loopback page, or a canned one */
  readonly html?: string;
  /** Delay of the mode `slow`. @default 1_000 */
  readonly slowMs?: number;
}

export interface FakeHostedCrawler {
  /** What a client is configured with: without /v2. */
  readonly baseUrl: string;
  readonly key: string;
  /** For all requests to come. */
  mode: HostedCrawlerMode;
  /** Modes of the next requests, first to last; they go before `mode`. */
  readonly nextModes: HostedCrawlerMode[];
  /** All requests, refused ones too. Oldest first. */
  readonly requests: readonly ProviderRequest[];
  /** Requests whose shape and key were right. */
  readonly scrapes: readonly V2ScrapeRequest[];
  close(): Promise<void>;
}

/** A crawler on loopback that speaks POST /v2/scrape, strictly. */
export async function startFakeHostedCrawler(
  options: FakeHostedCrawlerOptions = {},
): Promise<FakeHostedCrawler> {
  const { key = 'fake-crawler-key', slowMs = 1_000 } = options;
  const state: { mode: HostedCrawlerMode } = { mode: 'ok' };
  const nextModes: HostedCrawlerMode[] = [];
  const scrapes: V2ScrapeRequest[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    const mode = nextModes.shift() ?? state.mode;
    const read = readScrape(request, key);
    if (typeof read === 'number') return sendJson(response, read, errorOf(read));
    scrapes.push(read);
    if (!isFailureMode(mode)) return sendJson(response, 200, await documentOf(read, mode, options));
    const good = async () => {
      const document = await documentOf(read, 'ok', options);
      return { contentType: 'application/json', body: JSON.stringify(document) };
    };
    const errorBody = (status: number) => JSON.stringify({ ...errorOf(status), key });
    return answerBadly(response, { mode, presentedKey: key, slowMs, errorBody, good });
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}`,
    key,
    nextModes,
    scrapes,
    get mode() {
      return state.mode;
    },
    set mode(mode) {
      state.mode = mode;
    },
    requests: server.requests,
    close: server.close,
  };
}

/** The request, or the status with which it is refused. */
function readScrape(
  { method, path, headers, body }: ProviderRequest,
  key: string,
): V2ScrapeRequest | number {
  if (method !== 'POST' || path !== '/v2/scrape') return 404;
  if (headers['authorization'] !== `Bearer ${key}`) return 401;
  if (!headers['content-type']?.startsWith('application/json')) return 415;
  try {
    return parseScrapeRequest(body);
  } catch {
    // The contract answers 400 whatever is wrong; the recorded request shows what it was.
    return 400;
  }
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'payment_required',
  404: 'not_found',
  408: 'SCRAPE_TIMEOUT',
  422: 'fetch_failed',
  429: 'rate_limited',
  503: 'browser_unavailable',
};

function errorOf(status: number) {
  return {
    success: false,
    error: `status ${status}`,
    code: CODES[status] ?? 'internal',
    details: null,
  };
}

async function documentOf(
  { url, headers, formats }: V2ScrapeRequest,
  mode: Exclude<HostedCrawlerMode, FailureMode>,
  { html }: FakeHostedCrawlerOptions,
): Promise<unknown> {
  switch (mode) {
    case 'unsuccessful':
      return { ...errorOf(500), code: 'SCRAPE_DNS_RESOLUTION_ERROR' };
    case 'timeout_code':
      return { ...errorOf(408) };
    case 'no_html':
      return { success: true, data: { markdown: 'x', metadata: metadataOf(url, null) } };
    case 'site_error': {
      const metadata = { ...metadataOf(url, null), statusCode: 404, error: 'Not Found' };
      return { success: true, data: { metadata } };
    }
    case 'ok': {
      const page = html === undefined ? await fetchLoopbackPage(url, headers) : null;
      const rawHtml = page?.html ?? html;
      const data = formats.includes('rawHtml') ? { rawHtml } : { markdown: 'A page' };
      return { success: true, data: { ...data, metadata: metadataOf(url, page) } };
    }
  }
}

function metadataOf(sourceURL: string, page: LoopbackPage | null) {
  const { url, statusCode, contentType } = page ?? {
    url: sourceURL,
    statusCode: 200,
    contentType: 'text/html; charset=utf-8',
  };
  return { sourceURL, url, statusCode, contentType, proxyUsed: 'basic', creditsUsed: 1 };
}
