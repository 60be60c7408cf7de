import { fileURLToPath } from 'node:url';
import type { BlobStoreEvents } from './blob-events.js';
import type { BlobStore } from './blob-store.js';
import { FileBlobStore } from './file-blob-store.js';
import { S3BlobStore } from './s3-blob-store.js';

export interface BlobStoreOptions {
  /** `file:/abs/path` or `s3+http(s)://ACCESS:SECRET@host:port/bucket[/prefix]?region=…`. */
  readonly url: string;
  /** Public URL of the API: links to file blobs start with it. */
  readonly publicUrl: string;
  /** Signs links to file blobs; the API verifies them with `verifyDownload`. */
  readonly downloadSecret: Uint8Array;
  /** The `http(s)://host[:port]` of the S3 store for clients, if it differs from the internal one. */
  readonly publicStorageUrl?: string;
  readonly events?: BlobStoreEvents;
}

/**
 * The blob store at an address. Connects at first use.
 * @throws TypeError for an unsupported protocol.
 */
export function openBlobStore(options: BlobStoreOptions): BlobStore {
  const { protocol } = new URL(options.url);
  switch (protocol) {
    case 'file:':
      return new FileBlobStore({ ...options, root: fileURLToPath(options.url) });
    case 's3+http:':
    case 's3+https:':
      return new S3BlobStore(options);
    default:
      throw new TypeError(`Unknown storage address ${protocol}: use file: or s3+http(s)://`);
  }
}
