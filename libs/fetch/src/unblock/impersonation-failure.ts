import { BodyError } from './capped-body.js';
import { failedTry, type ProviderResult } from './unblock-provider.js';

/** What is known of a request of the native client that failed. */
export interface ImpersonationFailure {
  readonly error: unknown;
  /** What the proxy refused it for; `blocked` is thrown before. */
  readonly refusal: 'blocked' | 'network' | 'timeout' | 'budget' | null;
  readonly isTimeUp: boolean;
}

/** Names of the native client's errors that are about time. */
const TIMEOUTS: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ConnectTimeout',
  'ReadTimeout',
  'WriteTimeout',
  'PoolTimeout',
]);

/** The native client has no code for an answer that is no HTTP; it shows in the text alone. */
const NOT_HTTP = /\bParse\(|frame with invalid size|PROTOCOL_ERROR|FRAME_SIZE_ERROR/;
/** A broken body's cause is the connection's when the HTTP layer names it, else the encoding's. */
const LOST_CONNECTION = /hyper::Error\(|h2::Error|TimedOut|ConnectionReset/;

/** The error class of a failed request. The client's own words are left out: they show internals. */
export function nameFailure({
  error,
  refusal,
  isTimeUp,
}: ImpersonationFailure): Extract<ProviderResult, { ok: false }> {
  if (isTimeUp || refusal === 'timeout') return failedTry('timeout', 'no whole answer in time');
  if (refusal === 'network') return failedTry('network', 'the site cannot be reached');
  if (refusal === 'budget') return failedTry('provider_error', 'the proxy session is used up');
  if (error instanceof BodyError) return nameBrokenBody(error);
  const { name, message } = wordsOf(error);
  if (TIMEOUTS.has(name)) return failedTry('timeout', 'no whole answer in time');
  if (name === 'DecodingError' || NOT_HTTP.test(message)) {
    return failedTry('parse_error', 'the answer is not HTTP');
  }
  if (/InvalidCertificate/.test(message)) {
    return failedTry('network', 'the certificate of the site cannot be verified');
  }
  return failedTry('network', 'the connection failed');
}

function nameBrokenBody({ cause }: BodyError): Extract<ProviderResult, { ok: false }> {
  return LOST_CONNECTION.test(wordsOf(cause).message)
    ? failedTry('network', 'the connection was lost in the body')
    : failedTry('parse_error', 'the body cannot be decoded');
}

/** The native client's errors may be of another realm, so their class cannot be asked. */
function wordsOf(error: unknown): { readonly name: string; readonly message: string } {
  const { name, message } = (error ?? {}) as {
    readonly name?: unknown;
    readonly message?: unknown;
  };
  return { name: String(name ?? ''), message: String(message ?? '') };
}
