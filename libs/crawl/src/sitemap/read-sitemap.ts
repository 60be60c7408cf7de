import type { Bytes } from './byte-source.js';
import { EntryList } from './entry-list.js';
import { plainBytes } from './plain-bytes.js';
import type { SitemapEntry, SitemapFile, SitemapSource } from './sitemap-file.js';
import { TextStage } from './text-stage.js';

/** Entries of one batch: few enough to be released before the next garbage collection. */
const BATCH_ENTRIES = 100;

/**
 * Reads one sitemap in batches of at most 100 entries, in memory that does not grow with the file.
 * Kind and cuts of a batch are those known so far; the last batch, which may be empty, has them all.
 * Fails only when `bytes` does. Work is done as bytes come: a large file belongs into a thread.
 */
export async function* streamSitemap(
  bytes: Bytes,
  source: SitemapSource,
): AsyncGenerator<SitemapFile> {
  const entries = new EntryList(source.url);
  const text = new TextStage(entries, source);
  const batch = (): SitemapFile => {
    const taken = entries.take(BATCH_ENTRIES);
    return { kind: text.kind, ...taken, cuts: entries.cuts };
  };
  for await (const piece of plainBytes(bytes, entries)) {
    text.write(piece);
    while (entries.waiting >= BATCH_ENTRIES) yield batch();
    if (entries.isFull) break;
  }
  if (source.isCut === true && !entries.isFull) entries.cut('incomplete');
  text.end(!entries.cuts.includes('incomplete'));
  do yield batch();
  while (entries.waiting > 0);
}

/**
 * Reads one sitemap whole: gzip (by its first bytes), any encoding, urlset, sitemapindex, RSS, Atom
 * or plain text. Never rejects for what the bytes are: a file that is none is of kind `unknown`.
 */
export async function readSitemap(bytes: Bytes, source: SitemapSource): Promise<SitemapFile> {
  const links: SitemapEntry[] = [];
  const children: SitemapEntry[] = [];
  let last: SitemapFile = { kind: 'unknown', links, children, cuts: [] };
  for await (const batch of streamSitemap(bytes, source)) {
    links.push(...batch.links);
    children.push(...batch.children);
    last = batch;
  }
  return { kind: last.kind, links, children, cuts: last.cuts };
}
