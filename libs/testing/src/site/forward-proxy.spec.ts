import { connect, type Socket } from 'node:net';
import { until } from '../until.js';
import { type FixtureSite, startFixtureSite } from './fixture-site.js';
import { ForwardProxy } from './forward-proxy.js';

let site: FixtureSite;
let proxy: ForwardProxy;
const sockets: Socket[] = [];

beforeEach(async () => {
  site = await startFixtureSite();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await proxy.close();
  await site.close();
});

/** Says `text` to the proxy and reads until `until` is in the answer or the connection ends. */
async function talk(text: string, wanted: string): Promise<string> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  sockets.push(socket);
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  socket.write(text);
  await until(() => answer.includes(wanted), { what: `'${wanted}' from the proxy` });
  return answer;
}

const GET = 'GET /about HTTP/1.1\r\nHost: site\r\nConnection: close\r\n\r\n';

describe('a forward proxy', () => {
  it('tunnels, and remembers where to and how much', async () => {
    proxy = await ForwardProxy.start();
    const target = `127.0.0.1:${site.port}`;
    const head = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic eA==\r\n\r\n`;
    expect(await talk(head + GET, '</html>')).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 OK/);
    expect(proxy.tunnels).toMatchObject([{ target, authorization: 'Basic eA==' }]);
    expect(proxy.tunnels[0]?.bytesIn).toBeGreaterThan(100);
    expect(proxy.tunnels[0]?.bytesOut).toBe(GET.length);
    expect(site.requests('/about')).toMatchObject([{ remotePort: proxy.tunnels[0]?.localPort }]);
  });

  it('leads unresolvable names to the configured targets', async () => {
    proxy = await ForwardProxy.start({ reroute: () => `127.0.0.1:${site.port}` });
    await talk(`CONNECT shop.example:80 HTTP/1.1\r\n\r\n${GET}`, '</html>');
    expect(proxy.tunnels[0]?.target).toBe('shop.example:80');
  });

  it('refuses what is not a tunnel, and reports a target that does not answer', async () => {
    proxy = await ForwardProxy.start();
    expect(await talk('GET http://x/ HTTP/1.1\r\n\r\n', '405')).toContain('405');
    expect(await talk('CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n', '502')).toContain('502');
    expect(proxy.tunnels).toHaveLength(1);
  });

  it('closes with tunnels open', async () => {
    proxy = await ForwardProxy.start();
    await talk(`CONNECT 127.0.0.1:${site.port} HTTP/1.1\r\n\r\n`, '200');
    await proxy.close();
    await until(() => proxy.openTunnels === 0 && site.openSockets === 0);
  });
});
