import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { inflatedFrames, rawFrame, zstdFrames, ZstdFrameError } from './zstd-frames.js';

const RANDOM = Buffer.from(
  Array.from({ length: 300_000 }, (_, n) => (n * n * 31 + (n >> 3)) & 255),
);
const TEXTS = [
  '[',
  '{"a":1}',
  ',\n',
  'word '.repeat(100_000),
  '',
  RANDOM.toString('latin1'),
  ']\n',
];

const FRAMES = TEXTS.flatMap((text) => [
  zstdCompressSync(Buffer.from(text)),
  zstdCompressSync(Buffer.from(text), { params: { [constants.ZSTD_c_checksumFlag]: 1 } }),
  zstdCompressSync(Buffer.from(text), { pledgedSrcSize: Buffer.byteLength(text) }),
]);
const SKIPPABLE = Buffer.from('5a2a4d1803000000616263', 'hex');

async function* inPieces(bytes: Buffer, pieceBytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return all;
}

describe('zstd frames one after another', () => {
  const file = Buffer.concat([...FRAMES, SKIPPABLE, rawFrame('end')]);

  it.each([7, 1_000, 65_536, 1e9])(
    'are cut where they end, in pieces of %d bytes',
    async (size) => {
      const cut = await collect(zstdFrames(inPieces(file, size)));
      expect(cut.map((frame) => frame.length)).toEqual(
        [...FRAMES, SKIPPABLE, rawFrame('end')].map((frame) => frame.length),
      );
    },
  );

  it('are inflated frame by frame', async () => {
    const parts = await collect(inflatedFrames(inPieces(file, 10_000)));
    const expected = TEXTS.flatMap((text) => [text, text, text]).join('') + 'end';
    expect(Buffer.concat(parts).toString()).toBe(expected);
  });

  it.each([1, 4, 8, 20])('are refused when the last %d bytes are missing', async (missing) => {
    const cut = file.subarray(0, file.length - missing);
    await expect(collect(zstdFrames(inPieces(cut, 4_096)))).rejects.toThrow(ZstdFrameError);
  });

  it.each([
    ['something else', Buffer.from('{"a": 1}')],
    ['something else after a frame', Buffer.concat([rawFrame('['), Buffer.from('plain text')])],
    ['a reserved block', Buffer.from('28b52ffd2001070000', 'hex')],
    ['a frame without an end', Buffer.from(`28b52ffd0058${'f8ff7f'.repeat(3)}`, 'hex')],
  ])('are refused where there is %s', async (_, bytes) => {
    await expect(collect(zstdFrames(inPieces(bytes, 5)))).rejects.toThrow(ZstdFrameError);
  });

  it('end with their reader: the source is closed', async () => {
    let isClosed = false;
    async function* source(): AsyncGenerator<Buffer> {
      try {
        for (;;) yield rawFrame('again');
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of zstdFrames(source())) break;
    expect(isClosed).toBe(true);
  });
});

describe('a raw frame', () => {
  it.each(['[', ',\n', ']\n', 'ü'.repeat(127)])('holds %p for any decoder', (text) => {
    expect(zstdDecompressSync(rawFrame(text)).toString()).toBe(text);
    expect(rawFrame(text)).toHaveLength(9 + Buffer.byteLength(text));
  });

  it('is for a few bytes', () => {
    expect(() => rawFrame('x'.repeat(256))).toThrow(RangeError);
  });
});
