import { deflateRawSync, deflateSync } from 'node:zlib';
import { inflateAtMost } from './inflate.js';

describe('inflateAtMost', () => {
  const bytes = Buffer.from('High water is at six. '.repeat(10_000));

  it('unpacks up to its limit and no further', () => {
    const packed = deflateSync(bytes);
    expect(inflateAtMost(packed, { maxBytes: bytes.length })).toEqual(bytes);
    expect(inflateAtMost(packed, { maxBytes: bytes.length - 1 })).toBe('too_large');
    expect(inflateAtMost(deflateRawSync(bytes), { raw: true, maxBytes: bytes.length })).toEqual(
      bytes,
    );
  });

  it('leaves out what is beyond its limit where that is wanted', () => {
    const packed = deflateSync(bytes);
    const cut = (maxBytes: number) => inflateAtMost(packed, { maxBytes, cuts: true });
    expect(cut(bytes.length)).toEqual(bytes);
    expect(cut(100_000)).toEqual(bytes.subarray(0, 100_000));
    expect(cut(0)).toEqual(Buffer.alloc(0));
  });

  it('ignores bytes behind the stream', () => {
    const packed = Buffer.concat([deflateSync(bytes), Buffer.from('\nendstream')]);
    expect(inflateAtMost(packed, { maxBytes: bytes.length })).toEqual(bytes);
  });

  it.each([
    ['cut', deflateSync(bytes).subarray(0, -20)],
    ['empty', new Uint8Array()],
    ['no deflate', Buffer.from('plain text')],
    ['changed', deflateSync(bytes).fill(255, 40, 60)],
  ])('finds damage in what is %s', (_, packed) => {
    expect(inflateAtMost(packed, { maxBytes: 1_000_000 })).toBe('damaged');
  });
});
