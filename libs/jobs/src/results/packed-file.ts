import { Readable } from 'node:stream';
import type { BlobStore } from '@app/blobs';
import { gathered } from './gathered.js';
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
