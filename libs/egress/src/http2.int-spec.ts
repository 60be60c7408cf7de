import { randomBytes } from 'node:crypto';
import { constants, gzipSync } from 'node:zlib';
import http2 from 'node:http2';
import tls from 'node:tls';
import type net from 'node:net';
import { Deadline } from '@app/contracts';
import { startLeakCheck, until } from '@app/testing';
import { type ClientFixture, createClient, get } from '../test/client-fixture.js';
import { frame, H2Server, type H2Script, reply } from '../test/h2-server.js';
import { holdDeadline } from '../test/held-deadline.js';
import { RawServer, responseOf } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { TEST_CA, TEST_CERT, TEST_KEY } from '../test/tls-fixture.js';
import { HttpFetchError } from './http-fetch-error.js';
import type { HttpClientOptions } from './http-client.js';

const { NGHTTP2_CANCEL, NGHTTP2_REFUSED_STREAM } = http2.constants;
const text = (body: Uint8Array) => Buffer.from(body).toString();

let site: H2Server;
let fixture: ClientFixture;
const closers: (() => Promise<void>)[] = [];

async function open(
  script: H2Script,
  options: Partial<HttpClientOptions> = {},
  server: http2.SecureServerOptions = {},
): Promise<void> {
  const opened = await H2Server.start(script, server);
  site = opened;
  fixture = createClient([site.port], { ca: [TEST_CA], ...options });
  const { client } = fixture;
  closers.push(async () => {
    await client.close();
    await opened.close();
  });
}

const at = (path: string, host = 'site.example') => `https://${host}:${site.port}${path}`;
const fetch = (path: string, overrides: Parameters<typeof get>[1] = {}) =>
  fixture.client.fetch(get(at(path), overrides));

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('a request over HTTP/2', () => {
  it('is negotiated, and read like any other', async () => {
    await open((stream) =>
      reply(stream, gzipSync('hello'), {
        'content-encoding': 'gzip',
        'x-one': ['a', 'b'],
        'set-cookie': ['c=1', 'd=2'],
      }),
    );
    const response = await fetch('/p?q=1', { headers: { 'X-Mine': '1' }, cookies: 'e=3' });
    expect(text(response.body)).toBe('hello');
    expect(response).toMatchObject({ protocol: 'h2', status: 200, truncated: false });
    expect(response.headers).toMatchObject({ 'set-cookie': ['c=1', 'd=2'], 'x-one': ['a', 'b'] });
    expect(Object.keys(response.headers).filter((name) => name.startsWith(':'))).toEqual([]);
    expect(response.timings.tlsMs).toBeGreaterThan(0);
    expect(site.requests[0]).toMatchObject({
      ':method': 'GET',
      ':path': '/p?q=1',
      ':scheme': 'https',
      ':authority': `site.example:${site.port}`,
      'user-agent': 'TrawlTest/1.0',
      'accept-encoding': 'gzip, deflate, br, zstd',
      'x-mine': '1',
      cookie: 'e=3',
    });
    expect(Object.keys(site.requests[0] ?? {})).not.toContain('connection');
  });

  it('carries a body', async () => {
    await open((stream) => {
      let body = '';
      stream.on('data', (chunk: Buffer) => (body += chunk.toString()));
      stream.on('end', () => reply(stream, body));
    });
    const response = await fetch('/', { method: 'POST', body: 'päyload' });
    expect([text(response.body), site.requests[0]?.['content-length']]).toEqual(['päyload', '8']);
  });

  it.each([
    ['HEAD', 200, 'HEAD'],
    ['a 204', 204, 'GET'],
    ['a 304', 304, 'GET'],
  ] as const)('reads no body of %s', async (_name, status, method) => {
    await open((stream) => {
      stream.respond({ ':status': status }, { endStream: true });
    });
    const response = await fetch('/', { method });
    expect([response.status, response.body.length, response.truncated]).toEqual([status, 0, false]);
  });

  it('follows redirects on the one connection, with cookies of the way', async () => {
    await open((stream, headers) =>
      headers[':path'] === '/'
        ? reply(stream, '', { ':status': 302, location: '/to', 'set-cookie': 'a=1; Secure' })
        : reply(stream, String(headers['cookie'])),
    );
    const response = await fetch('/');
    expect([text(response.body), response.reused, site.sessions.length]).toEqual(['a=1', true, 1]);
  });

  it('reads interim responses, up to a flood of them', async () => {
    await open((stream, headers) => {
      const count = headers[':path'] === '/flood' ? 30 : 3;
      for (let i = 0; i < count; i++) stream.additionalHeaders({ ':status': 103, link: '</a>' });
      reply(stream, 'x');
    });
    expect((await fetch('/')).status).toBe(200);
    expect((await rejection(fetch('/flood'), HttpFetchError)).code).toBe('interim_flood');
    expect((await fetch('/')).status).toBe(200);
    expect(site.sessions).toHaveLength(1);
  });

  it('waits for the decoder, and misses nothing of a long body', async () => {
    const body = randomBytes(3_000_000).toString('hex');
    await open((stream) => reply(stream, gzipSync(body), { 'content-encoding': 'gzip' }));
    const response = await fetch('/');
    expect([response.body.length, response.truncation]).toEqual([body.length, null]);
    expect(text(response.body) === body).toBe(true);
  });

  it('drops trailers', async () => {
    await open((stream) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers({ 'x-late': '1' }));
      stream.end('body');
    });
    const response = await fetch('/');
    expect([text(response.body), response.headers['x-late']]).toEqual(['body', undefined]);
  });
});

describe('many requests', () => {
  it('share one connection and run side by side', async () => {
    const held: http2.ServerHttp2Stream[] = [];
    await open((stream) => {
      held.push(stream);
      if (held.length === 20) for (const one of held) reply(one, 'x');
    });
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => fetch(`/${i}`)));
    expect(all.every(({ protocol }) => protocol === 'h2')).toBe(true);
    expect([site.sessions.length, all.filter(({ reused }) => !reused).length]).toEqual([1, 1]);
  });

  it.each([
    ['of the server', { settings: { maxConcurrentStreams: 3 } }, 3],
    ['of the client', {}, 32],
  ])('keep to the limit %s', async (_name, server, limit) => {
    const held: http2.ServerHttp2Stream[] = [];
    let [seen, most] = [0, 0];
    // Responses wait until as many requests are open as may be; a moment later one too many would be there, too.
    const respondToAll = (): void => held.splice(0).forEach((one) => reply(one, 'x'));
    await open(
      (stream) => {
        seen++;
        most = Math.max(most, held.push(stream));
        if (held.length === limit || seen === 80) setTimeout(respondToAll, 5);
      },
      { maxConnectionsPerOrigin: 1 },
      server,
    );
    const all = await Promise.all(Array.from({ length: 80 }, (_, i) => fetch(`/${i}`)));
    expect(all.every(({ status }) => status === 200)).toBe(true);
    expect([most, site.sessions.length]).toEqual([limit, 1]);
  });

  it('return every body complete', async () => {
    const body = Buffer.alloc(20_000, 'abcdefg');
    await open((stream) => reply(stream, body, { 'content-length': body.length }));
    const all = await Promise.all(Array.from({ length: 300 }, (_, i) => fetch(`/${i}`)));
    const lengths = new Set(all.map((response) => response.body.length));
    expect([[...lengths], all.some(({ truncated }) => truncated)]).toEqual([[20_000], false]);
    expect(all.every((response) => body.equals(response.body))).toBe(true);
  });

  it('open another connection when one is full', async () => {
    await open(
      (stream) => void setTimeout(() => !stream.destroyed && reply(stream, 'x'), 20),
      { maxConnectionsPerOrigin: 2 },
      { settings: { maxConcurrentStreams: 4 } },
    );
    await Promise.all(Array.from({ length: 24 }, (_, i) => fetch(`/${i}`)));
    expect(site.sessions).toHaveLength(2);
  });

  it('of two names do not share a connection', async () => {
    await open((stream) => reply(stream, 'x'));
    // The certificate covers both names; coalescing would skip the second's vetting.
    await fetch('/');
    await rejection(fixture.client.fetch(get(at('/', 'other.example'))), HttpFetchError);
    await fixture.client.fetch(get(`https://127.0.0.1:${site.port}/`));
    expect(site.sessions.length).toBeGreaterThanOrEqual(2);
  });

  it('do not wait for each other when the first dial fails', async () => {
    const waiting = new Set<net.Socket>();
    let [dials, most] = [0, 0];
    // Hangs up on the first one; the others wait until they are all there, which is never one after the other.
    const rude = await RawServer.start(() => undefined, {
      onConnection: (socket) => {
        if (++dials === 1) return void socket.destroy();
        waiting.add(socket);
        socket.once('close', () => waiting.delete(socket));
        most = Math.max(most, waiting.size);
        if (waiting.size === 5) for (const one of waiting) one.destroy();
      },
    });
    const { client } = createClient([rude.port], { connectTimeoutMs: 15_000 });
    const all = await Promise.allSettled(
      [1, 2, 3, 4, 5, 6].map((i) => client.fetch(get(`https://site.example:${rude.port}/${i}`))),
    );
    expect(all.every(({ status }) => status === 'rejected')).toBe(true);
    expect([dials, most]).toEqual([6, 5]);
    await client.close();
    await rude.close();
  });
});

describe('ending one request', () => {
  /** A server with a /slow that never ends; everything else gets a whole response. */
  const slowOrWhole: H2Script = (stream, headers) => {
    if (headers[':path'] === '/hang') return;
    if (headers[':path'] !== '/slow') return reply(stream, 'whole');
    stream.respond({ ':status': 200, 'content-type': 'text/html' });
    stream.write('part');
  };

  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['with headers read', '/slow', 'part'],
    ['before any response', '/hang', null],
  ])('at its deadline %s resets its stream alone', async (_name, path, partial) => {
    await open(slowOrWhole);
    await fetch('/');
    const { deadline, pass } = holdDeadline();
    let got = '';
    const onData = (chunk: Uint8Array) => void (got += text(chunk));
    const fetched = rejection(fetch(path, { deadline, onData }), HttpFetchError);
    await until(() => site.requests.length === 2 && got === (partial ?? ''));
    pass();
    const error = await fetched;
    expect([error.errorClass, error.code]).toEqual(['timeout', 'deadline']);
    expect(error.partialBody && text(error.partialBody)).toBe(partial);
    await until(() => site.closed.length === 2);
    expect(site.closed[1]).toBe(NGHTTP2_CANCEL);
    expect(text((await fetch('/')).body)).toBe('whole');
    expect(site.sessions).toHaveLength(1);
  });

  it('by its caller leaves others untouched', async () => {
    await open(slowOrWhole);
    const controller = new AbortController();
    let got = '';
    const onData = (chunk: Uint8Array) => void (got += text(chunk));
    const slow = fetch('/slow', { signal: controller.signal, onData });
    const aborted = rejection(slow, HttpFetchError);
    await until(() => got === 'part');
    const others = [1, 2, 3].map((i) => fetch(`/${i}`));
    controller.abort();
    expect((await aborted).code).toBe('aborted');
    expect(await Promise.all(others)).toHaveLength(3);
    expect(site.sessions).toHaveLength(1);
  });

  it('at the byte cap resets its stream, and the rest is not read', async () => {
    let sent = 0;
    await open((stream, headers) => {
      if (headers[':path'] === '/small') return reply(stream, 'x');
      stream.respond({ ':status': 200 });
      const pump = () => {
        while (!stream.destroyed && stream.write(Buffer.alloc(65_536))) sent += 65_536;
        if (!stream.destroyed) stream.once('drain', pump);
      };
      pump();
    });
    const response = await fetch('/', { maxBytes: 100_000 });
    expect([response.body.length, response.truncation]).toEqual([100_000, 'byte_cap']);
    await until(() => site.closed.length === 1);
    expect(sent).toBeLessThan(20_000_000);
    expect((await fetch('/small')).reused).toBe(true);
  });

  it('of a bomb stops at the cap', async () => {
    const bomb = gzipSync(Buffer.alloc(100_000_000), { level: constants.Z_BEST_COMPRESSION });
    await open((stream) => reply(stream, bomb, { 'content-encoding': 'gzip' }));
    const response = await fetch('/', { maxBytes: 1_000_000 });
    expect([response.body.length, response.truncation]).toEqual([1_000_000, 'byte_cap']);
  });

  it('without headers retires nothing as long as the server acknowledges pings', async () => {
    await open(slowOrWhole, { headersTimeoutMs: 150 });
    expect((await rejection(fetch('/hang'), HttpFetchError)).code).toBe('headers_timeout');
    // A busy machine may be too late for that limit, too.
    const next = await until(() => fetch('/'), { what: 'a response within the limit' });
    expect([next.reused, site.sessions.length]).toEqual([true, 1]);
  });
});

describe('a server that disconnects', () => {
  it('mid-way: unprocessed requests are sent again on a new connection', async () => {
    await open((stream, headers) => {
      if (site.sessions.length > 1) return reply(stream, 'second');
      if (headers[':path'] === '/last') stream.session?.goaway(0, (stream.id ?? 0) - 2);
      else setTimeout(() => reply(stream, 'first'), 50);
    });
    const first = fetch('/first');
    await until(() => site.requests.length === 1);
    const last = await fetch('/last', { method: 'POST', body: 'x' });
    expect([text(last.body), text((await first).body)]).toEqual(['second', 'first']);
    expect(site.sessions).toHaveLength(2);
  });

  it('refusing a stream is asked once more, on a new connection', async () => {
    await open((stream) => {
      if (site.sessions.length === 1) stream.close(NGHTTP2_REFUSED_STREAM);
      else reply(stream, 'second');
    });
    expect(text((await fetch('/')).body)).toBe('second');
    expect(site.requests).toHaveLength(2);
  });

  it('refusing for ever is reported after the second time', async () => {
    await open((stream) => stream.close(NGHTTP2_REFUSED_STREAM));
    const error = await rejection(fetch('/'), HttpFetchError);
    expect([error.errorClass, error.code, site.requests.length]).toEqual([
      'network',
      'stream_refused',
      2,
    ]);
  });

  it.each([
    ['GET', 'second', 3],
    ['POST', null, 2],
  ] as const)('without a response on a reused connection: %s', async (method, body, requests) => {
    await open((stream) => {
      if (site.requests.length === 2) stream.session?.socket.destroy();
      else reply(stream, site.requests.length === 1 ? 'first' : 'second');
    });
    await fetch('/');
    const outcome = await fetch('/', { method, ...(method === 'POST' ? { body: 'x' } : {}) }).then(
      (response) => text(response.body),
      (error: unknown) => (error instanceof HttpFetchError ? null : error),
    );
    expect([outcome, site.requests.length]).toEqual([body, requests]);
  });

  it('in mid-body leaves the received part, marked as cut', async () => {
    await open((stream) => {
      stream.respond({ ':status': 200 });
      stream.write('part');
    });
    const response = await fetch('/', { onData: () => site.sessions[0]?.destroy() });
    expect([text(response.body), response.truncation]).toEqual(['part', 'stream_end']);
  });

  it('short of its Content-Length is cut as well', async () => {
    await open((stream) => reply(stream, 'abc', { 'content-length': 10 }));
    const response = await fetch('/');
    expect([text(response.body), response.truncation]).toEqual(['abc', 'stream_end']);
  });

  it('while idle is replaced', async () => {
    await open((stream) => reply(stream, 'x'));
    await fetch('/');
    site.sessions[0]?.destroy();
    await until(() => site.sockets.size === 0);
    expect((await fetch('/')).reused).toBe(false);
  });
});

describe('headers past the limits', () => {
  it.each<[string, http2.OutgoingHttpHeaders]>([
    ['one huge field', { 'x-big': 'x'.repeat(40_000) }],
    ['too many fields', { 'x-a': Array.from({ length: 400 }, () => 'y') }],
  ])('%s', async (_name, headers) => {
    await open((stream, { ':path': path }) => reply(stream, 'x', path === '/ok' ? {} : headers));
    for (let i = 0; i < 2; i++) {
      const error = await rejection(fetch('/'), HttpFetchError);
      expect([error.errorClass, error.code]).toEqual(['parse_error', 'headers_too_large']);
    }
    expect((await fetch('/ok')).status).toBe(200);
    expect(site.sessions).toHaveLength(1);
  });
});

describe('a server that breaks the protocol', () => {
  const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));
  const HEADERS = 1;
  const CONTINUATION = 9;
  const END_HEADERS = 4;
  /** `:status: 200` from the static table of HPACK. */
  const STATUS_200 = Buffer.from([0x88]);

  async function fetchFrom(respond: (socket: net.Socket) => void): Promise<HttpFetchError> {
    const server = tls.createServer({ key: TEST_KEY, cert: TEST_CERT, ALPNProtocols: ['h2'] });
    const sockets = new Set<net.Socket>();
    server.on('secureConnection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.write(SETTINGS);
      // The preface and the request come together.
      socket.once('data', () => setImmediate(() => respond(socket)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { client } = createClient([port], { ca: [TEST_CA] });
    try {
      const deadline = Deadline.after(60_000);
      return await rejection(
        client.fetch(get(`https://site.example:${port}/`, { deadline })),
        HttpFetchError,
      );
    } finally {
      await client.close();
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  }

  it.each<[string, (socket: net.Socket) => void, string]>([
    [
      'a flood of CONTINUATION',
      (socket) => {
        socket.write(frame(HEADERS, 0, 1, STATUS_200));
        for (let i = 0; i < 10_000; i++) socket.write(frame(CONTINUATION, 0, 1, Buffer.alloc(0)));
      },
      'parse_error',
    ],
    ['HTTP/1.1 after all', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n'), 'parse_error'],
    [
      'an unpackable header block',
      (socket) =>
        socket.write(frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0xff]))),
      'parse_error',
    ],
    [
      'a frame on an unopened stream',
      (socket) => socket.write(frame(0, 0, 77, STATUS_200)),
      'parse_error',
    ],
    [
      'a header list that is huge once unpacked',
      (socket) => {
        // A field of 3,000 bytes that enters the table, and 40 references of one byte to it.
        const field = Buffer.concat([
          Buffer.from([0x40, 1, 0x61, 0x7f, 0xb9, 0x16]),
          Buffer.alloc(3_000, 'y'),
        ]);
        const block = Buffer.concat([STATUS_200, field, Buffer.alloc(40, 0xbe)]);
        socket.write(frame(HEADERS, END_HEADERS, 1, block));
      },
      'parse_error',
    ],
    ['a hang-up', (socket) => socket.destroy(), 'network'],
  ])('%s', async (_name, respond, errorClass) => {
    const error = await fetchFrom(respond);
    expect([error.errorClass, error.code]).toEqual([errorClass, expect.any(String)]);
  });
});

describe('falling back', () => {
  it('speaks HTTP/1.1 to a server that does not offer more', async () => {
    const old = await RawServer.start((socket) => socket.write(responseOf('old')), {
      tls: { key: TEST_KEY, cert: TEST_CERT },
    });
    const { client } = createClient([old.port], { ca: [TEST_CA], maxConnectionsPerOrigin: 4 });
    const url = `https://site.example:${old.port}/`;
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => client.fetch(get(url))));
    expect(all.map(({ protocol }) => protocol)).toEqual(['h1', 'h1', 'h1', 'h1', 'h1']);
    expect(old.connections).toBeLessThanOrEqual(4);
    await client.close();
    await old.close();
  });

  it('does not offer HTTP/2 when the option forbids it', async () => {
    await open((stream) => reply(stream, 'x'), { allowH2: false }, { allowHTTP1: false });
    await rejection(fetch('/'), HttpFetchError);
    expect(site.sessions).toHaveLength(0);
  });
});

describe('connections', () => {
  it('idle too long are closed', async () => {
    await open((stream) => reply(stream, 'x'), { keepAliveMs: 100 });
    await fetch('/');
    await until(() => site.sockets.size === 0);
    expect((await fetch('/')).reused).toBe(false);
  });

  it('past the cap of idle ones are closed', async () => {
    await open((stream) => reply(stream, 'x'), { maxIdleConnections: 0 });
    await fetch('/');
    await until(() => site.sockets.size === 0);
  });

  it('are closed with the client, which leaves nothing open', async () => {
    const leaks = startLeakCheck();
    await open((stream) => reply(stream, 'x'));
    await Promise.all(Array.from({ length: 10 }, (_, i) => fetch(`/${i}`)));
    for (const close of closers.splice(0)) await close();
    await leaks.assertClean();
    await expect(fetch('/')).rejects.toThrow();
  });
});
