import { TextDecoder } from 'node:util';
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
  private decoder: TextDecoder | null = null;
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
    this.decode(bytes.length > room ? bytes.subarray(0, room) : bytes);
    if (bytes.length > room) this.entries.stop('bytes');
  }

  /** @param isWhole false: the bytes stop short of the file's end */
  end(isWhole: boolean): void {
    const decoder = this.decoder ?? this.open();
    this.read(decoder.decode());
    this.reader?.end(isWhole && !this.entries.isFull);
  }

  private decode(bytes: Uint8Array): void {
    if (this.decoder !== null) return this.read(this.decoder.decode(bytes, { stream: true }));
    this.head = Buffer.concat([this.head, bytes]);
    if (this.head.length >= ENCODING_HEAD_BYTES) this.open();
  }

  private open(): TextDecoder {
    const start = this.head;
    this.head = new Uint8Array(0);
    const looked = start.subarray(0, ENCODING_HEAD_BYTES);
    this.decoder = createDecoder(looked, this.source.contentType);
    this.read(this.decoder.decode(start, { stream: true }));
    return this.decoder;
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

const DECLARATION = /^\s*<\?xml[^>]{0,400}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;

/**
 * The encoding a sitemap is read by: byte order mark, UTF-16 without one, the header's charset, the
 * XML declaration, UTF-8. Of what declares itself UTF-16 in bytes that are not, the word is
 * ignored.
 */
function createDecoder(head: Uint8Array, contentType: string | null): TextDecoder {
  return new TextDecoder(encodingOf(head, contentType));
}

function encodingOf(head: Uint8Array, contentType: string | null): string {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  const start = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  const declared = DECLARATION.exec(start)?.[1];
  const named = CHARSET.exec(contentType ?? '')?.[1];
  return eightBit(named) ?? eightBit(declared) ?? 'utf-8';
}

function eightBit(label: string | undefined): string | null {
  if (label === undefined) return null;
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith('utf-16') ? null : encoding;
  } catch {
    // A word that names no encoding says nothing.
    return null;
  }
}
