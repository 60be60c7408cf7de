import fc from 'fast-check';
import {
  type AllowPrivateRule,
  isAllowedPrivate,
  isNamedHost,
  parseAllowPrivate,
} from './allow-private.js';
import { parseAddress } from './ip-address.js';

const isOpened = (rules: readonly AllowPrivateRule[], ip: string, port: number) => {
  const bytes = parseAddress(ip);
  return bytes !== null && isAllowedPrivate(rules, bytes, port);
};

const OPEN_ALL = parseAllowPrivate('0.0.0.0/0:1-65535,[::]/0:1-65535');

describe('FETCH_ALLOW_PRIVATE', () => {
  it('reads IPv4, IPv6 and port ranges', () => {
    const rules = parseAllowPrivate(' 127.0.0.1/32:8080 , [fd00:1::]/64:9000-9010,');
    expect(rules.map(({ text, lowPort, highPort }) => [text, lowPort, highPort])).toEqual([
      ['127.0.0.1/32:8080', 8080, 8080],
      ['[fd00:1::]/64:9000-9010', 9000, 9010],
    ]);
  });

  it('reads names as URLs spell them', () => {
    const rules = parseAllowPrivate(
      'Wiki.Internal:443,bücher.example:80-90,localhost.:8080,wiki:80',
    );
    const named = (host: string, port: number) => isNamedHost(rules, host, port);
    expect([
      named('wiki.internal', 443),
      named('wiki.internal.', 443),
      named('xn--bcher-kva.example', 85),
      named('localhost', 8080),
      named('wiki', 80),
    ]).toEqual([true, true, true, true, true]);
    expect([
      named('wiki.internal', 80),
      named('a.wiki.internal', 443),
      named('internal', 443),
      named('10.0.0.1', 443),
    ]).toEqual([false, false, false, false]);
  });

  it('is no exception when empty', () => {
    expect(parseAllowPrivate('')).toEqual([]);
  });

  it.each([
    '127.0.0.1:8080',
    '127.0.0.1/32',
    '127.0.0.1/33:80',
    '::1/128:80',
    '[::1]/129:80',
    '10.0.0.1/8:80',
    '127.0.0.1/32:0',
    '127.0.0.1/32:65536',
    '127.0.0.1/32:90-80',
    '127.1/32:80',
    '127.1:80',
    'wiki.internal',
    'wiki internal:80',
    'user@wiki.internal:80',
    'http://wiki.internal:80',
    'wiki..internal:80',
    'wiki.internal:0',
    'wiki.internal:90-80',
    'metadata.google.internal:80',
    'x.onion:80',
    '*.internal:80',
  ])('stops at %s and names it', (entry) => {
    expect(() => parseAllowPrivate(`10.0.0.0/8:80,${entry}`)).toThrow(
      `FETCH_ALLOW_PRIVATE entry "${entry}"`,
    );
  });

  it.each([
    ['127.0.0.1', 8080, true],
    ['::ffff:127.0.0.1', 8080, true],
    ['127.0.0.1', 8081, false],
    ['127.0.0.2', 8080, false],
    ['fd00:1::5', 9005, true],
    ['fd00:2::5', 9005, false],
    ['fd00:1::5', 9011, false],
    ['::1', 7000, true],
  ])('decides for %s port %i: %s', (ip, port, isOpen) => {
    const rules = parseAllowPrivate('127.0.0.1/32:8080,[fd00:1::]/64:9000-9010,[::1]/128:7000');
    expect(isOpened(rules, ip, port)).toBe(isOpen);
  });

  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:c1::a9fe:a9fe',
    'fe80::1',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::ffff:0:100.100.100.200',
    '0.0.0.0',
    '::',
    '224.0.0.1',
  ])('never opens %s, whatever the rule', (ip) => {
    expect(isOpened(OPEN_ALL, ip, 80)).toBe(false);
  });

  it('opens nothing that its range does not hold', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.integer({ min: 1, max: 65_535 }), (ip, port) => {
        const rules = parseAllowPrivate('10.1.2.0/24:8000-8999');
        const isInside = ip.startsWith('10.1.2.') && port >= 8000 && port <= 8999;
        expect(isOpened(rules, ip, port)).toBe(isInside);
      }),
    );
  });
});
