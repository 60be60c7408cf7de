import type { Chunk, PageDocument, ParsedFile } from '@app/contracts';
import type { PageCache } from '../page-cache/page-cache.js';

export interface FileSlot {
  readonly tenantId: string;
  /** SHA-256 in hexadecimal of the bytes and of everything that affects the result. */
  readonly variant: string;
}

export interface CachedFile {
  readonly file: ParsedFile;
  readonly chunks: readonly Chunk[];
}

/** Of any age: the same bytes yield the same text. */
const ANY_AGE = { maxAgeMs: Number.MAX_SAFE_INTEGER, minAgeMs: null };

/** Chunks of document files by the hash of their bytes, under the bounds of the page cache. */
export class FileCache {
  constructor(private readonly pages: PageCache) {}

  async find({ tenantId, variant }: FileSlot): Promise<CachedFile | null> {
    const copy = await this.pages.find(tenantId, variant, ANY_AGE);
    if (!copy) return null;
    const { file, chunks } = copy.document;
    return file && chunks ? { file, chunks } : null;
  }

  /** A result cut by time is not cached: the next attempt may read more. */
  async keep(slot: FileSlot, file: ParsedFile, chunks: readonly Chunk[]): Promise<void> {
    if (file.truncatedBy === 'time' || file.truncatedBy === 'unreadable_pages') return;
    const document = { ...SHELL, sourceUrl: `sha256:${slot.variant}`, file, chunks };
    await this.pages.store(slot.tenantId, slot.variant, document, {});
  }
}

/** The cache holds pages; of a document file only the extracted text is used. */
const SHELL: PageDocument = {
  url: '',
  sourceUrl: '',
  statusCode: 200,
  contentType: null,
  metadata: {},
  fetchMethod: 'plain',
  latencyMs: 0,
  cascade: { level: null, attempts: [], unblock: [] },
};
