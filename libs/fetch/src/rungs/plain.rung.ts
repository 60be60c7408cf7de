import { HttpFetchError, type HttpClient, type HttpResponse } from '@app/egress';
import type { FetchRequest, FetchRung, RungResult } from '../fetch-rung.js';
import { parseRetryAfter } from '../retry-after.js';

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.5';
const MAX_REDIRECTS = 10;

/** Level 1: one HTTP request, redirects followed by hand under the guard. */
export class PlainRung implements FetchRung {
  readonly rung = 'plain';
  readonly fetchMethod = 'plain';

  constructor(private readonly http: HttpClient) {}

  async fetch({ url, deadline, signal, maxBytes, onRedirect }: FetchRequest): Promise<RungResult> {
    try {
      const response = await this.http.fetch({
        url,
        headers: { accept: ACCEPT, 'accept-language': 'en-US,en;q=0.8,*;q=0.5' },
        deadline,
        ...(signal ? { signal } : {}),
        maxBytes,
        maxRedirects: MAX_REDIRECTS,
        ...(onRedirect ? { onRedirect: (_hop, target) => onRedirect(target) } : {}),
      });
      return response.status >= 200 && response.status < 300 ? served(response) : refused(response);
    } catch (error) {
      if (error instanceof HttpFetchError) return failed(error);
      throw error;
    }
  }
}

function served(response: HttpResponse): RungResult {
  return {
    ok: true,
    page: {
      url: response.url,
      statusCode: response.status,
      contentType: header(response, 'content-type') ?? null,
      body: response.body,
      bytes: response.body.byteLength,
      isCut: response.truncated,
      redirects: response.redirects.length,
      timings: { ...response.timings },
    },
  };
}

function refused(response: HttpResponse): RungResult {
  return {
    ok: false,
    failure: {
      errorClass: 'http_error',
      problem: `Fetch failed: HTTP ${response.status}`,
      statusCode: response.status,
      retryAfterMs: parseRetryAfter(header(response, 'retry-after'), Date.now()),
    },
  };
}

function failed(error: HttpFetchError): RungResult {
  return {
    ok: false,
    failure: {
      errorClass: error.errorClass,
      problem: `Fetch failed: ${error.message}`,
      statusCode: null,
      retryAfterMs: null,
    },
  };
}

function header(response: HttpResponse, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : (value as string | undefined);
}
