import { isIP } from 'node:net';

/**
 * The proxies trusted for `X-Forwarded-For`: from any other peer, the header is made up by a
 * client.
 */
export type TrustedProxies =
  | { readonly kind: 'none' }
  /** This number of proxies is in front of the API, and no client can bypass them. */
  | { readonly kind: 'hops'; readonly hops: number }
  /** Addresses and CIDRs of the proxies. */
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };

const MAX_HOPS = 10;
const RULE = `must be the addresses of your proxies (comma-separated addresses and CIDRs, such as 10.0.0.0/8), or how many of them are in front of the API (1 to ${MAX_HOPS})`;

/** TRUST_PROXY as text. @throws Error with the rule */
export function parseTrustProxy(text: string): TrustedProxies {
  const words = text.split(',').map((word) => word.trim());
  if (text.trim() === '') return { kind: 'none' };
  if (/^\d+$/.test(text.trim())) return parseHops(Number(text));
  if (!words.every(isAddressOrCidr)) throw new Error(RULE);
  return { kind: 'addresses', addresses: words };
}

function parseHops(hops: number): TrustedProxies {
  if (hops > MAX_HOPS) throw new Error(RULE);
  return hops === 0 ? { kind: 'none' } : { kind: 'hops', hops };
}

/** All addresses there are (/0) is no list of proxies: then every client would be believed. */
function isAddressOrCidr(word: string): boolean {
  const [address = '', bits, ...rest] = word.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  const most = family === 4 ? 32 : 128;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= most;
}
