import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openBlobStore, type BlobStore } from '@app/blobs';
import type { Service } from './deployment.js';

/** What the service keeps, reached from outside. Close it. */
export function storageOf({ env }: Service): BlobStore {
  const folder = path.join(env['DATA_DIR'] ?? '', 'blobs');
  return openBlobStore({
    url: env['STORAGE_URL'] ?? pathToFileURL(folder).href,
    publicUrl: 'http://127.0.0.1:1',
    downloadSecret: new Uint8Array(32),
  });
}

/** Keys below a prefix that contain a text. */
export async function blobKeysWith(blobs: BlobStore, part: string, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of blobs.list(prefix)) if (key.includes(part)) keys.push(key);
  return keys;
}
