import { BoundedText } from './bounded-text.js';
import type { EntryList } from './entry-list.js';
import { MAX_LOC_CHARS, type SitemapKind } from './sitemap-file.js';

const ADDRESS = /^https?:\/\/\S+$/i;
/** Lines without an address at a file's start that show it to be something else. */
const MAX_STRAY_LINES = 100;

/** A plain text sitemap: one absolute address per line, whatever ends the lines. */
export class TextSitemap {
  private readonly line = new BoundedText(MAX_LOC_CHARS);
  private strayLines = 0;
  private hasAddress = false;

  constructor(private readonly entries: EntryList) {}

  get kind(): SitemapKind {
    return this.hasAddress ? 'text' : 'unknown';
  }

  write(text: string): void {
    const [first = '', ...rest] = text.split(/[\r\n]/);
    this.line.push(first);
    for (const piece of rest) {
      this.endLine();
      this.line.push(piece);
    }
  }

  /** @param isWhole false: of the last line half may be missing */
  end(isWhole: boolean): void {
    if (isWhole) this.endLine();
  }

  private endLine(): void {
    const line = this.line.take();
    if (line === '' || this.entries.isFull) return;
    if (line === null || ADDRESS.test(line)) {
      this.hasAddress ||= line !== null;
      this.entries.add('links', line, null);
    } else if (!this.hasAddress && ++this.strayLines === MAX_STRAY_LINES) {
      this.entries.stop();
    }
  }
}
