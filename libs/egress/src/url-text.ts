/** Longest URL accepted; longer ones do not fit the 16 KiB request heads that servers read. */
export const MAX_URL_LENGTH = 16_000;

/**
 * Ports no browser fetches from (WHATWG Fetch, "bad port"): a request there could be
 * read as a command by a mail server, a chat server or the like.
 */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** Port a URL will be dialled on. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

export function isBadPort(port: number): boolean {
  return BAD_PORTS.has(port);
}

/** The host as a bare name or address: without the brackets of an IPv6 literal. */
export function bareHost(url: URL): string {
  const host = url.hostname;
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

// What the WHATWG parser drops before it reads: C0 controls and spaces at the ends, tab and newlines anywhere.
const EDGES = /^[\u0000-\u0020]+|(?<![\u0000-\u0020])[\u0000-\u0020]+$/g;
const DROPPED = /[\t\r\n]/g;
const AUTHORITY = /^(?:https?:)?[\\/]{2,}([^\\/?#]*)|^https?:([^\\/?#]+)/i;

/**
 * Whether an IPv4 host was written the one way every reader understands. `010.8.8.8` is
 * 8.8.8.8 to a WHATWG parser and 10.8.8.8 to a decimal one, so such spellings are refused.
 */
export function isCanonicalIpv4Text(text: string, url: URL, base?: URL): boolean {
  const match = AUTHORITY.exec(text.replace(EDGES, '').replace(DROPPED, ''));
  const authority = match?.[1] || match?.[2];
  if (authority === undefined) return base !== undefined && base.hostname === url.hostname;
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return (
    host === url.hostname ||
    (base !== undefined && match?.[2] !== undefined && base.hostname === url.hostname)
  );
}
