import type Stripe from 'stripe';
import { Deadline } from '@app/contracts';
import { HttpFetchError, type HttpClient, type HttpMethod, type HttpResponse } from '@app/egress';
import { stripeSdk } from './stripe-sdk.js';

/** A client whose guard admits only the provider's API. */
export type PaymentsHttp = Pick<HttpClient, 'fetch'>;

/** A hundred subscriptions with all details are well under a megabyte. */
const MAX_ANSWER_BYTES = 4_194_304;

/**
 * Headers that the HTTP client sets, or that describe this machine: the SDK sends its system, runtime and tools.
 * Names in lower case.
 */
const WITHHELD: ReadonlySet<string> = new Set([
  'content-length',
  'user-agent',
  'x-stripe-client-user-agent',
  'x-stripe-client-telemetry',
]);

const METHODS: Readonly<Record<string, HttpMethod>> = {
  GET: 'GET',
  POST: 'POST',
  DELETE: 'DELETE',
};

type RequestArguments = Parameters<Stripe.HttpClient['makeRequest']>;

/** Sends the SDK's requests: through the egress guard, with a limit on bytes and without redirects. */
export class StripeHttp implements Stripe.HttpClient {
  private readonly closing = new AbortController();

  constructor(private readonly http: PaymentsHttp) {}

  getClientName(): string {
    return 'trawl';
  }

  /** Aborts running requests; later ones fail at once. */
  close(): void {
    this.closing.abort(new Error('closing'));
  }

  async makeRequest(...request: RequestArguments): Promise<Stripe.HttpClientResponse> {
    const [host, port, path, method, headers, body, protocol, timeoutMs] = request;
    try {
      const response = await this.http.fetch({
        url: `${protocol}://${host}:${port}${path}`,
        method: METHODS[method] ?? 'GET',
        headers: forwarded(headers),
        ...(body === '' ? {} : { body }),
        deadline: Deadline.after(timeoutMs),
        signal: this.closing.signal,
        maxBytes: MAX_ANSWER_BYTES,
        maxRedirects: 0,
      });
      return toResponse(response);
    } catch (error) {
      const isTimeout = error instanceof HttpFetchError && error.errorClass === 'timeout';
      // The SDK recognises a timeout by its own error; any other counts as a connection error.
      throw isTimeout ? stripeSdk().HttpClient.makeTimeoutError() : error;
    }
  }
}

function forwarded(headers: RequestArguments[4]): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => !WITHHELD.has(name.toLowerCase()));
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}

function toResponse(response: HttpResponse): Stripe.HttpClientResponse {
  // The SDK stores its own data here.
  const raw = {};
  return {
    getStatusCode: () => response.status,
    getHeaders: () => ({ ...response.headers }),
    getRawResponse: () => raw,
    toStream: () => {
      throw new Error('responses are not streamed');
    },
    toJSON: async () => parseBody(response),
  };
}

function parseBody({ body, truncated }: HttpResponse): unknown {
  if (truncated) {
    throw stripeSdk().HttpClient.makeResponseBodyError(new Error('the response is truncated'));
  }
  return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
}
