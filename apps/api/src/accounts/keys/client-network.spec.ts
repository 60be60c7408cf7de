import fastify from 'fastify';
import { trustProxyOf } from '../auth/trusted-proxies.js';
import { networkAround, networkOf } from './client-network.js';

describe('the network of a client', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7/32'],
    ['::ffff:192.0.2.7', '192.0.2.7/32'],
    ['::ffff:c000:207', '192.0.2.7/32'],
    ['192.0.2.7:51234', '192.0.2.7/32'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  it.each(['', 'unknown', '192.0.2', '192.0.2.7, 192.0.2.8', '[::1', 'localhost'])(
    'is none of %j',
    (text) => {
      expect(networkOf(text)).toBeNull();
    },
  );
});

describe('the network around a client', () => {
  it.each([
    ['192.0.2.7/32', '192.0.2.0/24'],
    ['192.0.2.255/32', '192.0.2.0/24'],
    ['2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['0:0:0:0::/64', '0:0:0::/48'],
  ])('%s is %s', (network, around) => {
    expect(networkAround(network)).toBe(around);
  });
});

describe('the address of a client', () => {
  const SOCKET = '10.0.0.9';
  const ipOf = async (setting: string, forwarded?: string, socket = SOCKET): Promise<string> => {
    const server = fastify({ trustProxy: trustProxyOf(setting) });
    server.get('/', async ({ ip }) => ip);
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    const { payload } = await server.inject({ url: '/', remoteAddress: socket, headers });
    await server.close();
    return payload;
  };

  it.each<[string, string, string | undefined, string]>([
    ['no proxy is trusted', '', '192.0.2.1', SOCKET],
    ['the peer is not a trusted proxy', '10.1.0.0/16', '192.0.2.1', SOCKET],
    ['the peer is a proxy', '10.0.0.0/24', '192.0.2.1', '192.0.2.1'],
    ['the client added addresses itself', '10.0.0.0/24', '8.8.8.8, 192.0.2.1', '192.0.2.1'],
    ['two proxies are trusted', '10.0.0.0/24', '8.8.8.8, 192.0.2.1, 10.0.0.3', '192.0.2.1'],
    ['the proxy forwards nothing', '10.0.0.0/24', undefined, SOCKET],
    ['one hop counts', '1', '8.8.8.8, 192.0.2.1', '192.0.2.1'],
    ['two hops count', '2', '8.8.8.8, 192.0.2.1, 192.0.2.9', '192.0.2.1'],
    ['there are fewer proxies than hops', '3', '192.0.2.1', '192.0.2.1'],
  ])('when %s', async (_, setting, forwarded, ip) => {
    expect(await ipOf(setting, forwarded)).toBe(ip);
  });

  it('knows a proxy of a socket of both families', async () => {
    expect(await ipOf('10.0.0.0/24', '192.0.2.1', `::ffff:${SOCKET}`)).toBe('192.0.2.1');
  });
});
