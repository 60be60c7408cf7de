import { MAX_ZIP_BYTES, MAX_ZIP_PART_BYTES } from '../limits.js';
import { tinyZip } from './fixtures/tiny-zip.js';
import { caselessNames, unpackZip } from './unpack-zip.js';

describe('unpackZip', () => {
  it('cuts what may be cut in favor of what is needed whole, and leaves out what has no room', () => {
    const large = new Uint8Array(MAX_ZIP_PART_BYTES);
    const whole = new Uint8Array(20_000_000);
    const archive = tinyZip({ a1: large, a2: large, a3: 'x', whole }, { isStored: true });
    const cut = new Set<string>();
    const parts = unpackZip(archive, /./, { names: /^a/, cut });
    const room = MAX_ZIP_BYTES - whole.length - MAX_ZIP_PART_BYTES;
    expect([...parts].map(([name, { length }]) => [name, length])).toEqual([
      ['whole', whole.length],
      ['a1', MAX_ZIP_PART_BYTES],
      ['a2', room],
    ]);
    expect([...cut]).toEqual(['a1', 'a2', 'a3']);
  });
});

describe('caselessNames', () => {
  it.each([
    ['a', 'a'],
    ['A', 'A'],
    ['B', 'b'],
    ['c', 'c'],
  ])('finds %j as %j', (name, found) => {
    const parts = new Map(['a', 'A', 'b'].map((one) => [one, new Uint8Array()]));
    expect(caselessNames(parts)(name)).toBe(found);
  });
});
