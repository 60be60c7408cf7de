export {
  BlobKeyError,
  BlobNotFoundError,
  BlobTooLargeError,
  BlobUnavailableError,
} from './blob-errors.js';
export type { BlobStoreEvents } from './blob-events.js';
export { type BlobStore, type ListedBlob, MAX_SIGNED_SECONDS } from './blob-store.js';
export {
  contentDisposition,
  downloadUrl,
  verifyDownload,
  type Download,
} from './download-token.js';
export { openBlobStore } from './open-blob-store.js';
export * from './scan-input-key.js';
export * from './screenshot-key.js';
