import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { freePort } from '@app/processes';
import { startLeakCheck, until } from '@app/testing';
import { connect, rawExchange, proxyGet, RawClient, startProxy } from '../../test/proxy-fixture.js';
import type { ProxyFixture, ProxyFixtureOptions } from '../../test/proxy-fixture.js';
import { RawServer, redirect, responseOf } from '../../test/raw-server.js';
import { rejection } from '../../test/rejection.js';
import { ResolveError } from '../egress-errors.js';

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

const page = responseOf('a page', { 'Content-Type': 'text/html' });

describe('a plain request', () => {
  it('is passed on in origin form, with the Host of its URL and without what is between client and proxy', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/a?b=c`;
    const text = await rawExchange(
      session.url,
      [
        `GET ${url} HTTP/1.1`,
        'Host: other.example',
        'Proxy-Connection: keep-alive',
        'Proxy-Authorization: Basic c2VjcmV0',
        'Connection: close, X-Own',
        'X-Own: 1',
        'TE: trailers',
        'Keep-Alive: timeout=5',
        'X-Kept: yes',
        '',
        '',
      ].join('\r\n'),
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*a page$/);
    expect(site.heads).toEqual([
      `GET /a?b=c HTTP/1.1\r\nHost: site.example:${site.port}\r\nConnection: keep-alive\r\nX-Kept: yes\r\n\r\n`,
    ]);
  });

  it.each(['Content-Length', 'Transfer-Encoding'])('carries its body by %s', async (framing) => {
    const bodies: string[] = [];
    const site = http.createServer((request, response) => {
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => response.end('thanks'));
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    cleanups.push(async () => void site.close());
    const { port } = site.address() as AddressInfo;
    const { session } = await proxyOf({ open: [port] });
    const isChunked = framing === 'Transfer-Encoding';
    const text = await rawExchange(
      session.url,
      `POST http://site.example:${port}/form HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        (isChunked
          ? 'Transfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n'
          : 'Content-Length: 4\r\n\r\nbody'),
    );
    expect(text).toContain('thanks');
    expect(bodies.join('')).toBe('body');
  });

  it('keeps the connections on both sides for the next one', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session, resolver } = await proxyOf({ open: [site.port] });
    const client = new RawClient(session.url);
    for (let turn = 1; turn <= 3; turn++) {
      client.received = '';
      client.send(`GET http://site.example:${site.port}/${turn} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await client.receives(/a page$/);
    }
    client.destroy();
    expect([site.heads.length, site.connections, resolver.asked.length]).toEqual([3, 1, 1]);
  });

  it('is repeated when a kept connection turns out to be closed', async () => {
    const site = await siteOf((socket, _head, turn) => {
      if (turn === 1) socket.destroy();
      else socket.write(page);
    });
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    expect(await rawExchange(session.url, proxyGet(url))).toContain('a page');
    expect(await rawExchange(session.url, proxyGet(url))).toContain('a page');
    expect(site.connections).toBe(2);
    expect(session.lastRefusal).toBeNull();
  });

  it('gets an interim response over and the real one through', async () => {
    const site = await siteOf((socket) =>
      socket.write(Buffer.concat([Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'), page])),
    );
    const { session } = await proxyOf({ open: [site.port] });
    expect(await rawExchange(session.url, proxyGet(`http://site.example:${site.port}/`))).toMatch(
      /^HTTP\/1\.1 200/,
    );
  });

  it('gets no hints at ways past the proxy, and no words of the proxy from a site', async () => {
    const headers = {
      'Alt-Svc': 'h3=":443"',
      'X-Trawl-Refused': 'blocked',
      'Keep-Alive': 'timeout=1',
      'Proxy-Authenticate': 'Basic',
      'Set-Cookie': 'a=1',
    };
    const site = await siteOf((socket) => socket.write(responseOf('x', headers)));
    const { session } = await proxyOf({ open: [site.port] });
    const text = await rawExchange(session.url, proxyGet(`http://site.example:${site.port}/`));
    expect(text).toContain('Set-Cookie: a=1');
    expect(text).not.toMatch(/alt-svc|x-trawl|proxy-|timeout=1\r/i);
  });

  it('of a HEAD has no body', async () => {
    const site = await siteOf((socket) =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n'),
    );
    const { session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    const text = await rawExchange(session.url, proxyGet(url).replace('GET', 'HEAD'));
    expect(text).toMatch(/Content-Length: 6[^]*\r\n\r\n$/);
  });

  it('accepts a response that ends with its connection', async () => {
    const site = await siteOf((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nto the end'));
    const { session } = await proxyOf({ open: [site.port] });
    const text = await rawExchange(session.url, proxyGet(`http://site.example:${site.port}/`));
    expect(text).toContain('to the end');
  });
});

describe('a tunnel', () => {
  it('passes bytes unread both ways', async () => {
    const echo = net.createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    cleanups.push(async () => void echo.close());
    const { port } = echo.address() as AddressInfo;
    const { session } = await proxyOf({ open: [port] });
    const client = new RawClient(session.url).send(connect(`site.example:${port}`) + 'early ');
    await client.receives(/^HTTP\/1\.1 200 [^\r]*\r\n\r\nearly $/);
    client.send('late');
    await client.receives(/early late$/);
    client.end();
    await client.over();
    expect(session.usage).toEqual({ requests: 1, bytesIn: 10, bytesOut: 10, blocked: 0 });
  });

  it('lets one side finish before the other', async () => {
    const site = net.createServer({ allowHalfOpen: true }, (socket) => {
      socket.resume().on('end', () => socket.end('data after your end'));
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    cleanups.push(async () => void site.close());
    const { port } = site.address() as AddressInfo;
    const { session } = await proxyOf({ open: [port] });
    const client = new RawClient(session.url).send(connect(`site.example:${port}`));
    await client.receives(/200/);
    client.end();
    await client.receives(/data after your end$/);
  });

  it('ends at once on both sides when the browser disconnects', async () => {
    const site = await siteOf(() => undefined);
    const { session } = await proxyOf({ open: [site.port] });
    const client = new RawClient(session.url).send(connect(`site.example:${site.port}`));
    await client.receives(/200/);
    client.destroy();
    await until(() => site.sockets.size === 0);
  });

  it('on which nothing moves is ended', async () => {
    const site = await siteOf(() => undefined);
    const { session } = await proxyOf({ open: [site.port], limits: { idleTimeoutMs: 100 } });
    const client = new RawClient(session.url).send(connect(`site.example:${site.port}`));
    await client.over();
    await until(() => site.sockets.size === 0);
    client.destroy();
  });
});

describe('what is refused', () => {
  it.each([
    ['loopback', '127.0.0.1:443'],
    ['loopback over IPv6', '[::1]:443'],
    ['a mapped address', '[::ffff:127.0.0.1]:443'],
    ['a short address', '127.1:443'],
    ['an octal address', '0177.0.0.1:443'],
    ['a number', '2130706433:443'],
    ['metadata', '169.254.169.254:80'],
    ['a name in brackets', '[site.example]:443'],
    ['a private name', 'localhost:443'],
    ['a name that answers private', 'inside.example:443'],
    ['one private answer among public ones', 'mixed.example:443'],
    ['credentials', 'user@site.example:443'],
    ['a mail port', 'site.example:25'],
    ['port 0', 'site.example:0'],
    ['a port past the last', 'site.example:65536'],
    ['a port with zeros in front', 'site.example:0443'],
    ['no port', 'site.example'],
    ['a percent sign', 'site%2eexample:443'],
    ['a path', 'site.example:443/'],
    ['an empty label', '127.0.0.1..:443'],
    ['a zone', '[fe80::1%25eth0]:443'],
    ['no host', ':443'],
  ])('CONNECT to %s (%s)', async (_what, authority) => {
    const { session, blocked } = await proxyOf({
      dns: { 'inside.example': ['10.0.0.5'], 'mixed.example': ['93.184.216.34', '127.0.0.1'] },
    });
    const text = await rawExchange(session.url, connect(authority));
    // What Node's own parser does not take for an authority never comes to us.
    if (/^HTTP\/1\.1 400/.test(text)) return expect(session.usage.requests).toBe(0);
    expect(text).toMatch(/^HTTP\/1\.1 403 [^]*x-trawl-refused: blocked\r\n/);
    expect(text).not.toContain('10.0.0.5');
    expect(session.lastRefusal).toEqual({ kind: 'blocked', target: authority });
    expect([session.usage.blocked, blocked]).toEqual([1, [authority]]);
  });

  it.each([
    ['loopback', 'http://127.0.0.1/'],
    ['another spelling of it', 'http://127.1/'],
    ['metadata', 'http://169.254.169.254/latest/'],
    ['credentials', 'http://user:pw@site.example/'],
    ['a mail port', 'http://site.example:25/'],
    ['https in the open', 'https://site.example/'],
    ['a file', 'file:///etc/passwd'],
    ['ftp', 'ftp://site.example/'],
    ['no URL at all', 'http://'],
  ])('GET of %s (%s)', async (_what, url) => {
    const { session } = await proxyOf({});
    const text = await rawExchange(session.url, proxyGet(url));
    if (/^HTTP\/1\.1 400/.test(text)) return expect(session.usage.requests).toBe(0);
    expect(text).toMatch(/^HTTP\/1\.1 403 [^]*x-trawl-refused: blocked\r\n/);
    expect(session.lastRefusal).toEqual({ kind: 'blocked', target: url });
  });

  it.each(['/', '/http://site.example/', '*'])(
    'a request for %s, as to a server, which the proxy is not',
    async (target) => {
      const { session } = await proxyOf({});
      const method = target === '*' ? 'OPTIONS' : 'GET';
      const text = await rawExchange(session.url, proxyGet(target).replace('GET', method));
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(session.usage.requests).toBe(0);
    },
  );

  it('an upgrade in the open', async () => {
    const { session } = await proxyOf({});
    const text = await rawExchange(
      session.url,
      'GET http://site.example/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    );
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
    expect(session.usage).toMatchObject({ requests: 1, blocked: 1 });
  });

  it('a redirect into the network: the response passes, the next request does not', async () => {
    const site = await siteOf((socket) => socket.write(redirect('http://127.0.0.1/admin')));
    const { session } = await proxyOf({ open: [site.port] });
    const first = await rawExchange(session.url, proxyGet(`http://site.example:${site.port}/`));
    expect(first).toContain('Location: http://127.0.0.1/admin');
    expect(await rawExchange(session.url, proxyGet('http://127.0.0.1/admin'))).toMatch(
      /^HTTP\/1\.1 403/,
    );
  });

  it('a name that turned private, on its next connection', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session } = await proxyOf({
      open: [site.port],
      dns: { 'rebind.example': [['127.0.0.1'], ['169.254.169.254']] },
    });
    const client = new RawClient(session.url).send(connect(`rebind.example:${site.port}`));
    await client.receives(/^HTTP\/1\.1 200/);
    client.destroy();
    expect(await rawExchange(session.url, connect(`rebind.example:${site.port}`))).toMatch(
      /403[^]*blocked/,
    );
  });

  it('its own ports, even where a rule opens loopback', async () => {
    const { session, proxy, openSession } = await proxyOf({ open: ['1024-65535'] });
    const other = await openSession();
    for (const proxyPort of [session.url, other.url, proxy.refusingUrl]) {
      const { host } = new URL(proxyPort);
      expect(await rawExchange(session.url, connect(host))).toMatch(/403[^]*blocked/);
      expect(await rawExchange(session.url, proxyGet(`http://${host}/`))).toMatch(/403[^]*blocked/);
    }
    expect([other.usage.requests, proxy.unsolicitedRequests]).toEqual([0, 0]);
  });

  it('everything, at the port that browsers are launched with', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { proxy, unsolicited, session } = await proxyOf({ open: [site.port] });
    const url = `http://site.example:${site.port}/`;
    expect(await rawExchange(proxy.refusingUrl, proxyGet(url))).toMatch(/^HTTP\/1\.1 403/);
    const authority = `site.example:${site.port}`;
    expect(await rawExchange(proxy.refusingUrl, connect(authority))).toMatch(/^HTTP\/1\.1 403/);
    expect(unsolicited).toEqual([url, authority]);
    expect([proxy.unsolicitedRequests, session.usage.requests, site.connections]).toEqual([
      2, 0, 0,
    ]);
  });
});

describe('what fails', () => {
  const failing = (code: string) => ({ resolve: () => Promise.reject(new ResolveError(code)) });

  it.each([
    ['an unknown name', 'ENOTFOUND', 502, 'network'],
    ['a name server that is silent', 'ETIMEOUT', 504, 'timeout'],
  ])('%s: %s', async (_what, code, status, kind) => {
    const { session } = await proxyOf({ resolver: failing(code) });
    const wanted = new RegExp(`^HTTP/1\\.1 ${status} [^]*x-trawl-refused: ${kind}\r\n`);
    expect(await rawExchange(session.url, connect('site.example:443'))).toMatch(wanted);
    expect(await rawExchange(session.url, proxyGet('http://site.example/'))).toMatch(wanted);
    expect(session.lastRefusal).toEqual({ kind, target: 'http://site.example/' });
  });

  it('a port without a listener', async () => {
    const { session } = await proxyOf({ open: [9] });
    const gone = await RawServer.start(() => undefined);
    await gone.close();
    const closed = await proxyOf({ open: ['1024-65535'] });
    const port = await freePort();
    expect(await rawExchange(closed.session.url, connect(`site.example:${port}`))).toMatch(
      /^HTTP\/1\.1 502 [^]*network/,
    );
    expect(session.usage.requests).toBe(0);
  });

  it('a host that does not respond to the dial', async () => {
    const never = () => new Promise<never>(() => undefined);
    const { session } = await proxyOf({
      resolver: { resolve: never },
      limits: { connectTimeoutMs: 50 },
    });
    expect(await rawExchange(session.url, connect('site.example:443'))).toMatch(/^HTTP\/1\.1 504 /);
    expect(await rawExchange(session.url, proxyGet('http://site.example/'))).toMatch(
      /^HTTP\/1\.1 504 /,
    );
  });

  it('the abort of a dial when its session closes', async () => {
    let aborted = false;
    const { session } = await proxyOf({
      dialler: {
        connect: (_url, signal) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              aborted = true;
              reject(signal.reason);
            }),
          ),
      },
    });
    const client = new RawClient(session.url).send(connect('site.example:443'));
    await until(() => session.usage.requests === 1);
    await session.close();
    expect(aborted).toBe(true);
    await client.over();
    expect([client.received, session.lastRefusal]).toEqual(['', null]);
  });
});

describe('budgets', () => {
  it('the last request passes, the next is refused', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session } = await proxyOf({ open: [site.port], session: { maxRequests: 2 } });
    const url = `http://site.example:${site.port}/`;
    for (const wanted of [/ 200 /, / 200 /, /403[^]*x-trawl-refused: budget/]) {
      expect(await rawExchange(session.url, proxyGet(url))).toMatch(wanted);
    }
    expect(await rawExchange(session.url, connect(`site.example:${site.port}`))).toMatch(/budget/);
    expect(session.usage).toMatchObject({ requests: 4, blocked: 2 });
    expect(site.heads).toHaveLength(2);
  });

  it.each(['through a tunnel', 'passed on'])(
    'the last byte %s passes, one more ends everything',
    async (way) => {
      const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';
      const full = head + 'x'.repeat(100);
      const site = await siteOf((socket) => socket.write(full));
      const { openSession } = await proxyOf({ open: [site.port] });
      const authority = `site.example:${site.port}`;
      const outbound = `GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: keep-alive\r\n\r\n`;
      const run = async (maxBytes: number) => {
        const session = await openSession({ maxBytes });
        const client = new RawClient(session.url);
        if (way === 'passed on') client.send(proxyGet(`http://${authority}/`));
        else {
          client.send(connect(authority));
          await client.receives(/200 C/);
          client.send(outbound);
        }
        await Promise.race([client.receives(/x{100}$/), client.over()]);
        client.destroy();
        await until(() => session.usage.bytesIn > 0);
        return { session, isWhole: /x{100}$/.test(client.received) };
      };
      const all = outbound.length + full.length;
      const enough = await run(all);
      expect([enough.isWhole, enough.session.lastRefusal]).toEqual([true, null]);
      expect(enough.session.usage).toMatchObject({
        bytesIn: full.length,
        bytesOut: outbound.length,
      });
      const short = await run(all - 1);
      expect(short.session.lastRefusal?.kind).toBe('budget');
      expect(await rawExchange(short.session.url, proxyGet(`http://${authority}/`))).toMatch(
        /budget/,
      );
    },
  );

  it('are whole again for the next page, on the connections that are open', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const { session } = await proxyOf({ open: [site.port], session: { maxRequests: 1 } });
    const url = `http://site.example:${site.port}/`;
    expect(await rawExchange(session.url, proxyGet(url))).toMatch(/ 200 /);
    expect(await rawExchange(session.url, proxyGet(url))).toMatch(/budget/);
    session.renew();
    expect(session.usage).toEqual({ requests: 0, bytesIn: 0, bytesOut: 0, blocked: 0 });
    expect(session.lastRefusal).toBeNull();
    expect(await rawExchange(session.url, proxyGet(url))).toMatch(/ 200 /);
    expect(session.usage.bytesIn).toBe(page.length);
    expect(site.connections).toBe(1);
  });

  it('connections past the bound are dropped', async () => {
    const { session } = await proxyOf({ limits: { maxConnectionsPerSession: 2 } });
    const kept = [new RawClient(session.url), new RawClient(session.url)];
    for (const client of kept) client.send('GET ');
    const extra = new RawClient(session.url).send(proxyGet('http://127.0.0.1/'));
    await extra.over();
    expect([extra.received, session.usage.requests]).toEqual(['', 0]);
    for (const client of kept) client.destroy();
  });

  it('sessions past the bound are not opened, and closed ones make room', async () => {
    const { session, openSession } = await proxyOf({ limits: { maxSessions: 2 } });
    await openSession();
    await rejection(openSession(), Error);
    await session.close();
    await openSession();
  });
});

describe('closing', () => {
  it("a session ends its tunnels and requests at once, and no other session's", async () => {
    const site = await siteOf(() => undefined);
    const { session, openSession } = await proxyOf({ open: [site.port] });
    const other = await openSession();
    const tunnel = new RawClient(session.url).send(connect(`site.example:${site.port}`));
    const neighbour = new RawClient(other.url).send(connect(`site.example:${site.port}`));
    const waiting = new RawClient(session.url).send(proxyGet(`http://site.example:${site.port}/`));
    await Promise.all([tunnel.receives(/200/), neighbour.receives(/200/)]);
    await until(() => site.heads.length === 1);
    await session.close();
    await Promise.all([tunnel.over(), waiting.over()]);
    await until(() => site.sockets.size === 1);
    expect(neighbour.isEnded || neighbour.isClosed).toBe(false);
    neighbour.destroy();
    await expect(rawExchange(session.url, connect('site.example:443'))).resolves.toBe('');
    expect(session.lastRefusal).toBeNull();
  });

  it('leaves no socket, listener or timer behind', async () => {
    const site = await siteOf((socket) => socket.write(page));
    const leaks = startLeakCheck();
    const { proxy, session } = await startProxy({ open: [site.port] });
    const clients = [
      proxyGet(`http://site.example:${site.port}/`),
      connect(`site.example:${site.port}`),
      connect('127.0.0.1:443'),
      'GET http://half.a.head',
    ].map((text) => new RawClient(session.url).send(text));
    clients.push(new RawClient(proxy.refusingUrl).send(connect('clients2.google.com:443')));
    await until(() => site.connections === 2 && proxy.unsolicitedRequests === 1);
    await proxy.close();
    for (const client of clients) client.destroy();
    await until(() => site.sockets.size === 0);
    await leaks.assertClean();
  });

  it('twice is as good as once', async () => {
    const { proxy, session } = await startProxy({});
    await Promise.all([session.close(), session.close(), proxy.close()]);
    await proxy.close();
    await rejection(proxy.openSession({ country: null, maxRequests: 1, maxBytes: 1 }), Error);
  });
});
