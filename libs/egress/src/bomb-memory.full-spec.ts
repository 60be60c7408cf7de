import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { projectNode } from '@app/testing';
import { transformSync } from '@swc/core';

const MIB = 1024 ** 2;
/** The default of FETCH_MAX_BYTES. */
const MAX_BYTES = 10 * MIB;
/** Allowed growth of a process while it decodes one body, whatever that body is. */
const MAX_GROWTH_MIB = 64;

/**
 * Decodes a file as a body under the cap, and prints by how much the peak of the process lies above
 * its size after a small body. A process of its own, because the peak belongs to the whole process.
 * It ends by itself: Node 24 can hang in process.exit() while zlib works on a chunk in its thread pool.
 */
const CHILD = `
import { readFileSync } from 'node:fs';
import zlib from 'node:zlib';
import { BodySink } from './body-sink.js';
import { ContentDecoder, parseCodings } from './content-decoder.js';

function decode(body, encoding) {
  return new Promise((resolve) => {
    const sink = new BodySink(${MAX_BYTES});
    let drained = () => undefined;
    const finish = (end) => resolve({ end, bytes: sink.byteLength });
    const decoder = new ContentDecoder(parseCodings(encoding), ${MAX_BYTES}, {
      onData: (chunk) => sink.push(chunk) || (finish('cap'), false),
      onEnd: (error) => finish(error === null ? 'end' : error.constructor.name + ' ' + (error.code ?? '')),
      onDrain: () => drained(),
    });
    void (async () => {
      for (let at = 0; at < body.length; at += 16384) {
        if (!decoder.write(body.subarray(at, at + 16384))) await new Promise((resume) => (drained = resume));
        else await new Promise(setImmediate);
      }
      decoder.end();
    })();
  });
}

await decode(zlib.gzipSync(Buffer.alloc(500000, 'warm')), 'gzip');
const body = readFileSync(process.argv[2]);
gc();
const before = process.memoryUsage.rss();
const outcome = await decode(body, process.argv[3]);
const [, peakKb] = /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
console.log(JSON.stringify({ ...outcome, grownBytes: peakKb * 1024 - before }));
`;

function compile(folder: string): void {
  for (const name of ['body-sink', 'content-decoder']) {
    const { code } = transformSync(readFileSync(path.join(__dirname, `${name}.ts`), 'utf8'), {
      swcrc: false,
      module: { type: 'es6' },
      jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    });
    writeFileSync(path.join(folder, `${name}.js`), code);
  }
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'child.js'), CHILD);
}

interface Measured {
  readonly end: string;
  readonly bytes: number;
  readonly grownBytes: number;
}

async function measure(folder: string, body: Buffer, encoding: string): Promise<Measured> {
  const file = path.join(folder, 'body');
  writeFileSync(file, body);
  const args = ['--expose-gc', path.join(folder, 'child.js'), file, encoding];
  const { stdout } = await promisify(execFile)(projectNode(), args);
  return JSON.parse(stdout) as Measured;
}

/** Zeros compressed piece by piece: without a known length, a frame has its whole window. */
async function packed(encoder: zlib.ZstdCompress | zlib.BrotliCompress | zlib.Gzip, bytes: number) {
  const parts: Buffer[] = [];
  encoder.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => encoder.on('end', resolve));
  const zeros = Buffer.alloc(MIB);
  for (let written = 0; written < bytes; written += MIB) {
    if (!encoder.write(zeros)) await new Promise((resolve) => encoder.once('drain', resolve));
  }
  encoder.end();
  await ended;
  return Buffer.concat(parts);
}

const { constants } = zlib;
const zstd = (windowLog: number) =>
  zlib.createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } });
const brotli = (isLarge = false) =>
  zlib.createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_LARGE_WINDOW]: isLarge,
      [constants.BROTLI_PARAM_LGWIN]: isLarge ? 28 : 24,
    },
  });
/** A frame that claims a window of 2 GB (RFC 8878 3.1.1.1.2) and holds a block of one repeated byte. */
const HUGE_WINDOW = Buffer.from('28b52ffd00a80300080041', 'hex');
/** A frame with a window of 2 MB, and blocks of no bytes without a last one (RFC 8878 3.1.1.2). */
const emptyBlocks = (bytes: number) =>
  Buffer.concat([Buffer.from('28b52ffd0058', 'hex'), Buffer.alloc(bytes)]);

const MUCH = 400 * MIB;

const BOMBS: readonly (readonly [string, string, string, () => Promise<Buffer> | Buffer])[] = [
  ['zstd', 'zstd', 'cap', () => packed(zstd(23), MUCH)],
  ['zstd with a window of 128 MB', 'zstd', 'Error ZSTD_error_frameParameter_windowTooLarge', () => packed(zstd(27), MUCH)],
  ['zstd with a window of 2 GB', 'zstd', 'Error ZSTD_error_frameParameter_windowTooLarge', () => HUGE_WINDOW],
  ['zstd twice', 'zstd, zstd', 'cap', async () => zlib.zstdCompressSync(await packed(zstd(23), MUCH))],
  ['zstd blocks without content', 'zstd', 'LayerTooLargeError ', () => emptyBlocks(40 * MIB)],
  ['packed zstd blocks without content', 'zstd, gzip', 'LayerTooLargeError ', () => zlib.gzipSync(emptyBlocks(MUCH))],
  ['brotli', 'br', 'cap', () => packed(brotli(), MUCH)],
  ['brotli twice', 'br, br', 'cap', async () => zlib.brotliCompressSync(await packed(brotli(), MUCH))],
  ['brotli with a large window', 'br', 'Error ERR__ERROR_FORMAT_WINDOW_BITS', () => packed(brotli(true), MUCH)],
  ['gzip', 'gzip', 'cap', () => packed(zlib.createGzip(), MUCH)],
  ['gzip twice', 'gzip, gzip', 'cap', async () => zlib.gzipSync(await packed(zlib.createGzip(), MUCH))],
  ['a million gzip members', 'gzip', 'LayerTooLargeError ', () => Buffer.alloc(20_000_000, zlib.gzipSync(''))],
  ['a packed million gzip members', 'gzip, gzip', 'LayerTooLargeError ', () => zlib.gzipSync(Buffer.alloc(20_000_000, zlib.gzipSync('')))],
  ['raw deflate', 'deflate', 'cap', () => packed(zlib.createDeflateRaw(), MUCH)],
  ['garbage after the end', 'gzip', 'end', () => Buffer.concat([zlib.gzipSync('x'), Buffer.alloc(8 * MIB)])],
]; // prettier-ignore

describe('memory of decoding one body', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'trawl-decoder-'));
    compile(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(BOMBS)('stays below 64 MB above a small one: %s', async (_name, encoding, end, build) => {
    const measured = await measure(folder, await build(), encoding);
    expect(measured.end).toBe(end);
    expect(measured.bytes).toBeLessThanOrEqual(MAX_BYTES);
    expect(Math.round(measured.grownBytes / MIB)).toBeLessThan(MAX_GROWTH_MIB);
  });
});
