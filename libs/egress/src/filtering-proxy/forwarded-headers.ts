import { REFUSED_HEADER } from './refusal.js';

/** For this connection only (RFC 9110 7.6.1), or between a client and its proxy. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  // The proxy has said 100 already, as Node's server does.
  'expect',
]);

/** Ours to say, or a hint at a way past the proxy. */
const NOT_FROM_SITES: ReadonlySet<string> = new Set([REFUSED_HEADER, 'alt-svc']);

/** Names and values in turn, as they were written on the wire. */
type RawHeaders = readonly string[];

/**
 * A request's headers as the site gets them, in the client's order and spelling: `Host` from the
 * URL, whatever the client wrote, and `Connection` where the client spoke of its own.
 */
export function requestHeaders(raw: RawHeaders, host: string, isChunked: boolean): string[] {
  const isDropped = hopByHop(raw);
  const headers: string[] = ['Host', host, 'Connection', 'keep-alive'];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const lower = raw[at]?.toLowerCase() ?? '';
    if (lower === 'host' || isDropped(lower)) continue;
    headers.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  if (isChunked) headers.push('Transfer-Encoding', 'chunked');
  return headers;
}

/** An answer's headers as the client gets them. */
export function answerHeaders(raw: RawHeaders): string[] {
  const isDropped = hopByHop(raw);
  const headers: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const lower = raw[at]?.toLowerCase() ?? '';
    if (!isDropped(lower) && !NOT_FROM_SITES.has(lower))
      headers.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return headers;
}

/** The fixed names, `Proxy-*`, and those that `Connection` names. */
function hopByHop(raw: RawHeaders): (lowerName: string) => boolean {
  let named: Set<string> | undefined;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (raw[at]?.toLowerCase() !== 'connection') continue;
    for (const name of raw[at + 1]?.split(',') ?? [])
      (named ??= new Set()).add(name.trim().toLowerCase());
  }
  return (lower) =>
    HOP_BY_HOP.has(lower) || lower.startsWith('proxy-') || named?.has(lower) === true;
}
