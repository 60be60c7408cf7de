import { RetryPolicy } from './retry-policy.js';
import { TrawlError } from './trawl-error.js';

/** Time of one attempt of most calls. */
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_RETRIES = 4;
const DEFAULT_RETRY_DELAY_MS = 500;
const KEY_BYTES = 16;

export interface TrawlOptions {
  /** Address of the service, e.g. http://127.0.0.1:3000; it may have a path. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** @default the global fetch */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Further attempts after 429, 503 and network errors; 0: none. @default 4 */
  readonly retries?: number;
  /** Delay before the first retry without a Retry-After, in milliseconds; doubles with each one. @default 500 */
  readonly retryDelayMs?: number;
  /** Time of one attempt, in milliseconds. @default 120,000; 660,000 for `batch` and `extract` of many URLs */
  readonly timeoutMs?: number;
}

/** Options of a single call. */
export interface CallOptions {
  /** Ends the call; it rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Time of one attempt, in milliseconds. */
  readonly timeoutMs?: number;
  /** 1–255 visible ASCII characters: the same call with the same key runs and is charged once. @default random */
  readonly idempotencyKey?: string;
}

export interface ApiCall extends CallOptions {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Begins with a slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** JSON, or a form with a file. */
  readonly body?: object;
  readonly accept?: string;
  /** @default that of the connection */
  readonly retries?: number;
  /** Time of one attempt if neither the call nor the connection sets one. */
  readonly usualTimeoutMs?: number;
}

/** Sends requests and repeats those that may succeed later. A POST has one Idempotency-Key for all of its attempts. */
export class ApiConnection {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly retries: number;
  readonly retryDelayMs: number;
  private readonly send: NonNullable<TrawlOptions['fetch']>;

  /** @throws TypeError that names the option */
  constructor(private readonly options: TrawlOptions) {
    this.baseUrl = checkedUrl(options.baseUrl);
    if (!/^[\x21-\x7e]+$/.test(options.apiKey))
      throw new TypeError('apiKey must be visible ASCII text without spaces: check how it is read');
    this.retries = options.retries ?? DEFAULT_RETRIES;
    this.retryDelayMs = options.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS;
    this.send = options.fetch ?? ((url, init) => fetch(url, init));
  }

  /** The JSON of a successful response. @throws TrawlError */
  json<T>(call: ApiCall): Promise<T> {
    return this.run(call, async (response) => parseJson<T>(await response.text(), response.status));
  }

  /** A successful response whose body the caller reads; the timeout ends with its head. @throws TrawlError */
  open(call: ApiCall): Promise<Response> {
    return this.run(call, async (response) => response);
  }

  private async run<T>(call: ApiCall, read: (response: Response) => Promise<T>): Promise<T> {
    const timeoutMs =
      call.timeoutMs ?? this.options.timeoutMs ?? call.usualTimeoutMs ?? DEFAULT_TIMEOUT_MS;
    const policy = new RetryPolicy({
      retries: call.retries ?? this.retries,
      firstDelayMs: this.retryDelayMs,
      runningMs: timeoutMs,
    });
    const init = this.initOf(call);
    for (;;) {
      call.signal?.throwIfAborted();
      try {
        return await this.attempt(call, { init, timeoutMs, read });
      } catch (cause) {
        call.signal?.throwIfAborted();
        const error = cause instanceof TrawlError ? cause : networkError(cause);
        const delayMs = policy.delayAfter(error);
        if (delayMs === undefined) throw error;
        await abortableDelay(delayMs, call.signal);
      }
    }
  }

  private async attempt<T>(
    { path, query, signal }: ApiCall,
    { init, timeoutMs, read }: AttemptOptions<T>,
  ): Promise<T> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(timeoutError(timeoutMs)), timeoutMs);
    const signals = signal === undefined ? [timeout.signal] : [timeout.signal, signal];
    try {
      const url = `${this.baseUrl}${path}${searchOf(query)}`;
      const response = await this.send(url, { ...init, signal: AbortSignal.any(signals) });
      if (!response.ok) throw await responseError(response);
      return await read(response);
    } catch (error) {
      throw timeout.signal.aborted ? timeout.signal.reason : error;
    } finally {
      clearTimeout(timer);
    }
  }

  private initOf({ method, body, accept, idempotencyKey }: ApiCall): RequestInit {
    const headers: Record<string, string> = {
      'x-api-key': this.options.apiKey,
      'x-error-format': 'agent',
      accept: accept ?? 'application/json',
    };
    if (method === 'POST') headers['idempotency-key'] = idempotencyKey ?? randomKey();
    const isForm = body instanceof FormData;
    if (body !== undefined && !isForm) headers['content-type'] = 'application/json';
    return {
      ...{ method, headers, redirect: 'manual' },
      body: isForm || body === undefined ? body : JSON.stringify(body),
    };
  }
}

interface AttemptOptions<T> {
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly read: (response: Response) => Promise<T>;
}

function checkedUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '')
    throw new TypeError(
      `baseUrl must be an http:// or https:// address without user name and query, not ${baseUrl}`,
    );
  const base = url.origin + url.pathname;
  return base.endsWith('/') ? base.slice(0, -1) : base;
}

function searchOf(query: ApiCall['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, String(value));
  return search.size === 0 ? '' : `?${search}`;
}

/** Unlike randomUUID, also in pages that were not loaded over https. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function parseJson<T>(text: string, status: number): T {
  try {
    return JSON.parse(text) as T;
  } catch (cause) {
    throw new TrawlError('The response is not JSON', {
      ...{ code: 'invalid_response', status, cause },
      hint: 'Check that baseUrl is the address of Trawl, and any proxy on the way.',
    });
  }
}

function timeoutError(timeoutMs: number): TrawlError {
  return new TrawlError(`No complete response within ${timeoutMs} ms`, {
    code: 'timeout',
    retryable: true,
    hint: 'Limit the work of the call, or set a larger timeoutMs.',
  });
}

/** What fetch rejects with says little; its cause says more. */
function networkError(cause: unknown): TrawlError {
  const { message = String(cause), cause: inner } = cause as Partial<Error>;
  const reason = inner instanceof Error && inner.message !== '' ? inner.message : message;
  return new TrawlError(`Cannot reach the service: ${reason}`, {
    ...{ code: 'network', retryable: true, cause },
    hint: 'Check that the service runs and that baseUrl is its address.',
  });
}

/** Statuses of a gateway in front of the service that cannot reach it. */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];
const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;
const SHOWN_CHARS = 200;

interface ErrorEnvelope {
  readonly message: string;
  readonly code: string;
  readonly suggested_fix?: string;
  readonly request_id?: string;
}

/** The error of a response that is not 2xx; reads its body. */
async function responseError(response: Response): Promise<TrawlError> {
  if (isRedirect(response)) return redirectError(response);
  const text = await response.text();
  const body = objectOf(text);
  const envelope = envelopeOf(body);
  return envelope === undefined ? foreignError(response, text) : apiError(response, body, envelope);
}

function apiError(
  response: Response,
  body: Readonly<Record<string, unknown>>,
  { message, code, suggested_fix, request_id }: ErrorEnvelope,
): TrawlError {
  const { status } = response;
  const retryAfterMs = retryAfterOf(response.headers);
  // A 503 without Retry-After lasts until the operator configures something.
  const retryable =
    status === TOO_MANY_REQUESTS ||
    (status === UNAVAILABLE && retryAfterMs !== undefined) ||
    code === 'idempotency_key_running';
  const hint = typeof body['hint'] === 'string' ? body['hint'] : suggested_fix;
  return new TrawlError(message, {
    ...{ code, status, hint, retryable, retryAfterMs, details: body },
    requestId: request_id ?? response.headers.get('x-request-id') ?? undefined,
  });
}

/** An error that is not in the form of this API: a proxy's, or another server's. */
function foreignError(response: Response, text: string): TrawlError {
  const { status } = response;
  const shown = text.trim().slice(0, SHOWN_CHARS);
  return new TrawlError(`HTTP ${status}${shown === '' ? '' : `: ${shown}`}`, {
    ...{ code: 'invalid_response', status, retryAfterMs: retryAfterOf(response.headers) },
    retryable: status === TOO_MANY_REQUESTS || GATEWAY_STATUSES.includes(status),
    hint: 'The response is not one of Trawl. Check baseUrl, and any proxy on the way.',
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}

/** Redirects are not followed: they would carry the key to another address. */
function redirectError(response: Response): TrawlError {
  const location = response.headers.get('location');
  const to = location === null ? 'another address' : new URL(location, response.url).origin;
  return new TrawlError(`The service redirects to ${to}`, {
    code: 'invalid_response',
    status: response.status === 0 ? undefined : response.status,
    hint: `Set baseUrl to ${to}; the client does not send its key after a redirect.`,
  });
}

function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function envelopeOf({ error }: Readonly<Record<string, unknown>>): ErrorEnvelope | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { message, code } = error as Partial<ErrorEnvelope>;
  return typeof message === 'string' && typeof code === 'string'
    ? (error as ErrorEnvelope)
    : undefined;
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {}; // Not JSON: the caller describes the text.
  }
}

/** Resolves after a time, or rejects with the reason of the signal. */
export function abortableDelay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    if (signal?.aborted) return reject(signal.reason);
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
