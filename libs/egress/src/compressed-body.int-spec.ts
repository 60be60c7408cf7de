import zlib from 'node:zlib';
import { createClient, get } from '../test/client-fixture.js';
import { RawServer, responseOf } from '../test/raw-server.js';
import { rejection } from '../test/rejection.js';
import { HttpFetchError } from './http-fetch-error.js';
import type { HttpRequest } from './http-message.js';

const PAGE = Array.from({ length: 20_000 }, (_, i) => `<p>${i} ${Math.sin(i)}</p>`).join('\n');
const SMALL = PAGE.slice(0, 5_000);

async function fetchBody(body: Buffer, encoding: string, overrides: Partial<HttpRequest> = {}) {
  const site = await RawServer.start((socket) =>
    socket.write(responseOf(body, { 'Content-Encoding': encoding })),
  );
  const { client } = createClient([site.port]);
  try {
    return await client.fetch(get(`http://site.example:${site.port}/`, overrides));
  } finally {
    await client.close();
    await site.close();
  }
}

const textOf = (body: Uint8Array) => Buffer.from(body).toString();

const ENCODERS: readonly (readonly [string, (input: Buffer) => Buffer])[] = [
  ['gzip', zlib.gzipSync],
  ['x-gzip', zlib.gzipSync],
  ['deflate', zlib.deflateSync],
  ['deflate', zlib.deflateRawSync],
  ['br', zlib.brotliCompressSync],
  ['zstd', zlib.zstdCompressSync],
];

describe('a compressed body', () => {
  it.each(ENCODERS)('in %s is decoded, short and long', async (encoding, encode) => {
    for (const text of [SMALL, PAGE]) {
      const response = await fetchBody(encode(Buffer.from(text)), encoding);
      expect(response.truncated).toBe(false);
      expect(textOf(response.body) === text).toBe(true);
      expect(response.body.buffer.byteLength).toBe(response.body.byteLength);
    }
  });

  it.each([
    ['gzip, br', (input: Buffer) => zlib.brotliCompressSync(zlib.gzipSync(input))],
    ['zstd, gzip', (input: Buffer) => zlib.gzipSync(zlib.zstdCompressSync(input))],
    ['gzip, gzip', (input: Buffer) => zlib.gzipSync(zlib.gzipSync(input))],
    ['identity, gzip', (input: Buffer) => zlib.gzipSync(input)],
    ['identity, gzip, identity,, gzip', (input: Buffer) => zlib.gzipSync(zlib.gzipSync(input))],
    [`${', '.repeat(5_000)}gzip`, (input: Buffer) => zlib.gzipSync(input)],
    ['GZip', (input: Buffer) => zlib.gzipSync(input)],
    ['utf-8', (input: Buffer) => input],
    ['none', (input: Buffer) => input],
    ['', (input: Buffer) => input],
  ])('in layers of "%s" is decoded', async (encoding, encode) => {
    const response = await fetchBody(encode(Buffer.from(PAGE)), encoding);
    expect(textOf(response.body) === PAGE).toBe(true);
  });

  it.each(ENCODERS)('in %s is returned as sent on request', async (encoding, encode) => {
    const sent = encode(Buffer.from(PAGE));
    const whole = await fetchBody(sent, encoding, { keepsEncoding: true });
    expect([Buffer.from(whole.body).equals(sent), whole.truncation]).toEqual([true, null]);
    const cut = await fetchBody(sent, encoding, { keepsEncoding: true, maxBytes: 100 });
    expect([cut.body.length, cut.truncation]).toEqual([100, 'byte_cap']);
  });

  it.each([
    'gzip, gzip, gzip',
    'zstd, zstd, zstd, zstd',
    'gzip, identity, br, none, gzip',
    `gzip, gzip${', '.repeat(5_000)}gzip`,
  ])('in more than two layers is refused: %.40s', async (encoding) => {
    const error = await rejection(fetchBody(Buffer.from('x'), encoding), HttpFetchError);
    expect([error.errorClass, error.code]).toEqual(['parse_error', 'content_encoding_too_deep']);
  });

  it('with more in its outer layer than a body may hold, and no content, is a parse error', async () => {
    const members = Buffer.alloc(5_000_000, zlib.gzipSync(''));
    const error = await rejection(
      fetchBody(zlib.gzipSync(members), 'gzip, gzip', { maxBytes: 100_000 }),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['parse_error', 'content_decoding_too_large']);
  });

  it('with an outer layer that grows too large after some content gives that content', async () => {
    const members = Buffer.concat([
      zlib.gzipSync('some content'),
      Buffer.alloc(5_000_000, zlib.gzipSync('')),
    ]);
    for (const [body, encoding] of [
      [members, 'gzip'],
      [zlib.gzipSync(members), 'gzip, gzip'],
    ] as const) {
      const response = await fetchBody(body, encoding, { maxBytes: 100_000 });
      expect([textOf(response.body), response.truncation]).toEqual(['some content', 'byte_cap']);
    }
  });

  it('of several gzip members is read whole, garbage after them is not', async () => {
    const body = Buffer.concat([
      zlib.gzipSync('one '),
      zlib.gzipSync('two'),
      Buffer.from('\0\0\0garbage'),
    ]);
    expect(textOf((await fetchBody(body, 'gzip')).body)).toBe('one two');
  });

  it.each(ENCODERS)(
    'in %s that is cut short returns the received part',
    async (encoding, encode) => {
      // A zstd block is decoded whole or not at all, so a short page has no part.
      for (const text of encoding === 'zstd' ? [PAGE] : [SMALL, PAGE]) {
        const whole = encode(Buffer.from(text));
        const response = await fetchBody(
          whole.subarray(0, Math.floor(whole.length * 0.8)),
          encoding,
        );
        expect(response.truncation).toBe('decode');
        expect(text.startsWith(textOf(response.body))).toBe(true);
        expect(response.body.length).toBeGreaterThan(0);
      }
    },
  );

  it.each(ENCODERS)('that claims %s and is something else is a parse error', async (encoding) => {
    const error = await rejection(
      fetchBody(Buffer.from('\x11\xff<html>'), encoding),
      HttpFetchError,
    );
    expect([error.errorClass, error.code]).toEqual(['parse_error', 'content_decoding_failed']);
  });

  it('broken in the middle returns the part before', async () => {
    const whole = zlib.gzipSync(PAGE);
    whole.fill(0xff, Math.floor(whole.length / 2), Math.floor(whole.length / 2) + 64);
    const response = await fetchBody(whole, 'gzip');
    expect(response.truncated).toBe(true);
    expect(response.body.length).toBeGreaterThan(10_000);
  });
});

describe('a decompression bomb', () => {
  const MAX_BYTES = 1_000_000;
  const INFLATED_BYTES = 200_000_000;

  /** Compresses zeros piece by piece, so the test itself stays small. */
  async function bomb(encoder: NodeJS.ReadWriteStream): Promise<Buffer> {
    const zeros = Buffer.alloc(1_000_000);
    const parts: Buffer[] = [];
    encoder.on('data', (part: Buffer) => parts.push(part));
    const ended = new Promise((resolve) => encoder.on('end', resolve));
    for (let bytes = 0; bytes < INFLATED_BYTES; bytes += zeros.length) {
      if (!encoder.write(zeros)) await new Promise((resolve) => encoder.once('drain', resolve));
    }
    encoder.end();
    await ended;
    return Buffer.concat(parts);
  }

  it.each([
    ['gzip', () => bomb(zlib.createGzip({ level: 1 }))],
    ['deflate', () => bomb(zlib.createDeflate({ level: 1 }))],
    [
      'br',
      () =>
        bomb(zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })),
    ],
    ['zstd', () => bomb(zlib.createZstdCompress())],
    ['gzip, gzip', async () => zlib.gzipSync(await bomb(zlib.createGzip({ level: 1 })))],
  ])('of 200 MB in %s is cut at the cap, in memory too', async (encoding, make) => {
    const body = await make();
    const before = process.memoryUsage.rss();
    const response = await fetchBody(body, encoding, { maxBytes: MAX_BYTES });
    expect([response.body.length, response.truncation]).toEqual([MAX_BYTES, 'byte_cap']);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60_000_000);
  });
});
