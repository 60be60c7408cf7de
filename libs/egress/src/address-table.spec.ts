import fc from 'fast-check';
import { isPublicAddress, nonPublicReason, SPECIAL_RANGES } from './address-table.js';
import {
  type AddressBytes,
  canonicalAddress,
  formatAddress,
  parseAddress,
  parseCidr,
} from './ip-address.js';

function bytesOf(text: string): AddressBytes {
  const bytes = parseAddress(text);
  if (bytes === null) throw new Error(`no address: ${text}`);
  return bytes;
}

function lastOf(range: string): string {
  const cidr = parseCidr(range);
  if (cidr === null) throw new Error(`no range: ${range}`);
  const bytes = cidr.bytes.slice();
  for (let bit = cidr.prefixBits; bit < bytes.length * 8; bit++) {
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (7 - (bit & 7)));
  }
  return formatAddress(bytes);
}

describe('the address table', () => {
  it.each(SPECIAL_RANGES.map(({ range, reason }) => [range, reason] as const))(
    'refuses both ends of %s: %s',
    (range, reason) => {
      const firstAddress = range.slice(0, range.indexOf('/'));
      expect(isPublicAddress(firstAddress)).toBe(false);
      expect(isPublicAddress(lastOf(range))).toBe(false);
      expect(nonPublicReason(bytesOf(lastOf(range)))).toBe(reason);
    },
  );

  it.each([
    ['1.0.0.0', '0.0.0.0/8'],
    ['9.255.255.255', '10.0.0.0/8'],
    ['11.0.0.0', '10.0.0.0/8'],
    ['100.63.255.255', '100.64.0.0/10'],
    ['100.128.0.0', '100.64.0.0/10'],
    ['126.255.255.255', '127.0.0.0/8'],
    ['128.0.0.0', '127.0.0.0/8'],
    ['168.63.129.15', '168.63.129.16/32'],
    ['168.63.129.17', '168.63.129.16/32'],
    ['169.253.255.255', '169.254.0.0/16'],
    ['169.255.0.0', '169.254.0.0/16'],
    ['172.15.255.255', '172.16.0.0/12'],
    ['172.32.0.0', '172.16.0.0/12'],
    ['191.255.255.255', '192.0.0.0/24'],
    ['192.0.1.0', '192.0.0.0/24'],
    ['192.0.3.0', '192.0.2.0/24'],
    ['192.88.98.255', '192.88.99.0/24'],
    ['192.167.255.255', '192.168.0.0/16'],
    ['192.169.0.0', '192.168.0.0/16'],
    ['198.17.255.255', '198.18.0.0/15'],
    ['198.20.0.0', '198.18.0.0/15'],
    ['198.51.99.255', '198.51.100.0/24'],
    ['203.0.114.0', '203.0.113.0/24'],
    ['223.255.255.255', '224.0.0.0/4'],
    ['2001:200::', '2001::/23'],
    ['2001:db7:ffff::1', '2001:db8::/32'],
    ['2001:db9::', '2001:db8::/32'],
    ['3ffe:ffff::1', '3fff::/20'],
    ['3fff:1000::', '3fff::/20'],
    ['2606:4700:4700::1111', 'anything special'],
    ['2000::', 'the space below global unicast'],
  ])('allows %s, just outside %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  /** From the RFCs, and not from our table. */
  it.each([
    ...['0.255.255.255', '10.255.255.255', '100.127.255.255', '127.255.255.255', '169.254.255.255'],
    ...['172.16.0.0', '172.31.255.255', '192.168.255.255', '198.19.255.255', '255.255.255.255'],
    ...['fc00::', 'fdff:ffff::1', 'fe80::1', 'febf::1', 'ff02::1', '::1', '::'],
  ])('refuses %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([
    ['::ffff:127.0.0.1', 'mapped'],
    ['::ffff:a9fe:a9fe', 'mapped'],
    ['::127.0.0.1', 'compatible'],
    ['::8.8.8.8', 'compatible, even around a public address'],
    ['::ffff:0:127.0.0.1', 'SIIT'],
    ['64:ff9b::169.254.169.254', 'NAT64, well-known prefix'],
    ['64:ff9b:1::10.0.0.1', 'NAT64, local prefix'],
    ['64:ff9b:1::8.8.8.8', 'NAT64, local prefix around a public address'],
    ['2002:7f00:1::', '6to4'],
    ['2002:a9fe:a9fe::1', '6to4'],
    ['2001:0:4136:e378:8000:63bf:80ff:fffe', 'Teredo of 127.0.0.1'],
    ['2606:4700::5efe:10.0.0.1', 'ISATAP'],
    ['2606:4700::200:5efe:10.0.0.1', 'ISATAP, universal bit'],
    ['2002:0a00:0001::5efe:8.8.8.8', '6to4 outside, ISATAP inside'],
  ])('refuses %s (%s)', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['::ffff:8.8.8.8', '64:ff9b::8.8.8.8', '2002:808:808::1', '2606:4700::5efe:8.8.8.8'])(
    'judges %s by the public address inside',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    '',
    'localhost',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    'fe80::1%2',
    '[2606::1]',
    '1.2.3.4 ',
  ])('does not take %p for an address', (text) => {
    expect(parseAddress(text)).toBeNull();
    expect(isPublicAddress(text)).toBe(false);
  });

  it('refuses every IPv6 form around every refused IPv4 address', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 4, maxLength: 4 }), (inner) => {
        const text = inner.join('.');
        fc.pre(nonPublicReason(inner) !== null);
        const hex = Buffer.from(inner)
          .toString('hex')
          .replace(/(....)(....)/, '$1:$2');
        const forms = [
          `::ffff:${text}`,
          `64:ff9b::${text}`,
          `2002:${hex}::1`,
          `2606:4700::5efe:${text}`,
        ];
        for (const form of forms) expect(isPublicAddress(form)).toBe(false);
      }),
    );
  });

  it('reads back every address it writes', () => {
    const address = fc.oneof(
      fc.uint8Array({ minLength: 4, maxLength: 4 }),
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
    );
    fc.assert(
      fc.property(address, (bytes) => {
        expect(bytesOf(formatAddress(bytes))).toEqual(bytes);
      }),
    );
  });

  it('agrees with the URL parser on every IPv6 text', () => {
    fc.assert(
      fc.property(fc.ipV6(), (text) => {
        const host = new URL(`http://[${text}]/`).hostname.slice(1, -1);
        expect(parseAddress(host)).toEqual(parseAddress(text));
      }),
    );
  });

  it('has one spelling for mapped and plain IPv4', () => {
    expect(canonicalAddress('::ffff:104.20.23.154')).toBe('104.20.23.154');
    expect(canonicalAddress('::FFFF:6814:179a')).toBe('104.20.23.154');
    expect(canonicalAddress('fe80::1%eth0')).toBeNull();
  });
});
