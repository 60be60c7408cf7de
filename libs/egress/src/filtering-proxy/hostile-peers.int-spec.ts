import type net from 'node:net';
import { until } from '@app/testing';
import { connect, rawExchange, proxyGet, RawClient, startProxy } from '../../test/proxy-fixture.js';
import type { ProxyFixture, ProxyFixtureOptions } from '../../test/proxy-fixture.js';
import { RawServer, responseOf } from '../../test/raw-server.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function siteOf(...script: Parameters<typeof RawServer.start>): Promise<RawServer> {
  const site = await RawServer.start(...script);
  cleanups.push(() => site.close());
  return site;
}

async function proxyOf(options: ProxyFixtureOptions): Promise<ProxyFixture> {
  const fixture = await startProxy(options);
  cleanups.push(() => fixture.proxy.close());
  return fixture;
}

const page = responseOf('a page');

describe('a hostile client', () => {
  const SERVED = / 200 [^]*a page$/;

  function next({ session }: ProxyFixture, site: RawServer): Promise<string> {
    return rawExchange(session.url, proxyGet(`http://site.example:${site.port}/`));
  }

  /** Whatever it did, the next one is served. */
  async function expectServing(fixture: ProxyFixture, site: RawServer): Promise<void> {
    expect(await next(fixture, site)).toMatch(SERVED);
  }

  it.each([
    ['that never ends its head', 'GET http://site.example/ HTTP/1.1\r\nHost: x\r\nA: b\r\n'],
    ['that sends nothing', ''],
  ])('%s is cut off', async (_what, text) => {
    const site = await siteOf((socket) => socket.write(page));
    const fixture = await proxyOf({ open: [site.port], limits: { requestHeadTimeoutMs: 100 } });
    const client = new RawClient(fixture.session.url).send(text);
    await client.over();
    expect(client.received).toMatch(/^(HTTP\/1\.1 408 |$)/);
    // A busy machine may be too late for that limit, too.
    await until(async () => SERVED.test(await next(fixture, site)), { what: 'the next one' });
  });

  it.each([
    ['a head without bound', `GET http://site.example/ HTTP/1.1\r\nA: ${'x'.repeat(70_000)}`, 431],
    ['a target without bound', `GET http://site.example/${'x'.repeat(70_000)}`, 431],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a line break in its target', 'CONNECT site.example\n:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a NUL in its target', 'GET http://site.example/\0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no Host', 'GET http://site.example/ HTTP/1.1\r\n\r\n', 400],
    ['another version', 'GET http://site.example/ HTTP/3.0\r\nHost: x\r\n\r\n', 400],
    [
      'two lengths',
      'POST http://site.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
      400,
    ],
    [
      'a length beside chunks',
      'POST http://site.example/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'an unknown encoding',
      'POST http://site.example/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n',
      400,
    ],
    [
      'a folded header',
      'POST http://site.example/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n chunked\r\nContent-Length: 1\r\n\r\na',
      400,
    ],
  ])('with %s gets no further', async (_what, text, status) => {
    const site = await siteOf((socket) => socket.write(page));
    const fixture = await proxyOf({
      open: [site.port, 80],
      dns: { 'site.example': ['127.0.0.1'] },
    });
    const received = await rawExchange(fixture.session.url, text);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(fixture.session.usage.requests).toBe(0);
    await expectServing(fixture, site);
  });

  it('with a request inside a chunk smuggles none', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    const text = await rawExchange(
      session.url,
      `POST ${url} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `2\r\nabGET http://127.0.0.1/ HTTP/1.1\r\n\r\n0\r\n\r\n`,
    );
    expect(text).toMatch(/^(HTTP\/1\.1 400 |$)/);
    expect(site.heads.join('')).not.toContain('127.0.0.1');
  });

  it('that asks on before its response is cut off', async () => {
    const site = await siteOf(() => undefined);
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    const first = `GET ${url} HTTP/1.1\r\nHost: x\r\n\r\n`;
    for (const next of [first, connect(`site.example:${site.port}`)]) {
      expect(await rawExchange(session.url, first + next)).toBe('');
    }
    expect(session.usage.requests).toBe(2);
    await until(() => site.sockets.size === 0);
  });

  it('that speaks on after a refused CONNECT is not heard', async () => {
    const fixture = await proxyOf({});
    const text = connect('127.0.0.1:80') + proxyGet('http://127.0.0.1/');
    expect(await rawExchange(fixture.session.url, text)).toMatch(/^HTTP\/1\.1 403 [^]*blocked\n$/);
    expect(fixture.session.usage.requests).toBe(1);
  });

  it('that disconnects ends its request', async () => {
    const site = await siteOf(() => undefined);
    const { session } = await proxyOf({ open: [site.port] });
    const client = new RawClient(session.url).send(proxyGet(`http://site.example:${site.port}/`));
    await until(() => site.heads.length === 1);
    client.destroy();
    await until(() => site.sockets.size === 0);
    expect(session.lastRefusal).toBeNull();
  });

  it.each(['through a tunnel', 'of a request'])(
    'that does not read %s holds the site back instead of filling memory',
    async (way) => {
      let written = 0;
      const site = await siteOf((socket) => {
        if (way === 'of a request') socket.write('HTTP/1.1 200 OK\r\n\r\n');
        flood(socket, (bytes) => (written += bytes));
      });
      const { session } = await proxyOf({ open: [site.port] });
      const client = new RawClient(session.url);
      client.pause();
      if (way === 'of a request') client.send(proxyGet(`http://site.example:${site.port}/`));
      else client.send(connect(`site.example:${site.port}`) + 'GET / HTTP/1.1\r\n\r\n');
      await settled(() => written);
      // What the kernel's buffers on the way hold, and no more.
      expect(session.usage.bytesIn).toBeLessThan(32e6);
      client.destroy();
      await until(() => site.sockets.size === 0);
    },
  );

  it('that leaves its half open after the site is done is ended', async () => {
    const site = await siteOf((socket) => socket.end('bye'));
    const { session } = await proxyOf({ open: [site.port] });
    const client = new RawClient(session.url);
    client.send(connect(`site.example:${site.port}`) + 'GET / HTTP/1.1\r\n\r\n');
    await client.receives(/bye$/);
    await until(() => site.sockets.size === 0);
    client.destroy();
  });
});

/** Writes as long as the other side takes it. */
function flood(socket: net.Socket, onWritten: (bytes: number) => void): void {
  const chunk = Buffer.alloc(65_536, 'x');
  const more = () => {
    if (socket.destroyed) return;
    socket.write(chunk, () => {
      onWritten(chunk.length);
      more();
    });
  };
  more();
}

/** Resolves once the value has stopped growing. */
async function settled(value: () => number): Promise<void> {
  let last = -1;
  await until(
    () => {
      const isSame = value() > 0 && value() === last;
      last = value();
      return isSame;
    },
    { intervalMs: 200 },
  );
}

describe('a hostile site', () => {
  const limits = { idleTimeoutMs: 20_000, maxHeaderBytes: 16_384 };
  /** For those that are waited for in vain. */
  const brief = { responseHeadTimeoutMs: 300, idleTimeoutMs: 300 };

  async function receivedFrom(
    script: (socket: net.Socket) => void,
    own: Pick<ProxyFixtureOptions, 'limits' | 'session'> = {},
  ): Promise<string> {
    const site = await siteOf((socket) => script(socket));
    const fixture = await proxyOf({
      ...own,
      open: [site.port],
      limits: { ...limits, ...own.limits },
    });
    const text = await rawExchange(
      fixture.session.url,
      proxyGet(`http://site.example:${site.port}/`),
    );
    await until(() => site.sockets.size === 0);
    return text;
  }

  it.each<[string, (socket: net.Socket) => void]>([
    ['says nothing', () => undefined],
    ['never ends its head', drip],
  ])('that %s', async (_what, script) => {
    expect(await receivedFrom(script, { limits: brief })).toMatch(/^HTTP\/1\.1 504 [^]*timeout/);
  });

  it.each<[string, (socket: net.Socket) => void, RegExp]>([
    ['that resets', (socket) => socket.resetAndDestroy(), /^HTTP\/1\.1 502 [^]*network/],
    ['that closes without a word', (socket) => socket.end(), /^HTTP\/1\.1 502 [^]*network/],
    ['with no HTTP', (socket) => socket.end('220 mail ESMTP\r\n'), /^HTTP\/1\.1 502 /],
    [
      'with a head without bound',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nA: ${'x'.repeat(40_000)}`),
      /^HTTP\/1\.1 502 /,
    ],
    [
      'that only ever says "wait"',
      (socket) => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)),
      /^HTTP\/1\.1 502 /,
    ],
    [
      'that switches protocols unasked',
      (socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
        ),
      /^HTTP\/1\.1 502 /,
    ],
    [
      'with a length beside chunks',
      (socket) =>
        socket.write(
          'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
        ),
      /^HTTP\/1\.1 502 /,
    ],
    [
      'with a line feed in a header',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nA: b\rSet-Cookie: c=d\r\n\r\n'),
      /^HTTP\/1\.1 502 /,
    ],
    ['with status 99', (socket) => socket.write('HTTP/1.1 099 X\r\n\r\n'), /^HTTP\/1\.1 502 /],
  ])('%s', async (_what, script, wanted) => {
    expect(await receivedFrom(script)).toMatch(wanted);
  });

  it.each<[string, (socket: net.Socket) => void, ProxyFixtureOptions['limits']]>([
    [
      'chunks that are none',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'),
      {},
    ],
    [
      'an end before its length',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      {},
    ],
    [
      'an end inside a chunk',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nhalf'),
      {},
    ],
    [
      'a body that stops moving',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'),
      // It must have begun within one of them, and ends after both.
      { idleTimeoutMs: 2_000, responseHeadTimeoutMs: 2_000 },
    ],
  ])('with %s: the client cannot take the beginning for the whole', async (_what, script, own) => {
    const text = await receivedFrom(script, { limits: own });
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(text).not.toContain('x-trawl-refused');
  });

  it('with an endless body is stopped by the budget', async () => {
    const text = await receivedFrom(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        flood(socket, () => undefined);
      },
      { session: { maxBytes: 1_000_000 } },
    );
    expect(text.length).toBeLessThan(1_200_000);
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  it('that sends more than one response has the rest dropped', async () => {
    const site = await siteOf((socket) =>
      socket.write(Buffer.concat([page, responseOf('unrequested')])),
    );
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    for (let turn = 0; turn < 3; turn++) {
      expect(await rawExchange(session.url, proxyGet(url))).toMatch(/a page$/);
    }
  });

  it('that hangs up in a tunnel ends it', async () => {
    const site = await siteOf((socket) => socket.resetAndDestroy());
    const { session } = await proxyOf({ open: [site.port] });
    const client = new RawClient(session.url);
    client.send(connect(`site.example:${site.port}`) + 'GET / HTTP/1.1\r\n\r\n');
    await client.over();
    client.destroy();
  });
});

/** A header line now and then, without end. */
function drip(socket: net.Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('A: b\r\n'), 50);
  socket.once('close', () => clearInterval(timer));
}
