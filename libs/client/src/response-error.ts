import { TrawlError } from './trawl-error.js';

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
export async function responseError(response: Response): Promise<TrawlError> {
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
