import type { ErrorClass } from '@app/contracts';
import { errorCode } from '@app/contracts';
import { StreamResetError } from './connection-errors.js';
import { BlockedUrlError, ResolveError } from './egress-errors.js';
import type { HttpResponse } from './http-message.js';

/** A request that got no complete response. */
export class HttpFetchError extends Error {
  /** The part that had arrived when time ran out during the body; null when none is of use. */
  readonly partial: HttpResponse | null;

  constructor(
    readonly errorClass: ErrorClass,
    /** Stable word or the system's code: `deadline`, `ECONNREFUSED`, `invalid_http`… */
    readonly code: string,
    options: ErrorOptions & { readonly partial?: HttpResponse } = {},
  ) {
    super(`Fetch failed (${errorClass}): ${code}`, options);
    this.name = 'HttpFetchError';
    this.partial = options.partial ?? null;
  }

  get partialBody(): Uint8Array | null {
    return this.partial?.body ?? null;
  }
}

/** The peer's bytes do not form an HTTP response, as against a connection that broke. */
const PROTOCOL_CODES: Readonly<Record<string, string>> = {
  HTTPParserError: 'invalid_http',
  HeadersOverflowError: 'headers_too_large',
  ResponseContentLengthMismatchError: 'content_length_mismatch',
};

const PROTOCOL_CODE_WORDS: ReadonlySet<string> = new Set(Object.values(PROTOCOL_CODES));

/** Names an error of the layers below; errors of the guard and those with a name already pass unchanged. */
export function toFetchError(error: unknown): HttpFetchError | BlockedUrlError {
  if (error instanceof HttpFetchError || error instanceof BlockedUrlError) return error;
  if (error instanceof ResolveError) {
    const errorClass = error.code === 'ETIMEOUT' ? 'timeout' : 'network';
    return new HttpFetchError(errorClass, error.code, { cause: error });
  }
  const protocolCode = error instanceof Error ? PROTOCOL_CODES[error.name] : undefined;
  if (protocolCode !== undefined)
    return new HttpFetchError('parse_error', protocolCode, { cause: error });
  const code = errorCode(error, 'connection_failed');
  if (error instanceof StreamResetError && PROTOCOL_CODE_WORDS.has(code))
    return new HttpFetchError('parse_error', code, { cause: error });
  return new HttpFetchError(code === 'ETIMEDOUT' ? 'timeout' : 'network', code, { cause: error });
}
