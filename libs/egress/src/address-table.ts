import {
  type AddressBytes,
  type Cidr,
  cidrContains,
  isMapped,
  parseAddress,
  parseCidr,
} from './ip-address.js';

/**
 * Which addresses are on the public internet. The rows come from the IANA special-purpose
 * registries (RFC 6890 and its updates), read from the stricter side: a range with hosts
 * that are reachable only in part, or only as infrastructure anycast, is no place for a web page.
 */
export interface SpecialRange {
  readonly range: string;
  readonly reason: string;
}

export const SPECIAL_RANGES: readonly SpecialRange[] = [
  { range: '0.0.0.0/8', reason: 'this network (RFC 791); Linux dials 0.0.0.0 as loopback' },
  { range: '10.0.0.0/8', reason: 'private use (RFC 1918)' },
  { range: '100.64.0.0/10', reason: 'carrier-grade NAT (RFC 6598); Alibaba metadata' },
  { range: '127.0.0.0/8', reason: 'loopback (RFC 1122)' },
  { range: '168.63.129.16/32', reason: 'Azure WireServer: public space, private service' },
  { range: '169.254.0.0/16', reason: 'link-local (RFC 3927); cloud metadata' },
  { range: '172.16.0.0/12', reason: 'private use (RFC 1918)' },
  { range: '192.0.0.0/24', reason: 'IETF protocol assignments (RFC 6890); Oracle metadata' },
  { range: '192.0.2.0/24', reason: 'documentation TEST-NET-1 (RFC 5737)' },
  { range: '192.88.99.0/24', reason: 'deprecated 6to4 relay anycast (RFC 7526)' },
  { range: '192.168.0.0/16', reason: 'private use (RFC 1918)' },
  { range: '198.18.0.0/15', reason: 'benchmarking (RFC 2544)' },
  { range: '198.51.100.0/24', reason: 'documentation TEST-NET-2 (RFC 5737)' },
  { range: '203.0.113.0/24', reason: 'documentation TEST-NET-3 (RFC 5737)' },
  { range: '224.0.0.0/4', reason: 'multicast (RFC 5771)' },
  { range: '240.0.0.0/4', reason: 'reserved (RFC 1112) and limited broadcast' },
  { range: '::/128', reason: 'unspecified (RFC 4291); Linux dials it as loopback' },
  { range: '::1/128', reason: 'loopback (RFC 4291)' },
  { range: '::/96', reason: 'IPv4-compatible, deprecated (RFC 4291)' },
  { range: '::ffff:0:0:0/96', reason: 'IPv4-translated, SIIT (RFC 2765)' },
  { range: '64:ff9b:1::/48', reason: 'local-use NAT64 (RFC 8215)' },
  { range: '100::/64', reason: 'discard-only (RFC 6666)' },
  { range: '100:0:0:1::/64', reason: 'dummy prefix (RFC 9780)' },
  {
    range: '2001::/23',
    reason: 'IETF protocol assignments: Teredo, ORCHID, benchmarking (RFC 2928)',
  },
  { range: '2001:db8::/32', reason: 'documentation (RFC 3849)' },
  { range: '3fff::/20', reason: 'documentation (RFC 9637)' },
  { range: '5f00::/16', reason: 'SRv6 segment ids (RFC 9602)' },
  { range: 'fc00::/7', reason: 'unique local (RFC 4193); cloud metadata over IPv6' },
  { range: 'fe80::/10', reason: 'link-local (RFC 4291)' },
  { range: 'fec0::/10', reason: 'site-local, deprecated (RFC 3879)' },
  { range: 'ff00::/8', reason: 'multicast (RFC 4291)' },
];

/**
 * Forms of IPv6 that carry an IPv4 address; the packet ends at the inner host, so the inner host
 * decides.
 */
interface EmbeddedForm {
  readonly prefix: string;
  readonly offset: number;
  /** Teredo stores the client's address with every bit flipped (RFC 4380 4). */
  readonly isInverted?: true;
}

const EMBEDDED_FORMS: readonly EmbeddedForm[] = [
  { prefix: '::ffff:0:0/96', offset: 12 },
  { prefix: '::ffff:0:0:0/96', offset: 12 },
  { prefix: '64:ff9b::/96', offset: 12 },
  { prefix: '64:ff9b:1::/48', offset: 12 },
  { prefix: '2002::/16', offset: 2 },
  { prefix: '2001::/32', offset: 12, isInverted: true },
  { prefix: '::/96', offset: 12 },
];

const special = SPECIAL_RANGES.map(({ range, reason }) => ({ cidr: cidrOf(range), reason }));
const embedded = EMBEDDED_FORMS.map((form) => ({ ...form, cidr: cidrOf(form.prefix) }));
const globalUnicast = cidrOf('2000::/3');
const nat64WellKnown = cidrOf('64:ff9b::/96');

function cidrOf(text: string): Cidr {
  const cidr = parseCidr(text);
  if (cidr === null) throw new Error(`Malformed range in the address table: ${text}`);
  return cidr;
}

/**
 * Whether a literal address (no zone id, no brackets) is a public unicast host. Not an address:
 * false.
 */
export function isPublicAddress(ip: string): boolean {
  const bytes = parseAddress(ip);
  return bytes !== null && nonPublicReason(bytes) === null;
}

/**
 * Why the address is not public; null when it is. For logs and tests only: no response carries it.
 */
export function nonPublicReason(bytes: AddressBytes): string | null {
  for (const row of special) if (cidrContains(row.cidr, bytes)) return row.reason;
  if (bytes.length === 4) return null;
  const inner = embeddedIpv4(bytes);
  const innerReason = inner === null ? null : nonPublicReason(inner);
  if (innerReason !== null) return `carries an IPv4 address: ${innerReason}`;
  const isDialable =
    cidrContains(globalUnicast, bytes) || cidrContains(nat64WellKnown, bytes) || isMapped(bytes);
  return isDialable ? null : 'outside global unicast (RFC 4291 2.4)';
}

/**
 * The IPv4 address inside a mapped, compatible, translated, NAT64, 6to4, Teredo or ISATAP address.
 */
export function embeddedIpv4(bytes: AddressBytes): AddressBytes | null {
  if (bytes.length !== 16) return null;
  const form = embedded.find(({ cidr }) => cidrContains(cidr, bytes));
  if (form !== undefined) {
    const inner = bytes.slice(form.offset, form.offset + 4);
    return form.isInverted ? inner.map((byte) => byte ^ 0xff) : inner;
  }
  return isIsatap(bytes) ? bytes.slice(12) : null;
}

/** Interface id 0:5efe or 200:5efe (RFC 5214 6.1). */
function isIsatap(bytes: AddressBytes): boolean {
  const universal = bytes[8] === 0x00 || bytes[8] === 0x02;
  return universal && bytes[9] === 0x00 && bytes[10] === 0x5e && bytes[11] === 0xfe;
}
