import { sniffCharset, textDecoder, type DecodeText } from '@app/content';
import type { EntryList } from './entry-list.js';
import { MAX_SITEMAP_BYTES, type SitemapKind, type SitemapSource } from './sitemap-file.js';
import { TextSitemap } from './text-sitemap.js';
import { XmlSitemap } from './xml-sitemap.js';

/**
 * Decodes a sitemap that is no longer compressed, and has it read as XML or as plain text. What is
 * found does not depend on how the bytes are cut. Never throws; memory is bounded.
 */
export class TextStage {
  /** The first bytes, until there are enough to detect the encoding. */
  private head: Uint8Array = new Uint8Array(0);
  private decode: DecodeText | null = null;
  private reader: XmlSitemap | TextSitemap | null = null;
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

  private open(): DecodeText {
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
      this.reader = begun.startsWith('<')
        ? new XmlSitemap(this.entries)
        : new TextSitemap(this.entries);
      this.reader.write(begun);
    } else if (!this.entries.isFull) {
      this.reader.write(text);
    }
  }
}

/** Bytes that are read: an XML declaration that names an encoding is far shorter. */
const ENCODING_HEAD_BYTES = 1_024;
