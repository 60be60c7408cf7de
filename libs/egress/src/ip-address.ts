/** A parsed address: 4 bytes for IPv4, 16 for IPv6. */
export type AddressBytes = Uint8Array;

/**
 * Bytes of a canonical dotted-decimal IPv4 or any RFC 4291 IPv6 text; null for anything else, zone
 * ids included.
 */
export function parseAddress(text: string): AddressBytes | null {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

const DECIMAL_BYTE = /^(?:0|[1-9]\d{0,2})$/;

function parseIpv4(text: string): AddressBytes | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  const bytes = new Uint8Array(4);
  for (const [index, part] of parts.entries()) {
    const value = Number(part);
    // A leading zero is octal to some readers and decimal to others, so it is not an address here.
    if (!DECIMAL_BYTE.test(part) || value > 255) return null;
    bytes[index] = value;
  }
  return bytes;
}

const HEX_GROUP = /^[0-9a-f]{1,4}$/i;

function parseIpv6(text: string): AddressBytes | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = parseGroups(halves[1] ?? '', true);
  if (head === null || tail === null) return null;
  const given = head.length + tail.length;
  // `::` means at least one group of zeros (RFC 5952 4.2.2 readers differ, URL parsers do not).
  if (halves.length === 1 ? given !== 16 : given > 14) return null;
  const bytes = new Uint8Array(16);
  bytes.set(head, 0);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

function parseGroups(text: string, mayEndInIpv4: boolean): number[] | null {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    if (HEX_GROUP.test(group)) {
      const value = parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
      continue;
    }
    const embedded = mayEndInIpv4 && index === groups.length - 1 ? parseIpv4(group) : null;
    if (embedded === null) return null;
    bytes.push(...embedded);
  }
  return bytes;
}

/** Text of an address: dotted decimal, or eight hexadecimal groups without compression. */
export function formatAddress(bytes: AddressBytes): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let i = 0; i < 16; i += 2) {
    groups.push((((bytes[i] ?? 0) << 8) | (bytes[i + 1] ?? 0)).toString(16));
  }
  return groups.join(':');
}

/**
 * One spelling per address, with IPv4-mapped IPv6 as plain IPv4; null when the text is no address.
 */
export function canonicalAddress(text: string): string | null {
  const bytes = parseAddress(text);
  if (bytes === null) return null;
  return formatAddress(isMapped(bytes) ? bytes.subarray(12) : bytes);
}

/**
 * Whether these are the 16 bytes of `::ffff:a.b.c.d` (RFC 4291 2.5.5.2): the same host as
 * `a.b.c.d`.
 */
export function isMapped(bytes: AddressBytes): boolean {
  if (bytes.length !== 16 || bytes[10] !== 0xff || bytes[11] !== 0xff) return false;
  return bytes.subarray(0, 10).every((byte) => byte === 0);
}

/** A range of addresses of one family. */
export interface Cidr {
  readonly bytes: AddressBytes;
  readonly prefixBits: number;
}

/** `address/bits`; null when malformed or when bits are set past the prefix. */
export function parseCidr(text: string): Cidr | null {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text);
  const bytes = parseAddress(match?.[1] ?? '');
  const prefixBits = Number(match?.[2]);
  if (bytes === null || prefixBits > bytes.length * 8) return null;
  const cidr = { bytes, prefixBits };
  return hasHostBits(cidr) ? null : cidr;
}

function hasHostBits({ bytes, prefixBits }: Cidr): boolean {
  for (let bit = prefixBits; bit < bytes.length * 8; bit++) {
    if (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) return true;
  }
  return false;
}

/** Whether the range holds the address; families never match each other. */
export function cidrContains({ bytes, prefixBits }: Cidr, address: AddressBytes): boolean {
  if (bytes.length !== address.length) return false;
  const wholeBytes = prefixBits >> 3;
  for (let i = 0; i < wholeBytes; i++) if (bytes[i] !== address[i]) return false;
  const restBits = prefixBits & 7;
  if (restBits === 0) return true;
  return ((bytes[wholeBytes] ?? 0) ^ (address[wholeBytes] ?? 0)) >> (8 - restBits) === 0;
}
