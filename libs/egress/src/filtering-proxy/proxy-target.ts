import { BlockedUrlError, InvalidUrlError } from '../egress-errors.js';
import type { EgressGuard } from '../guard.js';
import { portOf } from '../url-text.js';

/** `host:port` (RFC 9110 9.3.6): a name or IPv4 address, or an IPv6 address in brackets. */
const AUTHORITY = /^([\w.-]+|\[[\da-f:.]+\]):([1-9]\d{0,4})$/i;

/**
 * The target of CONNECT. The URL is made once and must spell host and port exactly as they were
 * written: a spelling that the URL parser had to change (userinfo, percent or Unicode, `127.1`, a
 * name in brackets) is one that two readers may understand differently.
 * @throws BlockedUrlError | InvalidUrlError
 */
export function parseConnectTarget(guard: EgressGuard, authority: string): URL {
  const [, host, port] = AUTHORITY.exec(authority) ?? [];
  if (host === undefined) throw new InvalidUrlError(authority);
  const url = guard.parse(`https://${authority}/`, undefined, 'subresource');
  if (url.hostname !== host.toLowerCase() || String(portOf(url)) !== port) {
    throw new BlockedUrlError('subresource', authority);
  }
  return url;
}

/** Whether a request's target is a whole URL, as a proxy is asked, and not the path of a server. */
export function isAbsoluteForm(target: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(target);
}

/**
 * The target of any other method. https comes by CONNECT only: the proxy opens no TLS of its own.
 * @throws BlockedUrlError | InvalidUrlError
 */
export function parseRequestTarget(guard: EgressGuard, text: string): URL {
  const url = guard.parse(text, undefined, 'subresource');
  if (url.protocol !== 'http:') throw new BlockedUrlError('subresource', text);
  return url;
}
