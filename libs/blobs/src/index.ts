export * from './blob-errors.js';
export type * from './blob-events.js';
export * from './blob-store.js';
export {
  contentDisposition,
  downloadUrl,
  verifyDownload,
  type Download,
} from './download-token.js';
export * from './open-blob-store.js';
export * from './scan-input-key.js';
export * from './screenshot-key.js';
