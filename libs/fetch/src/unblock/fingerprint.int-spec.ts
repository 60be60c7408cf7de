import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { Dialler, FilteringProxy } from '@app/egress';
import { startLeakCheck, type LeakCheck } from '@app/testing';
import { TEST_CERT, TEST_KEY } from '../../../egress/test/tls-fixture.js';
import { isGrease, readClientHello, type ClientHello } from '../../test/client-hello.js';
import { fetchRequest, loopbackGuard } from '../../test/fetch-request.js';
import { PATIENT } from '../../test/impersonation-bench.js';
import {
  loadImpersonation,
  type ImpersonatedClient,
  type ImpersonatedClientOptions,
  type ImpersonationModule,
} from './client-pool.js';
import { createImpersonatingProvider } from './impersonating.provider.js';

/**
 * The native client without certificate checks: the test's authority cannot be made known to it.
 */
function trustingModule(): ImpersonationModule {
  const { Impit } = loadImpersonation();
  class Trusting extends Impit {
    constructor(options: ImpersonatedClientOptions) {
      super({ ...options, ignoreTlsErrors: true } as ImpersonatedClientOptions);
    }
  }
  return { Impit: Trusting };
}

async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function withProvider<T>(
  port: number,
  load: () => ImpersonationModule,
  work: (provider: NonNullable<ReturnType<typeof createImpersonatingProvider>>) => Promise<T>,
): Promise<T> {
  const { guard } = loopbackGuard([port], ['site.example']);
  const dialler = new Dialler({ guard, connectTimeoutMs: 60_000 });
  const proxy = new FilteringProxy({ guard, dialler, limits: PATIENT });
  await proxy.start();
  const provider = createImpersonatingProvider({ guard, proxyPorts: proxy, load });
  if (provider === null) throw new Error('no native client on this platform');
  try {
    return await work(provider);
  } finally {
    await provider.close();
    await proxy.close();
  }
}

/** The first ClientHello that a connection brings. */
async function helloOf(connect: (port: number) => Promise<unknown>): Promise<ClientHello> {
  let read: (hello: ClientHello) => void = () => undefined;
  const hello = new Promise<ClientHello>((resolve) => (read = resolve));
  const server = net.createServer((socket) => {
    let got = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      got = Buffer.concat([got, chunk]);
      if (got.length < 5 || got.length < 5 + got.readUInt16BE(3)) return;
      read(readClientHello(got));
      socket.destroy();
    });
  });
  const port = await listen(server);
  await connect(port);
  await new Promise((resolve) => server.close(resolve));
  return hello;
}

interface SeenByH2 {
  readonly order: readonly string[];
  readonly headers: http2.IncomingHttpHeaders;
  readonly settings: http2.Settings;
}

async function startH2(): Promise<{ port: number; seen: SeenByH2[]; close(): Promise<void> }> {
  const seen: SeenByH2[] = [];
  const sessions = new Set<http2.ServerHttp2Session>();
  const server = http2.createSecureServer({ key: TEST_KEY, cert: TEST_CERT });
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, headers) => {
    const settings = stream.session?.remoteSettings ?? {};
    seen.push({ order: Object.keys(headers), headers, settings });
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.end('<p>over h2</p>');
  });
  const port = await listen(server);
  const close = () => {
    for (const session of sessions) session.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return { port, seen, close };
}

describe('the fingerprint of the impersonating client', () => {
  let leaks: LeakCheck;
  beforeEach(() => (leaks = startLeakCheck()));
  afterEach(() => leaks.assertClean());

  it("is a TLS hello unlike Node's: Chrome's ciphers, GREASE and extensions, h2 first", async () => {
    const chrome = await helloOf((port) =>
      withProvider(port, loadImpersonation, (provider) =>
        provider.fetch(fetchRequest(`https://site.example:${port}/`)),
      ),
    );
    const node = await helloOf(
      (port) =>
        new Promise((resolve) => {
          const socket = tls.connect({ port, host: '127.0.0.1', servername: 'site.example' });
          socket.once('error', resolve);
          socket.once('close', resolve);
        }),
    );
    expect(chrome.serverName).toBe('site.example');
    expect(chrome.alpn).toEqual(['h2', 'http/1.1']);
    expect(chrome.ciphers.filter(isGrease)).toHaveLength(1);
    // Chrome: three of TLS 1.3, AES-128 first, then twelve of 1.2.
    expect(chrome.ciphers.filter((code) => !isGrease(code)).slice(0, 3)).toEqual([
      0x1301, 0x1302, 0x1303,
    ]);
    expect(chrome.ciphers).toHaveLength(16);
    // Compressed certificates (27) and application settings (17613): Chrome only.
    expect(chrome.extensions).toEqual(expect.arrayContaining([27, 17613]));
    expect(node.ciphers.some(isGrease)).toBe(false);
    expect(node.extensions.some(isGrease)).toBe(false);
    expect(node.extensions).not.toContain(27);
    expect(node.ciphers).not.toEqual(chrome.ciphers);
  });

  it('is HTTP/2 with the headers of one browser, in its order, cookies and all', async () => {
    const site = await startH2();
    await withProvider(site.port, trustingModule, async (provider) => {
      const options = { cookies: 'a=1', country: 'DE', headers: { 'x-own': 'two' } };
      const request = fetchRequest(`https://site.example:${site.port}/`, { options });
      expect(await provider.fetch(request)).toMatchObject({ ok: true, page: { statusCode: 200 } });
    });
    expect(site.seen[0]?.order).toEqual([
      ':method',
      ':authority',
      ':scheme',
      ':path',
      'sec-ch-ua',
      'sec-ch-ua-mobile',
      'sec-ch-ua-platform',
      'upgrade-insecure-requests',
      'user-agent',
      'accept',
      'sec-fetch-site',
      'sec-fetch-mode',
      'sec-fetch-user',
      'sec-fetch-dest',
      'accept-encoding',
      'accept-language',
      'cookie',
      'priority',
      'x-own',
    ]);
    // Chrome's own window, not Node's of 65,535.
    expect(site.seen[0]?.settings).toMatchObject({
      initialWindowSize: 6_291_456,
      enablePush: false,
    });
    await site.close();
  });

  it('agrees with the request of the native client', async () => {
    const site = await startH2();
    const url = `https://127.0.0.1:${site.port}/`;
    const { Impit } = trustingModule();
    const options = { browser: 'chrome151', followRedirects: false, http3: false } as const;
    const bare: ImpersonatedClient = new Impit(options as unknown as ImpersonatedClientOptions);
    const signal = new AbortController().signal;
    const { body } = await bare.fetch(url, { headers: [], signal, timeout: 60_000 });
    await body.cancel();
    await withProvider(site.port, trustingModule, (provider) => provider.fetch(fetchRequest(url)));
    const [own, ours] = site.seen;
    expect(ours?.order).toEqual(own?.order);
    // The language alone is ours to say.
    const language = { 'accept-language': '' };
    expect({ ...ours?.headers, ...language }).toEqual({ ...own?.headers, ...language });
    await site.close();
  });

  it('and a certificate of an unknown authority is refused', async () => {
    const site = await startH2();
    await withProvider(site.port, loadImpersonation, async (provider) => {
      const result = await provider.fetch(fetchRequest(`https://site.example:${site.port}/`));
      expect(result).toMatchObject({
        ok: false,
        failure: { errorClass: 'network', problem: expect.stringContaining('certificate') },
      });
    });
    expect(site.seen).toHaveLength(0);
    await site.close();
  });
});
