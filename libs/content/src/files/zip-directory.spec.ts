import { tinyZip } from './fixtures/tiny-zip.js';
import { packedBytesOf, readZipDirectory, type ZipEntry } from './zip-directory.js';

const TEXT = 'High water is at six.';

/** An archive whose only entry has its sizes and its place in the field of ZIP64. */
function zip64(fields: readonly bigint[]): Buffer {
  const plain = Buffer.from(tinyZip({ a: TEXT }, { isStored: true }));
  const entry = plain.indexOf('PK\x01\x02', 'latin1');
  const end = plain.indexOf('PK\x05\x06', 'latin1');
  const extra = Buffer.alloc(8 + 4 + 8 * fields.length);
  // Another field before it.
  extra.writeUInt16LE(0x7075, 0);
  extra.writeUInt16LE(4, 2);
  extra.writeUInt16LE(1, 8);
  extra.writeUInt16LE(8 * fields.length, 10);
  for (const [index, value] of fields.entries()) extra.writeBigUInt64LE(value, 12 + 8 * index);
  const directory = Buffer.from(plain.subarray(entry, end));
  for (const place of [20, 24, 42]) directory.writeUInt32LE(0xffffffff, place);
  directory.writeUInt16LE(extra.length, 30);
  return Buffer.concat([plain.subarray(0, entry), directory, extra, plain.subarray(end)]);
}

const only = (bytes: Uint8Array): ZipEntry | undefined => readZipDirectory(bytes)?.[0];
const text = (bytes: Uint8Array): string | undefined => {
  const entry = only(bytes);
  const packed = entry && packedBytesOf(bytes, entry);
  return packed ? Buffer.from(packed).toString() : undefined;
};

describe('readZipDirectory', () => {
  it('reads sizes and places of ZIP64', () => {
    const size = BigInt(TEXT.length);
    const bytes = zip64([size, size, 0n]);
    expect(only(bytes)).toMatchObject({ name: 'a', bytes: TEXT.length, offset: 0 });
    expect(text(bytes)).toBe(TEXT);
  });

  it.each<[string, readonly bigint[]]>([
    ['are missing', []],
    ['are beyond the file', [1n, 1n << 40n, 0n]],
    ['are beyond all numbers', [1n, (1n << 64n) - 1n, (1n << 64n) - 1n]],
  ])('finds no part where they %s', (_, fields) => {
    expect(text(zip64(fields))).toBeUndefined();
  });
});
