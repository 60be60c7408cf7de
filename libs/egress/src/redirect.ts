import type { HttpHeaders, HttpMethod } from './http-message.js';
import { withoutContentHeaders, withoutSecrets } from './forwardable-headers.js';

/** The request of one hop. */
export interface HopRequest {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
}

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The Location to follow; null when the response is final. */
export function redirectLocation(status: number, headers: HttpHeaders): string | null {
  if (!REDIRECT_STATUSES.has(status)) return null;
  const location = headers['location'];
  // Two Locations contradict each other; readers disagree on which one counts.
  return typeof location === 'string' ? decodeHeaderText(location) : null;
}

/** Header bytes arrive as latin-1, while servers that do not escape a Location send UTF-8. */
function decodeHeaderText(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1').toString('utf8');
}

/**
 * The request of the next hop (RFC 9110 15.4): 303 and, for POST, 301 and 302 become GET without
 * body; 307 and 308 repeat it. Another origin gets no credentials.
 */
export function nextHop(request: HopRequest, status: number, target: URL): HopRequest {
  const headers =
    target.origin === request.url.origin ? request.headers : withoutSecrets(request.headers);
  const url = withInheritedFragment(target, request.url);
  if (!becomesGet(status, request.method)) return { ...request, url, headers };
  return { url, method: 'GET', headers: withoutContentHeaders(headers), body: undefined };
}

function becomesGet(status: number, method: HttpMethod): boolean {
  if (status === 303) return method !== 'HEAD' && method !== 'GET';
  return (status === 301 || status === 302) && method === 'POST';
}

/** RFC 9110 10.2.2: a Location without fragment keeps the requested one. */
function withInheritedFragment(target: URL, from: URL): URL {
  if (target.hash !== '' || from.hash === '') return target;
  const url = new URL(target);
  url.hash = from.hash;
  return url;
}
