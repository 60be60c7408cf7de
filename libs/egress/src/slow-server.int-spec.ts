import net from 'node:net';
import zlib from 'node:zlib';
import { Deadline } from '@app/contracts';
import { until } from '@app/testing';
import { createClient, get } from '../test/client-fixture.js';
import { holdDeadline } from '../test/held-deadline.js';
import { RawServer, type Script } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { ContentDecoder } from './content-decoder.js';
import { EgressGuard } from './guard.js';
import { parseAllowPrivate } from './allow-private.js';
import { HttpFetchError } from './http-fetch-error.js';
import { DnsResolver, type Resolver } from './resolver.js';

const DEADLINE_MS = 300;
/** The promise of the service: a response within half a second after the deadline. */
const GRACE_MS = 500;

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n';

/** Writes one byte at a time for as long as the socket lives. */
function drip(socket: net.Socket, first: string, forever: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(forever), 20);
  socket.on('close', () => clearInterval(timer));
}

const TARPITS: readonly (readonly [string, Script, string])[] = [
  ['accepts and says nothing', () => undefined, ''],
  ['sends half a status line', (socket) => socket.write('HTTP/1.1 2'), ''],
  ['sends a header byte at a time', (socket) => drip(socket, `${HEAD}X-Slow: `, 'a'), ''],
  ['sends headers without end', (socket) => drip(socket, HEAD, 'A: b\r\n'), ''],
  ['sends headers and no body', (socket) => socket.write(`${HEAD}Content-Length: 10\r\n\r\n`), ''],
  [
    'sends a body byte at a time',
    (socket) => drip(socket, `${HEAD}Content-Length: 999999\r\n\r\nstart`, 'x'),
    'start',
  ],
  ['sends a body without end', (socket) => drip(socket, `${HEAD}\r\nstart`, 'x'), 'start'],
  [
    'sends chunks without end',
    (socket) =>
      drip(socket, `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\nstart\r\n`, '1\r\nx\r\n'),
    'start',
  ],
  [
    'sends a redirect with an endless body',
    (socket) => drip(socket, 'HTTP/1.1 302 Found\r\nLocation: /x\r\n\r\n', 'x'),
    '',
  ],
];

describe('a server that', () => {
  afterEach(() => jest.restoreAllMocks());

  it.each(TARPITS)('%s is left at the deadline', async (_name, script, start) => {
    const site = await RawServer.start(script);
    const { client } = createClient([site.port]);
    const fetched = client.fetch(
      get(`http://site.example:${site.port}/`, { deadline: Deadline.after(DEADLINE_MS) }),
    );
    // A timer, and not the time: a busy machine is as late for the one as for the other.
    let isLate = false;
    const grace = setTimeout(() => (isLate = true), DEADLINE_MS + GRACE_MS);
    const error = await rejection(fetched, HttpFetchError);
    expect(isLate).toBe(false);
    clearTimeout(grace);
    expect([error.errorClass, error.code]).toEqual(['timeout', 'deadline']);
    if (start === '') expect(error.partialBody ?? []).toHaveLength(0);
    await until(() => site.sockets.size === 0, { what: 'the socket to close' });
    await client.close();
    await site.close();
  });

  it.each(TARPITS.filter(([, , start]) => start !== ''))(
    '%s is left at the deadline with what was got',
    async (_name, script, start) => {
      const site = await RawServer.start(script);
      const { client } = createClient([site.port]);
      const { deadline, pass } = holdDeadline();
      let got = '';
      const onData = (chunk: Uint8Array) => void (got += Buffer.from(chunk).toString());
      const fetched = rejection(
        client.fetch(get(`http://site.example:${site.port}/`, { deadline, onData })),
        HttpFetchError,
      );
      await until(() => got.startsWith(start), { what: 'the start of the body' });
      pass();
      const error = await fetched;
      expect([error.errorClass, error.code]).toEqual(['timeout', 'deadline']);
      expect(
        Buffer.from(error.partialBody ?? [])
          .toString()
          .slice(0, 5),
      ).toBe(start);
      await until(() => site.sockets.size === 0, { what: 'the socket to close' });
      await client.close();
      await site.close();
    },
  );

  it.each([
    ['gzip', zlib.gzipSync('hello '.repeat(100))],
    ['br', zlib.brotliCompressSync('hello '.repeat(100))],
    ['deflate', zlib.deflateSync('hello '.repeat(100))],
    ['gzip, gzip', zlib.gzipSync(zlib.gzipSync('hello '.repeat(100)))],
  ])('stops in the middle of a %s body leaves a decoded partial', async (coding, body) => {
    const site = await RawServer.start((socket) => {
      socket.write(
        `${HEAD}Content-Encoding: ${coding}\r\nContent-Length: ${body.length + 8}\r\n\r\n`,
      );
      socket.write(body);
    });
    const { client } = createClient([site.port]);
    const { deadline, pass } = holdDeadline();
    const writes = jest.spyOn(ContentDecoder.prototype, 'write');
    let decodedBytes = 0;
    const onData = (chunk: Uint8Array) => void (decodedBytes += chunk.byteLength);
    const fetched = rejection(
      client.fetch(get(`http://site.example:${site.port}/`, { deadline, onData })),
      HttpFetchError,
    );
    // One layer is decoded at the deadline, two are while they come.
    const isHere = () =>
      coding.includes(',')
        ? decodedBytes >= 600
        : writes.mock.calls.flatMap(([chunk]) => [...chunk]).length >= body.length;
    await until(isHere, { what: 'the body' });
    pass();
    const { partial } = await fetched;
    expect(Buffer.from(partial?.body ?? []).toString()).toMatch(/^(hello ){100}/);
    expect([partial?.status, partial?.truncation]).toEqual([200, 'deadline']);
    await client.close();
    await site.close();
  });

  it('never finishes the TLS handshake is left at the deadline', async () => {
    const site = await RawServer.start(() => undefined);
    const { client } = createClient([site.port]);
    const fetched = client.fetch(
      get(`https://site.example:${site.port}/`, { deadline: Deadline.after(DEADLINE_MS) }),
    );
    const error = await rejection(fetched, HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['timeout', 'deadline']);
    await until(() => site.sockets.size === 0);
    await client.close();
    await site.close();
  });

  it('never finishes the TLS handshake is left at the connect timeout', async () => {
    const site = await RawServer.start(() => undefined);
    const { client } = createClient([site.port], { connectTimeoutMs: 100 });
    const error = await rejection(
      client.fetch(get(`https://site.example:${site.port}/`)),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['timeout', 'connect_timeout']);
    await client.close();
    await site.close();
  });

  it('sends no headers is left at the headers timeout', async () => {
    const site = await RawServer.start(() => undefined);
    const { client } = createClient([site.port], { headersTimeoutMs: 100 });
    const error = await rejection(
      client.fetch(get(`http://site.example:${site.port}/`)),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['timeout', 'headers_timeout']);
    await client.close();
    await site.close();
  });
});

describe('a name server that never answers', () => {
  it('is left at the deadline', async () => {
    const resolver: Resolver = { resolve: () => new Promise(() => undefined) };
    const guard = new EgressGuard({ resolver });
    const { client } = createClient([], { guard });
    const error = await rejection(
      client.fetch(get('http://site.example/', { deadline: Deadline.after(DEADLINE_MS) })),
      HttpFetchError,
    );
    expect(error).toMatchObject({ errorClass: 'timeout', code: 'deadline' });
  });

  it('is left at the resolver timeout', async () => {
    const silent = await new Promise<net.Server>((resolve) => {
      const server = net.createServer().listen(0, '127.0.0.1', () => resolve(server));
    });
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const guard = new EgressGuard({ resolver: new DnsResolver(200, [`127.0.0.1:${port}`]) });
    const { client } = createClient([], { guard });
    const error = await rejection(client.fetch(get('http://site.example/')), HttpFetchError);
    expect(['ETIMEOUT', 'ECONNREFUSED']).toContain(error.code);
    silent.close();
  });
});

describe('the caller', () => {
  it.each([
    ['before the request', 0],
    ['during it', 1],
  ])('who aborts %s is heard at once, down to the socket', async (_when, heads) => {
    const site = await RawServer.start(() => undefined);
    const { client } = createClient([site.port]);
    const controller = new AbortController();
    if (heads === 0) controller.abort();
    const fetched = rejection(
      client.fetch(get(`http://site.example:${site.port}/`, { signal: controller.signal })),
      HttpFetchError,
    );
    await until(() => site.heads.length === heads);
    controller.abort();
    expect((await fetched).code).toBe('aborted');
    await until(() => site.sockets.size === 0);
    expect(site.connections).toBe(heads);
    await client.close();
    await site.close();
  });

  it('with a deadline in the past gets no request sent', async () => {
    const site = await RawServer.start(() => undefined);
    const { client } = createClient([site.port]);
    const fetched = client.fetch(
      get(`http://site.example:${site.port}/`, { deadline: Deadline.after(0) }),
    );
    expect((await rejection(fetched, HttpFetchError)).code).toBe('deadline');
    expect(site.connections).toBe(0);
    await client.close();
    await site.close();
  });
});

describe('addresses that do not respond', () => {
  it('do not keep a good one waiting', async () => {
    const site = await RawServer.start((socket) =>
      socket.write(`${HEAD}Content-Length: 0\r\n\r\n`),
    );
    const guard = new EgressGuard({
      resolver: { resolve: async () => ['127.0.0.9', '::1', '127.0.0.1'] },
      allowPrivate: parseAllowPrivate(`many.example:${site.port}`),
    });
    const { client } = createClient([], { guard });
    const response = await client.fetch(get(`http://many.example:${site.port}/`));
    expect(response.remoteAddress).toBe('127.0.0.1');
    await client.close();
    await site.close();
  });
});
