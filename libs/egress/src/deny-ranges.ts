import { embeddedIpv4 } from './address-table.js';
import { type AddressBytes, type Cidr, cidrContains, isMapped, parseCidr } from './ip-address.js';

/**
 * Reads the EGRESS_DENY setting: comma-separated address ranges, e.g. `198.51.100.0/24,2001:db8::/32`.
 * @throws Error naming the bad entry
 */
export function parseEgressDeny(text: string): Cidr[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map(parseRange);
}

function parseRange(entry: string): Cidr {
  const cidr = parseCidr(entry);
  if (cidr === null || isMapped(cidr.bytes)) {
    throw new Error(
      `Bad EGRESS_DENY entry "${entry}": expected a range of IPv4 or IPv6 addresses without bits set past its ` +
        'prefix, e.g. 198.51.100.0/24 or 2001:db8::/32',
    );
  }
  return cidr;
}

/** Whether a range holds the address, or the IPv4 address that it carries. */
export function isInRanges(ranges: readonly Cidr[], bytes: AddressBytes): boolean {
  const inner = embeddedIpv4(bytes);
  return ranges.some(
    (range) => cidrContains(range, bytes) || (inner !== null && cidrContains(range, inner)),
  );
}
