/** A block of Markdown by its place in the source; blocks follow each other without a gap. */
export interface MarkdownBlock {
  readonly kind: 'heading' | 'text' | 'code' | 'table';
  readonly start: number;
  /** Behind the blank lines that follow. */
  readonly end: number;
  /** 1 to 6 for a heading. */
  readonly level: number;
  /** Titles of the sections it is in, its own included for a heading. */
  readonly headings: readonly string[];
}

const HEADING = /^(#{1,6})(?:[ \t]+(?![ \t])(.*))?$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const TABLE_LINE = /^ {0,3}\|/;

/** Characters of a title kept. */
const MAX_TITLE_CHARS = 300;

/** Splits Markdown into blocks; all of the source, up to the last of so many, is in exactly one of them. */
export function markdownBlocks(source: string, most = Infinity): MarkdownBlock[] {
  const reader = new BlockReader(source);
  reader.read(most);
  return reader.blocks;
}

class BlockReader {
  readonly blocks: MarkdownBlock[] = [];
  private readonly titles: string[] = [];
  private at = 0;

  constructor(private readonly source: string) {}

  read(most: number): void {
    while (this.at < this.source.length && this.blocks.length < most) this.block();
  }

  private block(): void {
    const start = this.at;
    const line = this.takeLine();
    const heading = HEADING.exec(line);
    const fence = FENCE.exec(line)?.[1];
    if (heading !== null) this.heading(start, heading[1]?.length ?? 1, heading[2] ?? '');
    else if (fence !== undefined) this.code(start, fence);
    else if (TABLE_LINE.test(line)) this.while('table', start, (next) => TABLE_LINE.test(next));
    else this.while('text', start, (next) => next.trim() !== '' && !OTHER.test(next));
  }

  private heading(start: number, level: number, title: string): void {
    this.titles.length = Math.min(this.titles.length, level - 1);
    while (this.titles.length < level - 1) this.titles.push('');
    this.titles.push(plainTitle(title));
    this.push('heading', start, level);
  }

  private code(start: number, fence: string): void {
    while (this.at < this.source.length) {
      const line = this.takeLine().trim();
      if (line.startsWith(fence) && line.replaceAll(fence.charAt(0), '') === '') break;
    }
    this.push('code', start);
  }

  private while(kind: 'table' | 'text', start: number, belongs: (line: string) => boolean): void {
    while (this.at < this.source.length) {
      const before = this.at;
      if (!belongs(this.takeLine())) {
        this.at = before;
        break;
      }
    }
    this.push(kind, start);
  }

  private push(kind: MarkdownBlock['kind'], start: number, level = 0): void {
    this.skipBlank();
    const headings = this.titles.filter((title) => title !== '');
    this.blocks.push({ kind, start, end: this.at, level, headings });
  }

  private skipBlank(): void {
    while (this.at < this.source.length) {
      const before = this.at;
      if (this.takeLine().trim() !== '') {
        this.at = before;
        return;
      }
    }
  }

  /** The next line without its break; `at` moves behind it. */
  private takeLine(): string {
    const end = this.source.indexOf('\n', this.at);
    const line = this.source.slice(this.at, end === -1 ? undefined : end);
    this.at = end === -1 ? this.source.length : end + 1;
    return line;
  }
}

/** What ends a paragraph without a blank line. */
const OTHER = /^(?:#{1,6}[ \t]| {0,3}(?:`{3}|~{3}|\|))/;

/** A title as text: targets of links, emphasis and escapes gone. */
function plainTitle(markdown: string): string {
  return markdown
    .slice(0, MAX_TITLE_CHARS * 4)
    .replace(/\]\([^()\s]{0,2000}\)/g, ']')
    .replace(/\\([!-/:-@[-`{-~])|[*`[\]]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '$1')
    .replace(/(?<!\s)\s+#+\s*$/, '')
    .trim()
    .slice(0, MAX_TITLE_CHARS);
}
