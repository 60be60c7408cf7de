import { html, type Html } from '../html/html.js';
import { cellsOf, isDelimiterRow, renderTable } from './render-table.js';
import { renderInlines } from './render-inlines.js';

/** Maximum nesting of lists and quotes; deeper ones are shown as text. */
const MAX_DEPTH = 12;
/** The page and its section already have headings. */
const HEADING_SHIFT = 2;

/** Markdown blocks: CommonMark and tables, as our own converter writes them. */
export function renderBlocks(lines: readonly string[], depth = 0): Html {
  const cursor = new Cursor(lines);
  const blocks: Html[] = [];
  while (!cursor.isAtEnd) {
    if (isBlank(cursor.line)) cursor.skip();
    else blocks.push(renderBlock(cursor, depth));
  }
  return html`${blocks}`;
}

class Cursor {
  private at = 0;

  constructor(private readonly lines: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at >= this.lines.length;
  }

  get line(): string {
    return this.lines[this.at] ?? '';
  }

  get following(): string {
    return this.lines[this.at + 1] ?? '';
  }

  skip(): void {
    this.at++;
  }

  take(): string {
    const { line } = this;
    this.at++;
    return line;
  }

  takeWhile(belongs: (line: string) => boolean): string[] {
    const taken: string[] = [];
    while (!this.isAtEnd && belongs(this.line)) taken.push(this.take());
    return taken;
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?: |$)/;
const QUOTE = /^ {0,3}>/;
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4}(?! )| (?= {4})|$)/;
const CODE_INDENT = /^ {4}/;

function renderBlock(cursor: Cursor, depth: number): Html {
  const { line } = cursor;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return renderFence(cursor, fence);
  if (CODE_INDENT.test(line)) return renderIndented(cursor);
  if (HEADING.test(line)) return renderHeading(cursor.take());
  if (isRule(line)) return renderRule(cursor);
  if (isTableAt(cursor)) return renderTable([cursor.take(), ...cursor.takeWhile(isTableRow)]);
  if (depth >= MAX_DEPTH) return renderParagraph(cursor);
  if (QUOTE.test(line)) return renderQuote(cursor, depth);
  if (ITEM.test(line)) return renderList(cursor, depth);
  return renderParagraph(cursor);
}

function renderFence(cursor: Cursor, fence: string): Html {
  cursor.skip();
  const lines = cursor.takeWhile((line) => !closes(line, fence));
  cursor.skip();
  return codeBlock(lines);
}

function closes(line: string, fence: string): boolean {
  const text = line.trim();
  const char = fence.charAt(0);
  return text.length >= fence.length && text === char.repeat(text.length);
}

function renderIndented(cursor: Cursor): Html {
  const lines = cursor.takeWhile((line) => CODE_INDENT.test(line) || isBlank(line));
  return codeBlock(lines.map((line) => line.slice(4)));
}

function codeBlock(lines: readonly string[]): Html {
  return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`;
}

function renderHeading(line: string): Html {
  const marks = HEADING.exec(line)?.[1]?.length ?? 1;
  const content = renderInlines(withoutClosingMarks(line.trim().slice(marks).trim()));
  switch (Math.min(6, marks + HEADING_SHIFT)) {
    case 3:
      return html`<h3>${content}</h3>`;
    case 4:
      return html`<h4>${content}</h4>`;
    case 5:
      return html`<h5>${content}</h5>`;
    default:
      return html`<h6>${content}</h6>`;
  }
}

function withoutClosingMarks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end--;
  const isClosing = end < text.length && (end === 0 || text[end - 1] === ' ');
  return isClosing ? text.slice(0, end).trimEnd() : text;
}

function renderRule(cursor: Cursor): Html {
  cursor.skip();
  return html`<hr />`;
}

function renderQuote(cursor: Cursor, depth: number): Html {
  const lines = cursor.takeWhile((line) => QUOTE.test(line));
  const inner = lines.map((line) => line.replace(/^ {0,3}> ?/, ''));
  return html`<blockquote>${renderBlocks(inner, depth + 1)}</blockquote>`;
}

interface Marker {
  readonly isOrdered: boolean;
  readonly start: number;
  /** Column where the item's text starts. */
  readonly indent: number;
}

function markerOf(line: string): Marker | null {
  const match = ITEM.exec(line);
  if (!match || isRule(line)) return null;
  const [all, , mark = ''] = match;
  const isOrdered = mark.length > 1;
  return { isOrdered, start: isOrdered ? Number(mark.slice(0, -1)) : 1, indent: all.length };
}

function renderList(cursor: Cursor, depth: number): Html {
  const first = markerOf(cursor.line);
  if (!first) return renderParagraph(cursor);
  const items: Html[] = [];
  for (let marker: Marker | null = first; marker?.isOrdered === first.isOrdered;) {
    items.push(html`<li>${renderItem(takeItem(cursor, marker), depth)}</li>`);
    marker = cursor.isAtEnd ? null : markerOf(cursor.line);
  }
  return first.isOrdered
    ? html`<ol start="${first.start}">
        ${items}
      </ol>`
    : html`<ul>
        ${items}
      </ul>`;
}

/** The item's own line and those indented as far as its text; blank lines only in between. */
function takeItem(cursor: Cursor, { indent }: Marker): string[] {
  const columns = Math.max(2, indent);
  const isInner = (line: string): boolean => line.startsWith(' '.repeat(columns));
  const lines = [cursor.take().slice(indent)];
  for (;;) {
    lines.push(...cursor.takeWhile(isInner).map((line) => line.slice(columns)));
    const blanks = cursor.takeWhile(isBlank);
    if (blanks.length === 0 || cursor.isAtEnd || !isInner(cursor.line)) return lines;
    lines.push('');
  }
}

/** A one-line item is no paragraph, or short lists would be too spacious. */
function renderItem(lines: readonly string[], depth: number): Html {
  const [first = '', ...rest] = lines;
  const isPlain = rest.length === 0 && !opensBlock(new Cursor([first]));
  return isPlain ? renderInlines(first.trim()) : renderBlocks(lines, depth + 1);
}

function renderParagraph(cursor: Cursor): Html {
  const lines = [cursor.take()];
  while (!cursor.isAtEnd && !isBlank(cursor.line) && !opensBlock(cursor)) lines.push(cursor.take());
  return html`<p>${renderInlines(lines.map((line) => line.trimStart()).join('\n'))}</p>`;
}

/** Indented code does not interrupt: it would continue the paragraph. */
function opensBlock(cursor: Cursor): boolean {
  const { line } = cursor;
  return (
    FENCE.test(line) ||
    HEADING.test(line) ||
    QUOTE.test(line) ||
    ITEM.test(line) ||
    isRule(line) ||
    isTableAt(cursor)
  );
}

function isTableAt({ line, following }: Cursor): boolean {
  return isTableRow(line) && isDelimiterRow(following) && cellsOf(line).length > 0;
}

function isTableRow(line: string): boolean {
  return line.includes('|');
}

function isRule(line: string): boolean {
  const marks = line.replaceAll(' ', '');
  const char = marks.charAt(0);
  if (marks.length < 3 || line.startsWith('    ')) return false;
  return (char === '-' || char === '*' || char === '_') && marks === char.repeat(marks.length);
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
