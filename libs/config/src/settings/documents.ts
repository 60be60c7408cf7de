import { integer, type Field } from '../fields.js';

/** Uploaded and linked documents. */
export const DOCUMENT_SETTINGS = {
  uploadMaxBytes: integer(
    'UPLOAD_MAX_BYTES',
    'Largest file of POST /v1/parse and largest body of POST /v1/extract.',
    { fallback: 33_554_432, min: 1_024, max: 1_073_741_824 },
  ),
  fileThreads: integer(
    'FILE_THREADS',
    'Threads that read document files in one fetcher. One more is kept for short documents of those who wait, and crawls have as many again.',
    {
      fallback: 1,
      min: 1,
      max: 256,
    },
  ),
} as const satisfies Record<string, Field<unknown>>;
