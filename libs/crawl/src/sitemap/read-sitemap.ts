import { sniffCharset, textDecoder } from '@app/content';
import { ByteSource, type Bytes } from './byte-source.js';
import { EntryList } from './entry-list.js';
import {
  MAX_GZIP_LAYERS,
  MAX_SITEMAP_BYTES,
  type SitemapEntry,
  type SitemapFile,
  type SitemapSource,
  type SitemapKind,
} from './sitemap-file.js';
import { inflateMember, isGzip, skipHeader } from './gzip-member.js';
import { JsonFeed } from './json-feed.js';
import { TextSitemap } from './text-sitemap.js';
import { XmlSitemap } from './xml-sitemap.js';

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
 * Reads one sitemap whole: gzip (by its first bytes), any encoding, urlset, sitemapindex, RSS, Atom,
 * OPML, JSON Feed, Markdown or plain text. Never rejects for what the bytes are: a file that is none is of kind `unknown`.
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

/** Bytes that identify gzip. */
const MAGIC_BYTES = 2;
const PIECE_BYTES = 65_536;
/** After the data of a member: its checksum and size, which no reader here needs. */
const TRAILER_BYTES = 8;
/** Members of one file: blocked gzip has one for each 64 KB. Each costs some time, be it empty. */
export const MAX_MEMBERS = 1_000;

/**
 * The bytes of a file without gzip, which is detected from its first bytes, never by a name or a
 * header. The number of layers and the size of each are bounded.
 */
async function* plainBytes(
  bytes: Bytes,
  entries: EntryList,
  layersLeft = MAX_GZIP_LAYERS,
): AsyncGenerator<Uint8Array> {
  const source = new ByteSource(bytes);
  try {
    const head = await source.read(MAGIC_BYTES);
    source.unread(head);
    if (!isGzip(head)) yield* piecesOf(source);
    else if (layersLeft === 0) entries.stop('nested_gzip');
    else yield* plainBytes(bounded(inflated(source, entries), entries), entries, layersLeft - 1);
  } finally {
    await source.close();
  }
}

async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await source.read(PIECE_BYTES);
    if (piece.length === 0) return;
    yield piece;
  }
}

/**
 * Members that follow one another are one file (RFC 1952 2.2); what follows and is none is left.
 */
async function* inflated(source: ByteSource, entries: EntryList): AsyncGenerator<Uint8Array> {
  for (let member = 0; member < MAX_MEMBERS; member++) {
    if (!(await skipHeader(source))) {
      if (member === 0) entries.cut('incomplete');
      return;
    }
    if ((yield* inflateMember(source)) === 'broken') return entries.cut('incomplete');
    await source.read(TRAILER_BYTES);
  }
  if ((await source.readSome(1)).length > 0) entries.cut('incomplete');
}

async function* bounded(
  bytes: AsyncIterable<Uint8Array>,
  entries: EntryList,
): AsyncGenerator<Uint8Array> {
  let left = MAX_SITEMAP_BYTES;
  for await (const piece of bytes) {
    yield piece.subarray(0, left);
    if (piece.length > left) return entries.stop('bytes');
    left -= piece.length;
  }
}

/**
 * Decodes a sitemap that is no longer compressed, and has it read as XML or as plain text. What is
 * found does not depend on how the bytes are cut. Never throws; memory is bounded.
 */
export class TextStage {
  /** The first bytes, until there are enough to detect the encoding. */
  private head: Uint8Array = new Uint8Array(0);
  private decode: ReturnType<typeof textDecoder> | null = null;
  private reader: XmlSitemap | TextSitemap | JsonFeed | null = null;
  private bytes = 0;

  constructor(
    private readonly entries: EntryList,
    private readonly source: SitemapSource,
  ) {}

  get kind(): SitemapKind {
    return this.reader?.kind ?? 'unknown';
  }

  write(bytes: Uint8Array): void {
    const room = MAX_SITEMAP_BYTES - this.bytes;
    this.bytes += bytes.length;
    this.take(bytes.length > room ? bytes.subarray(0, room) : bytes);
    if (bytes.length > room) this.entries.stop('bytes');
  }

  /** @param isWhole false: the bytes stop short of the file's end */
  end(isWhole: boolean): void {
    const decode = this.decode ?? this.open();
    this.read(decode(new Uint8Array(0)));
    this.reader?.end(isWhole && !this.entries.isFull);
  }

  private take(bytes: Uint8Array): void {
    if (this.decode !== null) return this.read(this.decode(bytes, true));
    this.head = Buffer.concat([this.head, bytes]);
    if (this.head.length >= ENCODING_HEAD_BYTES) this.open();
  }

  private open(): ReturnType<typeof textDecoder> {
    const start = this.head;
    this.head = new Uint8Array(0);
    const looked = start.subarray(0, ENCODING_HEAD_BYTES);
    const { url, contentType } = this.source;
    this.decode = textDecoder(sniffCharset(looked, contentType, { url, isStart: true }));
    this.read(this.decode(start, true));
    return this.decode;
  }

  private read(text: string): void {
    if (this.reader === null) {
      // Blanks count as nothing, and so does a byte order mark that comes twice.
      const begun = text.trimStart();
      if (begun === '') return;
      this.reader = readerOf(begun, this.entries);
      this.reader.write(begun);
    } else if (!this.entries.isFull) {
      this.reader.write(text);
    }
  }
}

function readerOf(start: string, entries: EntryList): XmlSitemap | TextSitemap | JsonFeed {
  if (start.startsWith('<')) return new XmlSitemap(entries);
  return start.startsWith('{') ? new JsonFeed(entries) : new TextSitemap(entries);
}

/** Bytes that are read: an XML declaration that names an encoding is far shorter. */
const ENCODING_HEAD_BYTES = 1_024;
