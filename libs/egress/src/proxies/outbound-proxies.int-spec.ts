import net from 'node:net';
import { startLeakCheck, until } from '@app/testing';
import { createClient, get, type ClientFixture } from '../../test/client-fixture.js';
import { H2Server, reply } from '../../test/h2-server.js';
import { ProxyServer, type ProxyServerOptions } from '../../test/proxy-server.js';
import { RawServer, redirect, responseOf } from '../../test/raw-server.js';
import { rejection } from '../../test/rejection.js';
import type { Answers } from '../../test/scripted-resolver.js';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../../test/tls-fixture.js';
import { Dialler } from '../dialler.js';
import { BlockedUrlError } from '../egress-errors.js';
import { EgressGuard } from '../guard.js';
import { HttpFetchError } from '../http-fetch-error.js';
import { OutboundProxies, type OutboundProxiesOptions } from './outbound-proxies.js';
import { parseOutboundProxies } from './parse-outbound-proxies.js';

const text = (body: Uint8Array) => Buffer.from(body).toString();
const closers: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function startSite(body = 'page', tls = false): Promise<RawServer> {
  const site = await RawServer.start(
    (socket) => socket.write(responseOf(body)),
    tls ? { tls: { key: TEST_KEY, cert: TEST_CERT } } : {},
  );
  closers.push(() => site.close());
  return site;
}

async function startProxy(options: ProxyServerOptions = {}): Promise<ProxyServer> {
  const proxy = await ProxyServer.start(options);
  closers.push(() => proxy.close());
  return proxy;
}

/** A port on which nothing listens. */
async function deadPort(): Promise<number> {
  const proxy = await ProxyServer.start();
  const { port } = proxy;
  await proxy.close();
  return port;
}

interface Fixture extends ClientFixture {
  readonly proxies: OutboundProxies;
}

interface FixtureOptions extends OutboundProxiesOptions {
  /** @default far more than any case needs */
  readonly connectTimeoutMs?: number;
}

function fixture(
  setting: string,
  ports: readonly number[],
  { connectTimeoutMs = 60_000, ...options }: FixtureOptions = {},
  dns: Readonly<Record<string, Answers>> = {},
): Fixture {
  const proxies = new OutboundProxies(parseOutboundProxies(setting), { ca: [TEST_CA], ...options });
  const fixture = createClient(ports, { proxies, ca: [TEST_CA], connectTimeoutMs }, dns);
  closers.push(() => fixture.client.close());
  return { ...fixture, proxies };
}

const via = (proxy: ProxyServer, country = '') => `${country}http://127.0.0.1:${proxy.port}`;

describe('a request through a proxy', () => {
  it.each([
    ['http', false],
    ['https', true],
  ])('tunnels %s to the vetted address and keeps the name', async (scheme, tls) => {
    const site = await startSite('page', tls);
    const proxy = await startProxy();
    const { client, resolver } = fixture(via(proxy), [site.port]);
    const response = await client.fetch(get(`${scheme}://site.example:${site.port}/p`));
    expect(text(response.body)).toBe('page');
    expect(proxy.asked).toEqual([`127.0.0.1:${site.port}`]);
    expect(site.heads[0]).toMatch(new RegExp(`host: site.example:${site.port}`, 'i'));
    expect([response.remoteAddress, resolver.asked]).toEqual(['127.0.0.1', ['site.example']]);
    expect(site.heads[0]).not.toMatch(/proxy-/i);
  });

  it('speaks HTTP/2 through the tunnel', async () => {
    const site = await H2Server.start((stream) => reply(stream, 'two'));
    closers.push(() => site.close());
    const proxy = await startProxy();
    const { client } = fixture(via(proxy), [site.port]);
    const urls = Array.from({ length: 8 }, (_, i) => `https://site.example:${site.port}/${i}`);
    const all = await Promise.all(urls.map((url) => client.fetch(get(url))));
    expect(all.every(({ protocol }) => protocol === 'h2')).toBe(true);
    expect(proxy.asked).toHaveLength(1);
  });

  it('speaks TLS to an https proxy, and checks its certificate', async () => {
    const site = await startSite('page', true);
    const proxy = await startProxy({ tls: true });
    const url = `https://site.example:${site.port}/`;
    const setting = `https://127.0.0.1:${proxy.port}`;
    const trusted = fixture(setting, [site.port]);
    expect(text((await trusted.client.fetch(get(url))).body)).toBe('page');
    const untrusted = fixture(setting, [site.port], { ca: [] });
    const error = await rejection(untrusted.client.fetch(get(url)), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['network', 'proxy_failed']);
  });

  it('sends its credentials to the proxy only', async () => {
    const site = await startSite();
    const proxy = await startProxy({ credentials: 'us er:p@ss,w' });
    const { client } = fixture(`http://us%20er:p%40ss%2Cw@127.0.0.1:${proxy.port}`, [site.port]);
    expect((await client.fetch(get(`http://site.example:${site.port}/`))).status).toBe(200);
    expect(site.heads[0]).not.toMatch(/authorization/i);
  });

  it('reuses its tunnel, and sends redirects through the same proxy', async () => {
    const site = await RawServer.start((socket, head) =>
      socket.write(head.startsWith('GET /r') ? redirect('/to') : responseOf('end')),
    );
    closers.push(() => site.close());
    const [one, two] = [await startProxy(), await startProxy()];
    const { client } = fixture(`${via(one)},${via(two)}`, [site.port]);
    const response = await client.fetch(get(`http://site.example:${site.port}/r`));
    expect([response.redirects.length, response.reused]).toEqual([1, true]);
    expect(one.asked.length + two.asked.length).toBe(1);
  });

  it.each(['http://10.0.0.5/', 'http://localhost/', 'http://private.example/'])(
    'to %s is refused, and the proxy hears nothing of it',
    async (url) => {
      const proxy = await startProxy();
      const { client } = fixture(via(proxy), [], {}, { 'private.example': ['10.0.0.5'] });
      await rejection(client.fetch(get(url)), BlockedUrlError);
      expect(proxy.asked).toEqual([]);
    },
  );
});

describe('the choice of a proxy', () => {
  const DIRECT = ['direct'];
  it.each<[string, string | null, readonly string[]]>([
    ['DE,FR,*', 'DE', ['DE']],
    ['DE,FR,*', 'fr', ['FR']],
    ['DE,FR,*', 'US', ['*']],
    ['DE,FR,*', null, ['*']],
    ['DE', 'DE', ['DE']],
    ['DE', 'US', DIRECT],
    ['DE', null, DIRECT],
    ['*', 'DE', ['*']],
    ['', 'DE', DIRECT],
  ])('of %j for country %j', async (configured, country, expected) => {
    const site = await startSite();
    const names = configured.split(',').filter((name) => name !== '');
    const started = await Promise.all(
      names.map(async (name) => ({ name, proxy: await startProxy() })),
    );
    const setting = started
      .map(({ name, proxy }) => via(proxy, name === '*' ? '' : `${name}=`))
      .join(',');
    const { client } = fixture(setting, [site.port]);
    await client.fetch(get(`http://site.example:${site.port}/`, { country }));
    const used = started.filter(({ proxy }) => proxy.asked.length > 0).map(({ name }) => name);
    expect(used.length === 0 ? DIRECT : used).toEqual(expected);
    expect(site.connections).toBe(1);
  });

  it('rotates', async () => {
    const site = await startSite();
    const all = [await startProxy(), await startProxy(), await startProxy()];
    const { client } = fixture(all.map((proxy) => via(proxy)).join(','), [site.port]);
    for (let i = 0; i < 9; i++) await client.fetch(get(`http://site.example:${site.port}/`));
    // Each keeps its own connection; later turns reuse it.
    expect(all.map(({ asked }) => asked.length)).toEqual([1, 1, 1]);
    expect([site.connections, site.heads.length]).toEqual([3, 9]);
  });

  it('never shares a connection between countries, or with direct requests', async () => {
    const site = await startSite();
    const [german, french] = [await startProxy(), await startProxy()];
    const { client } = fixture(`${via(german, 'DE=')},${via(french, 'FR=')}`, [site.port]);
    for (const country of ['DE', 'FR', null, 'DE', 'FR', null]) {
      await client.fetch(get(`http://site.example:${site.port}/`, { country }));
    }
    expect([site.connections, german.asked.length, french.asked.length]).toEqual([3, 1, 1]);
  });
});

describe('a proxy that fails', () => {
  const SILENCE = 'silence';
  const failing: readonly (readonly [string, ProxyServerOptions])[] = [
    ['407', { credentials: 'x:y' }],
    ['502', { statusFor: () => 502 }],
    ['503', { statusFor: () => 503 }],
    ['a hang-up', { raw: '' }],
    [SILENCE, { statusFor: () => 0 }],
    ['no HTTP', { raw: 'SSH-2.0-x\r\n\r\n' }],
    ['bytes after its response', { raw: 'HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\nevil' }],
    ['an endless head', { raw: `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(4_000)}` }],
  ];

  it.each(failing)(
    'with %s fails the request, which never goes directly',
    async (name, options) => {
      const site = await startSite();
      const proxy = await startProxy(options);
      const limit = name === SILENCE ? { connectTimeoutMs: 4_000 } : {};
      const { client } = fixture(via(proxy), [site.port], limit);
      for (let i = 0; i < 2; i++) {
        const request = client.fetch(get(`http://site.example:${site.port}/`));
        const error = await rejection(request, HttpFetchError);
        expect([error.errorClass, error.code]).toEqual(['network', 'proxy_failed']);
      }
      // Resting as it is, it is asked again: there is no other.
      expect([site.connections, proxy.asked.length]).toEqual([0, 2]);
    },
  );

  it('that is dead fails the request, which never goes directly', async () => {
    const site = await startSite();
    const { client } = fixture(`http://127.0.0.1:${await deadPort()}`, [site.port]);
    const error = await rejection(
      client.fetch(get(`http://site.example:${site.port}/`)),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['network', 'proxy_failed']);
    expect(site.connections).toBe(0);
  });

  it.each(failing.slice(0, 3))('with %s is passed over and rested', async (_name, options) => {
    let now = 1_000_000;
    const site = await startSite();
    const [bad, good] = [await startProxy(options), await startProxy()];
    const { proxies, client } = fixture(`${via(bad)},${via(good)}`, [site.port], {
      now: () => now,
    });
    const fetchOnce = () => client.fetch(get(`http://site.example:${site.port}/`));
    await fetchOnce();
    expect([bad.asked.length, good.asked.length]).toEqual([1, 1]);
    for (let i = 0; i < 4; i++) await fetchOnce();
    expect(bad.asked).toHaveLength(1);
    now += 10_001;
    const keys = [1, 2].map(() => proxies.route(null)?.key);
    expect(keys.toSorted()).toEqual([via(bad), via(good)].toSorted());
  });

  it('rests twice as long each time, up to five minutes', () => {
    let now = 1_000_000;
    const proxies = new OutboundProxies(parseOutboundProxies('http://a:1,http://b:2'), {
      now: () => now,
    });
    const bad = proxies.route(null)?.proxies.find(({ label }) => label === 'http://a:1');
    const rests = Array.from({ length: 7 }, () => {
      bad?.rest();
      const start = now;
      while (bad?.isResting) now += 1_000;
      return now - start;
    });
    expect(rests).toEqual([10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1_000));
    bad?.praise();
    bad?.rest();
    expect(bad?.isResting).toBe(true);
    now += 10_000;
    expect(bad?.isResting).toBe(false);
  });

  it('is not to blame for a target that no proxy reaches', async () => {
    const all = [
      await startProxy({ statusFor: () => 502 }),
      await startProxy({ statusFor: () => 502 }),
    ];
    const { client, proxies } = fixture(all.map((proxy) => via(proxy)).join(','), [80]);
    await rejection(client.fetch(get('http://site.example/')), HttpFetchError);
    expect(all.map(({ asked }) => asked.length)).toEqual([1, 1]);
    expect(proxies.route(null)?.proxies).toHaveLength(2);
  });

  it('by silence leaves time for the next one', async () => {
    const site = await startSite();
    const [silent, good] = [await startProxy({ statusFor: () => 0 }), await startProxy()];
    // A third of it for each of the two, and a third for the rest.
    const limit = { connectTimeoutMs: 12_000 };
    const { client } = fixture(`${via(silent)},${via(good)}`, [site.port], limit);
    expect((await client.fetch(get(`http://site.example:${site.port}/`))).status).toBe(200);
    expect(silent.asked).toHaveLength(1);
  });

  it('keeps its credentials out of errors', async () => {
    const { client } = fixture(`http://user:hunter2@127.0.0.1:${await deadPort()}`, [80]);
    const error = await rejection(client.fetch(get('http://site.example/')), HttpFetchError);
    const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
    expect(shown).not.toMatch(/hunter2|user:|dXNlcjpodW50ZXIy/);
  });
});

describe('a proxy that resolves names', () => {
  it('receives the name', async () => {
    const site = await startSite();
    const proxy = await startProxy({ leadTo: site.port });
    const { client } = fixture(via(proxy), [], { resolvesNames: true });
    const response = await client.fetch(get('http://only-there.example.com/'));
    expect(proxy.asked).toEqual(['only-there.example.com:80']);
    expect(response.remoteAddress).toBe('only-there.example.com');
  });

  it.each([
    ['a literal private address', 'http://10.0.0.5/'],
    ['metadata', 'http://169.254.169.254/'],
    ['a private name', 'http://intranet/'],
    ['a name that is private as seen from here', 'http://private.example/'],
    ['a bad port', 'http://only-there.example:25/'],
    ['a private name on a port that a rule opens', 'http://db.internal:8080/'],
  ])('does not receive %s', async (_name, url) => {
    const proxy = await startProxy();
    const options = { resolvesNames: true };
    const { client } = fixture(via(proxy), [8080], options, { 'private.example': ['10.0.0.5'] });
    await rejection(client.fetch(get(url)), BlockedUrlError);
    expect(proxy.asked).toEqual([]);
  });
});

describe('the self-test', () => {
  it('reports for each proxy whether it responds', async () => {
    const good = await startProxy({ statusFor: () => 502 });
    const locked = await startProxy({ credentials: 'x:y' });
    const odd = await startProxy({ raw: 'SSH-2.0-x\r\n\r\n' });
    const dead = await deadPort();
    const ports = [good.port, locked.port, odd.port, dead];
    const setting = ports.map((port) => `DE=http://u:hunter2@127.0.0.1:${port}`).join(',');
    const results = await new OutboundProxies(parseOutboundProxies(setting)).selfTest(
      AbortSignal.timeout(60_000),
    );
    expect(results).toEqual([
      { label: `DE=http://127.0.0.1:${good.port}`, ok: true, problem: null },
      expect.objectContaining({ ok: false, problem: expect.stringContaining('407') }),
      expect.objectContaining({ ok: false, problem: expect.stringContaining('invalid_http') }),
      expect.objectContaining({ ok: false, problem: expect.stringContaining('ECONNREFUSED') }),
    ]);
    expect(JSON.stringify(results)).not.toContain('hunter2');
  });

  it('ends with its signal', async () => {
    const silent = await startProxy({ statusFor: () => 0 });
    const proxies = new OutboundProxies(parseOutboundProxies(via(silent)));
    const [result] = await proxies.selfTest(AbortSignal.timeout(100));
    expect(result).toMatchObject({ ok: false, problem: 'no answer in time' });
  });
});

describe('the dialler', () => {
  it('opens nothing for a target that is refused', async () => {
    const leaks = startLeakCheck();
    const site = await startSite();
    const proxy = await startProxy();
    const guard = new EgressGuard({ resolver: { resolve: async () => ['93.184.216.34'] } });
    const proxies = new OutboundProxies(parseOutboundProxies(via(proxy)));
    const dialler = new Dialler({ guard, proxies });
    const signal = new AbortController().signal;
    await rejection(
      dialler.connect(new URL(`http://127.0.0.1:${site.port}/`), signal, null),
      BlockedUrlError,
    );
    expect([proxy.asked.length, site.connections]).toEqual([0, 0]);
    await proxy.close();
    await site.close();
    closers.length = 0;
    await leaks.assertClean();
  });

  it.each([null, 'DE'])('writes and reads through the tunnel (country %p)', async (country) => {
    const echo = net.createServer((socket) => socket.pipe(socket));
    await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
    const address = echo.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const proxy = await startProxy({ leadTo: port });
    const guard = new EgressGuard({ resolver: { resolve: async () => ['93.184.216.34'] } });
    const proxies = new OutboundProxies(parseOutboundProxies(via(proxy)));
    const dialler = new Dialler({ guard, proxies, connectTimeoutMs: 60_000 });
    const { socket, remoteAddress } = await dialler.connect(
      new URL('https://site.example/'),
      new AbortController().signal,
      country,
    );
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
    socket.write('ping');
    await until(() => heard === 'ping');
    expect([proxy.asked, remoteAddress]).toEqual([['93.184.216.34:443'], '93.184.216.34']);
    socket.destroy();
    await proxy.close();
    closers.length = 0;
    await new Promise<void>((resolve) => echo.close(() => resolve()));
  });
});
