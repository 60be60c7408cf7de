import type { Readable } from 'node:stream';
import { BlobTooLargeError } from './blob-errors.js';

/** The whole stream in memory. Stops reading, and rejects, above `maxBytes`. @throws BlobTooLargeError */
export async function readAll(stream: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new BlobTooLargeError(`The blob has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}
