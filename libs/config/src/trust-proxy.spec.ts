import { parseTrustProxy, type TrustedProxies } from './trust-proxy.js';

describe('TRUST_PROXY', () => {
  it.each<[string, TrustedProxies]>([
    ['', { kind: 'none' }],
    [' ', { kind: 'none' }],
    ['0', { kind: 'none' }],
    ['1', { kind: 'hops', hops: 1 }],
    ['10', { kind: 'hops', hops: 10 }],
    ['10.0.0.1', { kind: 'addresses', addresses: ['10.0.0.1'] }],
    ['10.0.0.0/8, fd00::/8', { kind: 'addresses', addresses: ['10.0.0.0/8', 'fd00::/8'] }],
    ['::1/128', { kind: 'addresses', addresses: ['::1/128'] }],
  ])('reads %j', (text, trusted) => {
    expect(parseTrustProxy(text)).toEqual(trusted);
  });

  it.each([
    '11',
    '-1',
    'true',
    'loopback',
    '10.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0',
    'fe80::1%eth0',
    '10.0.0.1,',
    '10.0.0.1 10.0.0.2',
    'proxy.example',
  ])('refuses %j with the rule', (text) => {
    expect(() => parseTrustProxy(text)).toThrow(/must be the addresses of your proxies/);
  });
});
