import { BoundedText } from './bounded-text.js';
import type { EntryList } from './entry-list.js';
import type { SitemapKind } from './sitemap-file.js';

const ADDRESS = /^https?:\/\/\S+$/i;
/** Images, and links with their target: `[name](url)`, `[name](<url> "title")`. A target is cut beyond any address. */
const LINKS =
  /!\[[^[\]]{0,999}\]\(|\]\(\s{0,9}(?:<([^<>]{1,9999})>|([^\s<>()]{1,9999}(?:\([^\s<>()]{0,999}\)[^\s<>()]{0,999}){0,9}))/g;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** Lines without an address at a file's start that show it to be something else. */
const MAX_STRAY_LINES = 100;
/** A longer line is left out; those of an llms.txt describe what they link to. */
const MAX_LINE_CHARS = 16_384;

/**
 * A plain text sitemap, one absolute address per line, whatever ends the lines; or an llms.txt (llmstxt.org), whose
 * first line is a heading: the inline links of its Markdown.
 */
export class TextSitemap {
  private readonly line = new BoundedText(MAX_LINE_CHARS);
  private strayLines = 0;
  private hasAddress = false;
  /** Null: no line has been read. */
  private isMarkdown: boolean | null = null;
  private isInCode = false;

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
    this.isMarkdown ??= line?.startsWith('#') ?? false;
    if (line === null || ADDRESS.test(line)) {
      this.hasAddress ||= line !== null;
      this.entries.add('links', line, null);
    } else if (this.isMarkdown) {
      this.addLinks(line);
    } else if (!this.hasAddress && ++this.strayLines === MAX_STRAY_LINES) {
      this.entries.stop();
    }
  }

  private addLinks(line: string): void {
    if (FENCE.test(line)) this.isInCode = !this.isInCode;
    if (this.isInCode) return;
    for (const [, pointed, plain] of line.matchAll(LINKS)) {
      const target = pointed ?? plain;
      // An image, or a link within the file itself.
      if (target === undefined || target.startsWith('#')) continue;
      this.hasAddress = true;
      this.entries.add('links', target, null);
    }
  }
}
