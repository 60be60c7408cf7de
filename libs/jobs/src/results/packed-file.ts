import { Readable } from 'node:stream';
import type { BlobStore } from '@app/blobs';
import { gathered } from './gathered.js';
import { inflatedFrames } from './zstd-frames.js';

/** How the key of a file of zstd frames ends. Others, as jobs of before have them, are what they seem. */
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
