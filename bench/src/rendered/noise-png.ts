import { crc32, deflateSync } from 'node:zlib';
import { seededRandom } from '@app/testing';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BYTES_PER_PIXEL = 3;

/** A picture of noise that decodes: what does not compress has the size of its pixels. */
export function noisePng(seed: number, width: number, height: number): Buffer {
  const rowBytes = 1 + width * BYTES_PER_PIXEL;
  const rows = Buffer.from(noise(seed, rowBytes * height));
  // The first byte of a row names its filter; 0 is none.
  for (let row = 0; row < height; row++) rows[row * rowBytes] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, true colour.
  header.set([8, 2], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Bytes that nothing can be made of, the same for the same seed. */
export function noise(seed: number, bytes: number): Uint8Array {
  const random = seededRandom(seed);
  return Uint8Array.from({ length: bytes }, () => random.int(0, 255));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
