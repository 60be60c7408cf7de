import type net from 'node:net';
import { Deadline } from '@app/contracts';
import { startLeakCheck, until } from '@app/testing';
import { type ClientFixture, createClient, get } from '../test/client-fixture.js';
import { RawServer, redirect, responseOf, type Script } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { type Answers, ScriptedResolver } from '../test/scripted-resolver.js';
import { EXPIRED_CERT, TEST_CA, TEST_CERT, TEST_KEY } from '../test/tls-fixture.js';
import { parseAllowPrivate } from './allow-private.js';
import { BlockedUrlError, InvalidUrlError } from './egress-errors.js';
import { HeaderRefusedError } from './forwardable-headers.js';
import { EgressGuard } from './guard.js';
import { HttpFetchError } from './http-fetch-error.js';
import type { HttpClientOptions } from './http-client.js';

const text = (body: Uint8Array) => Buffer.from(body).toString();

let site: RawServer;
let fixture: ClientFixture;
const closers: (() => Promise<void>)[] = [];

async function open(
  script: Script,
  options: Partial<HttpClientOptions> = {},
  dns: Readonly<Record<string, Answers>> = {},
): Promise<void> {
  site = await RawServer.start(script);
  const opened = site;
  fixture = createClient([site.port], options, dns);
  const { client } = fixture;
  closers.push(async () => {
    await client.close();
    await opened.close();
  });
}

const at = (path: string, host = 'site.example') => `http://${host}:${site.port}${path}`;

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a plain request', () => {
  it('returns status, headers and a body alone in its buffer', async () => {
    await open((socket) =>
      socket.write(responseOf('hello', { 'X-One': 'a', 'Set-Cookie': 'a=1' })),
    );
    const response = await fixture.client.fetch(get(at('/p?q=1')));
    expect(response).toMatchObject({
      url: at('/p?q=1'),
      status: 200,
      truncated: false,
      redirects: [],
    });
    expect(response.headers).toMatchObject({ 'x-one': 'a', 'set-cookie': 'a=1' });
    expect(text(response.body)).toBe('hello');
    expect(response.body.buffer.byteLength).toBe(5);
    expect(response.remoteAddress).toBe('127.0.0.1');
    expect(structuredClone(response.body, { transfer: [response.body.buffer] })).toHaveLength(5);
  });

  it('sends its user agent, its accepted types and the host it dialled', async () => {
    await open((socket) => socket.write(responseOf('')));
    await fixture.client.fetch(get(at('/'), { headers: { 'X-Mine': '1' } }));
    const head = site.heads[0]?.toLowerCase();
    expect(head).toContain(`host: site.example:${site.port}\r\n`);
    expect(head).toContain('user-agent: trawltest/1.0\r\n');
    expect(head).toContain('accept-encoding: gzip, deflate, br, zstd\r\n');
    expect(head).toContain('x-mine: 1\r\n');
  });

  it('sends a body', async () => {
    await open((socket) => socket.write(responseOf('ok')));
    await fixture.client.fetch(get(at('/'), { method: 'POST', body: 'päyload' }));
    await fixture.client.fetch(get(at('/'), { method: 'POST', body: new Uint8Array([104, 105]) }));
    expect(site.heads[0]).toMatch(/content-length: 8\r\n/i);
    expect(site.heads[1]).toMatch(/\r\n\r\nhi$/);
  });

  it.each([
    ['HEAD', 'HEAD', 'HTTP/1.1 200 OK\r\nContent-Length: 500\r\nContent-Encoding: gzip\r\n\r\n'],
    ['204', 'GET', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['304', 'GET', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'],
    [
      'an empty compressed body',
      'GET',
      'HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 0\r\n\r\n',
    ],
  ] as const)('reads no body for %s', async (_name, method, bytes) => {
    await open((socket) => socket.write(bytes));
    const response = await fixture.client.fetch(get(at('/'), { method }));
    expect([response.body.length, response.truncated]).toEqual([0, false]);
  });

  it('reads chunks, and a body that ends with the connection', async () => {
    await open((socket, _head, turn) => {
      if (turn === 0)
        socket.write(
          'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n',
        );
      else socket.end('HTTP/1.0 200 OK\r\n\r\nto the end');
    });
    expect(text((await fixture.client.fetch(get(at('/')))).body)).toBe('abcde');
    const last = await fixture.client.fetch(get(at('/')));
    expect([text(last.body), last.truncated]).toEqual(['to the end', false]);
  });

  it('cuts at the byte cap, reports it and disconnects', async () => {
    await open((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
      const pump = () => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once('drain', pump);
      };
      pump();
    });
    const response = await fixture.client.fetch(get(at('/'), { maxBytes: 100_000 }));
    expect([response.body.length, response.truncation]).toEqual([100_000, 'byte_cap']);
    await until(() => site.sockets.size === 0, { what: 'the socket to close' });
  });

  it('does not call a body of exactly the cap cut', async () => {
    await open((socket) => socket.write(responseOf('12345')));
    const response = await fixture.client.fetch(get(at('/'), { maxBytes: 5 }));
    expect([text(response.body), response.truncated]).toEqual(['12345', false]);
  });

  it.each<[string, Record<string, string>]>([
    ['Host', { Host: '10.0.0.1' }],
    ['Connection', { Connection: 'close' }],
    ['Transfer-Encoding', { 'Transfer-Encoding': 'chunked' }],
    ['Content-Length', { 'content-length': '5' }],
    ['Proxy-Authorization', { 'Proxy-Authorization': 'x' }],
    ['X-Forwarded-For', { 'X-Forwarded-For': '127.0.0.1' }],
    ['a value with CR LF', { 'X-A': 'a\r\nHost: b' }],
    ['a value with LF', { 'X-A': 'a\nb' }],
    ['a value with NUL', { 'X-A': 'a\0b' }],
    ['a name with a space', { 'X A': 'b' }],
    ['a name with a colon', { 'X-A:': 'b' }],
    ['a name with CR LF', { 'X-A\r\nHost': 'b' }],
    ['an empty name', { '': 'b' }],
    ['more than 16 KiB', { 'X-Big': 'x'.repeat(20_000) }],
    [
      'more than 64 headers',
      Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`X-${i}`, ''])),
    ],
  ])('refuses headers with %s before anything is sent', async (_name, headers) => {
    await open((socket) => socket.write(responseOf('')));
    const error = await rejection(
      fixture.client.fetch(get(at('/'), { headers })),
      HeaderRefusedError,
    );
    expect(error.message).not.toMatch(/[\r\n]/);
    expect(site.connections).toBe(0);
  });

  it('refuses invalid and blocked addresses before anything is sent', async () => {
    await open((socket) => socket.write(responseOf('')));
    await rejection(fixture.client.fetch(get('nope')), InvalidUrlError);
    await rejection(
      fixture.client.fetch(get(`http://127.0.0.1:${site.port + 1}/`)),
      BlockedUrlError,
    );
    expect(site.connections).toBe(0);
  });

  it('names a refused connection', async () => {
    const gone = await RawServer.start(() => undefined);
    const { port } = gone;
    await gone.close();
    const { client } = createClient([port]);
    const fetched = client.fetch(get(`http://127.0.0.1:${port}/`));
    const error = await rejection(fetched, HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['network', 'ECONNREFUSED']);
  });

  it('names a name that does not exist', async () => {
    const { client } = createClient([80]);
    const error = await rejection(client.fetch(get('http://missing.example/')), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['network', 'ENOTFOUND']);
  });
});

describe('connections', () => {
  const remember =
    (ports: number[]): Script =>
    (socket) => {
      ports.push(socket.remotePort ?? 0);
      socket.write(responseOf('x'));
    };

  it('are kept alive and reused, resolved once', async () => {
    const ports: number[] = [];
    await open(remember(ports));
    const reused: boolean[] = [];
    for (let i = 0; i < 5; i++) reused.push((await fixture.client.fetch(get(at(`/${i}`)))).reused);
    expect(new Set(ports).size).toBe(1);
    expect(site.connections).toBe(1);
    expect(reused).toEqual([false, true, true, true, true]);
    expect(fixture.resolver.asked).toEqual(['site.example']);
  });

  it('carry compressed responses and redirects without being spent', async () => {
    await open((socket, head) =>
      socket.write(head.startsWith('GET /r') ? redirect('/x') : responseOf('x')),
    );
    const response = await fixture.client.fetch(get(at('/r')));
    expect([response.url, response.reused, site.connections]).toEqual([at('/x'), true, 1]);
  });

  it('are not shared between names that resolve alike', async () => {
    await open(remember([]));
    await fixture.client.fetch(get(at('/')));
    await fixture.client.fetch(get(at('/', 'other.example')));
    expect(site.connections).toBe(2);
  });

  it('do not pass the cap per origin; the rest waits its turn', async () => {
    const held: net.Socket[] = [];
    let most = 0;
    // Responses wait until as many requests are open as may be; a moment later one too many would be there, too.
    const respondToAll = (): void => held.splice(0).forEach((one) => one.write(responseOf('x')));
    await open(
      (socket, _head, turn) => {
        most = Math.max(most, held.push(socket));
        if (held.length === 3 || turn === 19) setTimeout(respondToAll, 5);
      },
      { maxConnectionsPerOrigin: 3 },
    );
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => fixture.client.fetch(get(at(`/${i}`)))),
    );
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect([most, site.connections]).toEqual([3, 3]);
  });

  it('free their place when they fail', async () => {
    await open((socket) => socket.destroy(), { maxConnectionsPerOrigin: 1 });
    const all = await Promise.allSettled(
      [1, 2, 3].map((i) => fixture.client.fetch(get(at(`/${i}`)))),
    );
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(site.connections).toBe(3);
  });

  it('that wait for a slot give up at their deadline', async () => {
    await open(() => undefined, { maxConnectionsPerOrigin: 1 });
    const holder = new AbortController();
    const first = rejection(
      fixture.client.fetch(get(at('/1'), { signal: holder.signal })),
      HttpFetchError,
    );
    let isHeld = true;
    void first.finally(() => (isHeld = false));
    await until(() => site.heads.length === 1);
    const second = fixture.client.fetch(get(at('/2'), { deadline: Deadline.after(100) }));
    expect((await rejection(second, HttpFetchError)).code).toBe('deadline');
    expect(isHeld).toBe(true);
    holder.abort();
    await first;
  });

  it('closed by the server while idle are replaced', async () => {
    await open((socket, _head, turn) => {
      socket.write(responseOf('x'));
      if (turn === 0) setImmediate(() => setImmediate(() => socket.end()));
    });
    await fixture.client.fetch(get(at('/1')));
    await until(() => site.sockets.size === 0);
    const second = await fixture.client.fetch(get(at('/2')));
    expect([second.status, site.connections]).toEqual([200, 2]);
  });

  it('closed by the server at the moment of reuse are replaced once, for a GET', async () => {
    await open(
      (socket, _head, turn) => void (turn === 1 ? socket.destroy() : socket.write(responseOf('x'))),
    );
    await fixture.client.fetch(get(at('/1')));
    const second = await fixture.client.fetch(get(at('/2')));
    expect([second.status, second.reused, site.heads.length]).toEqual([200, false, 3]);
  });

  it('closed at the moment of reuse fail a POST, which might run twice', async () => {
    await open(
      (socket, _head, turn) => void (turn === 1 ? socket.destroy() : socket.write(responseOf('x'))),
    );
    await fixture.client.fetch(get(at('/1')));
    const error = await rejection(
      fixture.client.fetch(get(at('/2'), { method: 'POST', body: 'x' })),
      HttpFetchError,
    );
    expect([error.errorClass, site.heads.length]).toEqual(['network', 2]);
  });

  it('announced as closing are not kept', async () => {
    await open((socket) => socket.end(responseOf('x', { Connection: 'close' })));
    await fixture.client.fetch(get(at('/1')));
    await fixture.client.fetch(get(at('/2')));
    expect(site.connections).toBe(2);
  });

  it('go to a vetted address only: a rebound name is refused on the next connection', async () => {
    await open(
      (socket) => socket.end(responseOf('x', { Connection: 'close' })),
      {},
      {
        'rebind.example': [['127.0.0.1'], ['169.254.169.254']],
      },
    );
    expect((await fixture.client.fetch(get(at('/', 'rebind.example')))).status).toBe(200);
    await rejection(fixture.client.fetch(get(at('/', 'rebind.example'))), BlockedUrlError);
    expect([site.connections, fixture.denied]).toEqual([1, ['dns']]);
  });

  it('try the next vetted address when one refuses', async () => {
    await open((socket) => socket.write(responseOf('x')));
    const guard = new EgressGuard({
      resolver: new ScriptedResolver({ 'two.example': ['127.0.0.9', '127.0.0.1'] }),
      allowPrivate: parseAllowPrivate(`two.example:${site.port}`),
    });
    const { client } = createClient([], { guard });
    const response = await client.fetch(get(`http://two.example:${site.port}/`));
    expect(response.remoteAddress).toBe('127.0.0.1');
    await client.close();
  });

  it('are closed with the client, which leaves nothing open', async () => {
    const leaks = startLeakCheck();
    await open((socket) => socket.write(responseOf('x')));
    await Promise.all([1, 2, 3].map((i) => fixture.client.fetch(get(at(`/${i}`)))));
    for (const close of closers.splice(0)) await close();
    await leaks.assertClean();
    await expect(fixture.client.fetch(get(at('/')))).rejects.toThrow();
  });
});

describe('TLS', () => {
  async function fetchOver(cert: string, host: string, ca: readonly string[] = [TEST_CA]) {
    const secure = await RawServer.start((socket) => socket.write(responseOf('x')), {
      tls: { key: TEST_KEY, cert },
    });
    const { client } = createClient([secure.port], { ca });
    try {
      return await client.fetch(get(`https://${host}:${secure.port}/`));
    } finally {
      await client.close();
      await secure.close();
    }
  }

  it.each(['site.example', '127.0.0.1'])(
    'accepts a certificate for %s and times the handshake',
    async (host) => {
      const response = await fetchOver(TEST_CERT, host);
      expect(response.status).toBe(200);
      expect(response.timings.tlsMs).toBeGreaterThan(0);
    },
  );

  it.each([
    ['an expired certificate', EXPIRED_CERT, 'site.example', [TEST_CA], 'CERT_HAS_EXPIRED'],
    [
      'a certificate of another name',
      TEST_CERT,
      'other.example',
      [TEST_CA],
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    ['an unknown authority', TEST_CERT, 'site.example', [], 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ] as const)('refuses %s', async (_name, cert, host, ca, code) => {
    const error = await rejection(fetchOver(cert, host, ca), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['network', code]);
  });

  it('refuses them whatever the environment says', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await rejection(fetchOver(TEST_CERT, 'site.example', []), HttpFetchError);
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
    }
  });
});

describe('redirects', () => {
  it.each([
    [301, 'GET', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [301, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [303, 'HEAD', 'HEAD', ''],
    [302, 'PUT', 'PUT', 'data'],
    [307, 'POST', 'POST', 'data'],
    [308, 'POST', 'POST', 'data'],
  ] as const)('%i turns %s into %s', async (status, method, expected, expectedBody) => {
    await open((socket, _head, turn) =>
      socket.write(turn === 0 ? redirect('/to', status) : responseOf('')),
    );
    const body = method === 'GET' || method === 'HEAD' ? undefined : 'data';
    const headers: Record<string, string> =
      body === undefined ? {} : { 'Content-Type': 'text/plain' };
    await fixture.client.fetch(get(at('/from'), { method, headers, body }));
    const [head = '', sent] = site.heads[1]?.split('\r\n\r\n') ?? [];
    expect([head.split(' ')[0], sent]).toEqual([expected, expectedBody]);
    expect(/content-type/i.test(head)).toBe(expectedBody !== '');
  });

  it('keeps the list of hops and notifies the caller before each', async () => {
    await open((socket, _head, turn) =>
      socket.write(turn < 2 ? redirect(`/${turn + 1}`, 301) : responseOf('end')),
    );
    const targets: string[] = [];
    const response = await fixture.client.fetch(
      get(at('/0'), { onRedirect: (_hop, target) => void targets.push(target.pathname) }),
    );
    expect(response.url).toBe(at('/2'));
    expect(response.redirects).toEqual([
      { url: at('/0'), status: 301, location: '/1' },
      { url: at('/1'), status: 301, location: '/2' },
    ]);
    expect(targets).toEqual(['/1', '/2']);
  });

  it('stops when the caller objects', async () => {
    await open((socket) => socket.write(redirect('/1')));
    const objection = new Error('robots');
    const onRedirect = () => Promise.reject(objection);
    await expect(fixture.client.fetch(get(at('/0'), { onRedirect }))).rejects.toBe(objection);
    expect(site.heads).toHaveLength(1);
  });

  it.each([
    [undefined, 11],
    [3, 4],
  ])('ends an endless chain at the cap (%p)', async (maxRedirects, requests) => {
    await open((socket, _head, turn) => socket.write(redirect(`/again${turn}`)));
    const error = await rejection(
      fixture.client.fetch(get(at('/'), { maxRedirects })),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['http_error', 'too_many_redirects']);
    expect(site.heads).toHaveLength(requests);
  });

  it('leaves credentials and own headers behind on another origin, and keeps them on the same', async () => {
    await open((socket, _head, turn) => {
      if (turn === 0) socket.write(redirect('/same'));
      else if (turn === 1) socket.write(redirect(at('/', 'other.example')));
      else socket.write(responseOf(''));
    });
    const headers = {
      Authorization: 'Bearer s',
      Cookie: 'a=b',
      'X-Api-Key': 's',
      'Accept-Language': 'de',
    };
    await fixture.client.fetch(get(at('/'), { headers }));
    for (const name of ['authorization', 'cookie', 'x-api-key', 'accept-language']) {
      expect(site.heads[1]?.toLowerCase()).toContain(`${name}: `);
    }
    expect(site.heads[2]).toMatch(/accept-language: de/i);
    expect(site.heads[2]).not.toMatch(/authorization|cookie|x-api-key/i);
  });

  it('keeps no cookies between requests', async () => {
    await open((socket, _head, turn) => {
      const headers = { Location: '/1', 'Set-Cookie': 'session=1' };
      socket.write(
        turn === 0
          ? responseOf('', headers, '302 Found')
          : responseOf('', { 'Set-Cookie': 'session=2' }),
      );
    });
    await fixture.client.fetch(get(at('/0')));
    await fixture.client.fetch(get(at('/2')));
    expect(site.heads.filter((head) => /cookie:/i.test(head))).toEqual([site.heads[1]]);
  });

  it.each([
    ['no Location', 'HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n'],
    [
      'two Locations',
      'HTTP/1.1 302 Found\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n',
    ],
    [
      'a status that is no redirect',
      'HTTP/1.1 300 Choices\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n',
    ],
  ])('takes a response with %s as final', async (_name, bytes) => {
    await open((socket) => socket.write(bytes));
    expect((await fixture.client.fetch(get(at('/')))).redirects).toEqual([]);
    expect(site.heads).toHaveLength(1);
  });

  it('names a Location that is no URL', async () => {
    await open((socket) => socket.write(redirect('http://a b/')));
    const error = await rejection(fixture.client.fetch(get(at('/'))), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['http_error', 'invalid_redirect']);
  });

  it('reads a Location in raw UTF-8', async () => {
    await open((socket, _head, turn) => {
      if (turn > 0) return void socket.write(responseOf(''));
      socket.write(
        Buffer.from('HTTP/1.1 302 Found\r\nLocation: /straße\r\nContent-Length: 0\r\n\r\n'),
      );
    });
    expect((await fixture.client.fetch(get(at('/')))).url).toBe(at('/stra%C3%9Fe'));
  });

  it('does not read a long redirect body to its end', async () => {
    await open((socket, _head, turn) => {
      if (turn > 0) return void socket.write(responseOf('end'));
      socket.write('HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 100000000\r\n\r\n');
      socket.write('x'.repeat(200_000));
    });
    expect(text((await fixture.client.fetch(get(at('/')))).body)).toBe('end');
  });

  it('keeps the requested fragment', async () => {
    await open((socket, _head, turn) =>
      socket.write(turn === 0 ? redirect('/to') : responseOf('')),
    );
    expect((await fixture.client.fetch(get(at('/from#part')))).url).toBe(at('/to#part'));
  });
});
