import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The CIDR that per-address limits count: an IPv4 address, or the /64 of an IPv6 one, since one
 * subscriber has at least that many addresses. Null if the text is not an address.
 *
 * Some proxies append the port to the forwarded address: it is removed.
 */
export function networkOf(text: string): string | null {
  const address = withoutPort(text.trim()).split('%', 1)[0] ?? '';
  switch (isIP(address)) {
    case 4:
      return `${address}/32`;
    case 6:
      return networkOfGroups(groupsOf(address));
    default:
      return null;
  }
}

/**
 * The network around a client: the /24 of an IPv4 address, the /48 of an IPv6 /64. A hosting customer often
 * has that many addresses.
 * @param network in the format of `networkOf`
 */
export function networkAround(network: string): string {
  const [address = ''] = network.split('/', 1);
  if (!address.includes(':')) return `${address.split('.').slice(0, 3).join('.')}.0/24`;
  return `${address.split(':').slice(0, 3).join(':')}::/48`;
}

/**
 * The CIDR that a request counts for. `ip` is the address a trusted proxy forwarded; if that is not an
 * address (some proxies write `unknown`), the proxy itself is counted, so that no client escapes the limit.
 */
export function clientNetwork({ ip, socket }: FastifyRequest): string {
  const network = networkOf(ip) ?? networkOf(socket.remoteAddress ?? '');
  if (network === null) throw new Error('a client without an address');
  return network;
}

/** `192.0.2.1:443` and `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  const inBrackets = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1];
  if (inBrackets !== undefined) return inBrackets;
  return /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

/** The eight groups of an IPv6 address in canonical form (RFC 5952, like URLs). */
function groupsOf(address: string): readonly string[] {
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail = ''] = short.split('::');
  const [left, right] = [wordsOf(head), wordsOf(tail)];
  const zeros = Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right];
}

function wordsOf(groups: string): readonly string[] {
  return groups === '' ? [] : groups.split(':');
}

/** A dual-stack socket shows IPv4 clients in the mapped form (RFC 4291, 2.5.5.2), all within one /64. */
function networkOfGroups(groups: readonly string[]): string {
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff';
  if (!isMapped) return `${groups.slice(0, 4).join(':')}::/64`;
  const bytes = groups.slice(6).flatMap((group) => {
    const number = Number.parseInt(group, 16);
    return [number >> 8, number & 255];
  });
  return `${bytes.join('.')}/32`;
}
