import type { ErrorClass } from '@app/contracts';
import { RenderError } from './render-error.js';

interface Row {
  readonly errorClass: ErrorClass;
  readonly problem: string;
}
const row = (errorClass: ErrorClass, problem: string): Row => ({ errorClass, problem });

/** Chromium's names for what went wrong with a navigation (net/base/net_error_list.h), without `net::ERR_`. */
const ROWS: Readonly<Record<string, Row>> = {
  NAME_NOT_RESOLVED: row('network', 'the name could not be resolved'),
  CONNECTION_REFUSED: row('network', 'the connection was refused'),
  CONNECTION_RESET: row('network', 'the connection was reset'),
  CONNECTION_CLOSED: row('network', 'the connection was closed'),
  CONNECTION_ABORTED: row('network', 'the connection was aborted'),
  CONNECTION_FAILED: row('network', 'the connection failed'),
  ADDRESS_UNREACHABLE: row('network', 'the address is unreachable'),
  INTERNET_DISCONNECTED: row('network', 'there is no network'),
  EMPTY_RESPONSE: row('network', 'the server closed the connection without an answer'),
  TUNNEL_CONNECTION_FAILED: row('network', 'the connection failed'),
  PROXY_CONNECTION_FAILED: row('network', 'the proxy could not be reached'),
  SOCKS_CONNECTION_FAILED: row('network', 'the connection failed'),
  INCOMPLETE_CHUNKED_ENCODING: row('network', 'the answer broke off'),
  CONTENT_LENGTH_MISMATCH: row('network', 'the answer broke off'),
  TIMED_OUT: row('timeout', 'the server took too long'),
  CONNECTION_TIMED_OUT: row('timeout', 'the connection took too long'),
  TOO_MANY_REDIRECTS: row('http_error', 'too many redirects'),
  UNSAFE_REDIRECT: row('http_error', 'redirected to an address that is not of the web'),
  INVALID_REDIRECT: row('http_error', 'redirected to an address that is none'),
  INVALID_RESPONSE: row('parse_error', 'the answer is not valid HTTP'),
  INVALID_HTTP_RESPONSE: row('parse_error', 'the answer is not valid HTTP'),
  INVALID_CHUNKED_ENCODING: row('parse_error', 'the answer is not valid HTTP'),
  RESPONSE_HEADERS_TOO_BIG: row('parse_error', 'the headers of the answer are too large'),
  CONTENT_DECODING_FAILED: row('parse_error', 'the answer could not be decompressed'),
  UNKNOWN_URL_SCHEME: row('parse_error', 'the address is of an unknown scheme'),
};

/** The failure behind `net::ERR_…` in the text of a navigation. */
export function navigationError(errorText: string): RenderError {
  const name = /ERR_([A-Z0-9_]+)/.exec(errorText)?.[1] ?? '';
  const { errorClass, problem } = ROWS[name] ?? familyOf(name);
  return new RenderError(errorClass, problem);
}

function familyOf(name: string): Row {
  if (/^(?:CERT|SSL|BAD_SSL)/.test(name)) return row('network', 'the TLS connection failed');
  if (/^(?:HTTP2|QUIC|SPDY)/.test(name)) return row('network', 'the answer broke the protocol');
  if (/^(?:BLOCKED|UNSAFE_PORT|ACCESS_DENIED)/.test(name)) {
    return row('unknown', 'the browser refused the address');
  }
  return row('unknown', `the browser could not load the page (${name || 'no reason given'})`);
}
