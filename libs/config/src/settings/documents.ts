import { integer, type Field } from '../fields.js';

/** Uploaded and linked documents. */
export const DOCUMENT_SETTINGS = {
  uploadMaxBytes: integer(
    'UPLOAD_MAX_BYTES',
    'Largest file of POST /v1/parse and largest body of POST /v1/extract.',
    { fallback: 33_554_432, min: 1_024, max: 1_073_741_824 },
  ),
  convertConcurrency: integer(
    'CONVERT_CONCURRENCY',
    'Uploads one fetcher converts at once, shared between tenants like SCRAPE_CONCURRENCY.',
    {
      fallback: 4,
      min: 1,
      max: 1_000,
    },
  ),
  fileThreads: integer(
    'FILE_THREADS',
    'Threads that read PDF and DOCX files in one fetcher; as many again for crawls.',
    {
      fallback: 1,
      min: 1,
      max: 256,
    },
  ),
  fileMaxPages: integer('FILE_MAX_PAGES', 'Pages read of one PDF; the result names the cut.', {
    fallback: 1_000,
    min: 1,
    max: 100_000,
  }),
} as const satisfies Record<string, Field<unknown>>;
