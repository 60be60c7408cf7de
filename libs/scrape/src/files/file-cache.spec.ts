import type { Chunk, PageDocument, ParsedFile } from '@app/contracts';
import type { PageCache } from '../page-cache/page-cache.js';
import { FileCache } from './file-reader.js';

const SLOT = { tenantId: 't', variant: 'ab'.repeat(32) };
const FILE: ParsedFile = { format: 'pdf', markdown: 'a\n', text: 'a', pages: 1 };
const CHUNKS: readonly Chunk[] = [
  { id: 'c', index: 0, text: 'a', headings: [], tokens: 1, contentHash: 'h' },
];

/** A page cache in memory. */
function cacheOf() {
  const documents = new Map<string, PageDocument>();
  const pages = {
    async store(tenantId: string, variant: string, document: PageDocument) {
      documents.set(`${tenantId} ${variant}`, document);
      return true;
    },
    async find(tenantId: string, variant: string) {
      const document = documents.get(`${tenantId} ${variant}`);
      return document ? { kind: 'fresh', document, ageMs: 9, validators: {}, copyId: 'c' } : null;
    },
  };
  return { documents, cache: new FileCache(pages as unknown as PageCache) };
}

describe('FileCache', () => {
  it('returns a stored file, to its tenant only', async () => {
    const { cache } = cacheOf();
    await cache.keep(SLOT, FILE, CHUNKS);
    expect(await cache.find(SLOT)).toEqual({ file: FILE, chunks: CHUNKS });
    expect(await cache.find({ ...SLOT, tenantId: 'other' })).toBeNull();
    expect(await cache.find({ ...SLOT, variant: 'cd'.repeat(32) })).toBeNull();
  });

  it.each(['time', 'unreadable_pages'])('does not keep what was cut by %s', async (truncatedBy) => {
    const { cache, documents } = cacheOf();
    await cache.keep(SLOT, { ...FILE, truncatedBy }, CHUNKS);
    expect(documents.size).toBe(0);
  });
});
