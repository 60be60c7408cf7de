import { Readable } from 'node:stream';
import type { BlobStore } from '@app/blobs';
import { inflatedFrames } from './zstd-frames.js';

/**
 * Key suffix of a file of zstd frames. Files with other keys, from earlier jobs, are not
 * compressed.
 */
export const PACKED_SUFFIX = '.zst';

export function isPacked(key: string): boolean {
  return key.endsWith(PACKED_SUFFIX);
}

/** The content of a packed file, inflated as fast as the reader takes it; destroying it ends the download. */
export async function openUnpacked(blobs: BlobStore, key: string): Promise<Readable> {
  const source = await blobs.get(key);
  async function* content(): AsyncGenerator<Buffer> {
    try {
      yield* gathered(inflatedFrames(source as AsyncIterable<Buffer>));
    } finally {
      source.destroy();
    }
  }
  return Readable.from(content(), { objectMode: false });
}

const GATHER_BYTES = 64 * 1024;

/** The same bytes in fewer chunks: documents and the commas between them are not a write each. */
export async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    bytes += chunk.length;
    if (bytes < GATHER_BYTES) continue;
    yield Buffer.concat(held, bytes);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held, bytes);
}
