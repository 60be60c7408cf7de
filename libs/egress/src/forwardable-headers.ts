/** A caller's header that must not leave. The message names the header, never its value. */
export class HeaderRefusedError extends Error {
  constructor(
    readonly headerName: string,
    reason: string,
  ) {
    super(`Header refused: ${headerName.slice(0, 64)} (${reason})`);
    this.name = 'HeaderRefusedError';
  }
}

export const MAX_HEADER_COUNT = 64;
export const MAX_HEADER_BYTES = 16_384;

/** RFC 9110 5.6.2 token. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** Visible latin-1, space and tab: no CR, LF, NUL or other control. */
const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/** For one connection only (RFC 9110 7.6.1), and `expect`, which the next server responds to. */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** They steer the connection or name another host than the one that was vetted. */
const REFUSED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'host',
  'content-length',
  'http2-settings',
  'alt-used',
  'forwarded',
  'via',
]);
const REFUSED_PREFIX = /^(?:proxy-|x-forwarded-)/;

const NONE: ReadonlySet<string> = new Set();

/**
 * Checks headers that a caller wants sent to a site.
 * @param reserved further names, in lower case, that only the service itself sends
 * @throws HeaderRefusedError for Host, hop-by-hop and proxy headers, malformed names and
 * values (CR and LF above all), and sets past 64 headers or 16 KiB.
 */
export function assertForwardableHeaders(
  headers: Readonly<Record<string, string>>,
  reserved = NONE,
): void {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADER_COUNT) {
    throw new HeaderRefusedError('*', `more than ${MAX_HEADER_COUNT} headers`);
  }
  let bytes = 0;
  for (const [name, value] of entries) {
    assertForwardable(name, value, reserved);
    bytes += name.length + value.length + 4;
  }
  if (bytes > MAX_HEADER_BYTES)
    throw new HeaderRefusedError('*', `more than ${MAX_HEADER_BYTES} bytes`);
}

function assertForwardable(name: string, value: unknown, reserved: ReadonlySet<string>): void {
  if (!NAME.test(name))
    throw new HeaderRefusedError(name.replace(/[^\x21-\x7e]/g, '?'), 'malformed name');
  const lower = name.toLowerCase();
  if (REFUSED.has(lower) || REFUSED_PREFIX.test(lower) || reserved.has(lower)) {
    throw new HeaderRefusedError(name, 'set by the service itself');
  }
  if (typeof value !== 'string' || !VALUE.test(value))
    throw new HeaderRefusedError(name, 'malformed value');
}

/** Headers that say how to respond and do not identify the caller: the only ones that go on to another origin. */
const CROSS_ORIGIN = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'dnt',
  'pragma',
  'sec-gpc',
  'upgrade-insecure-requests',
  'user-agent',
]);

/**
 * The request headers kept on another origin: Authorization, Cookie and every
 * header of the caller's own making (an X-Api-Key, say) stay behind.
 */
export function withoutSecrets(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => CROSS_ORIGIN.has(name.toLowerCase())),
  );
}

/** Headers that describe a body; they go when the body goes. */
export function withoutContentHeaders(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !/^content-/i.test(name)));
}
