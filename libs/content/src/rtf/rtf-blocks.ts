import { LineHtml } from '../files/line-html.js';
import { linesHtml, type ListLine } from '../files/nested-list.js';
import { escapeHtmlText } from '../html/escape-html.js';
import { MAX_COLSPAN, MAX_TABLE_COLUMNS } from '../limits.js';

/** What a paragraph is. */
export interface RtfParagraph {
  /** 1 to 6. */
  readonly heading?: number | undefined;
  /** Level of its list, from 0. */
  readonly level?: number | undefined;
  readonly isNumbered?: boolean;
  readonly isInTable: boolean;
}

/** How the row defines a cell (`\cellx` and what is before it). */
export interface CellShape {
  /** Part of the cell before it. */
  readonly isMerged: boolean;
  /** Part of the cell above it. */
  readonly isBelow: boolean;
}

/** Paragraphs and rows of a text, one after the other, as HTML. */
export class RtfBlocks {
  private html = '';
  private items: ListLine[] = [];
  private line = new LineHtml();
  private cell: string[] = [];
  private row: string[] = [];
  private rows = '';

  addText(text: string, tags: readonly string[]): void {
    this.line.add(escapeHtmlText(text), tags);
  }

  addHtml(html: string, tags: readonly string[]): void {
    this.line.add(html, tags);
  }

  endParagraph({ heading, level, isNumbered = false, isInTable }: RtfParagraph): void {
    const { line } = this;
    this.line = new LineHtml();
    const html = line.finish();
    if (isInTable) {
      if (line.hasContent) this.cell.push(html);
      return;
    }
    this.endTable();
    if (!line.hasContent) return;
    if (heading === undefined && level !== undefined) {
      this.items.push({ html, level, isNumbered });
      return;
    }
    this.endList();
    const name = heading === undefined ? 'p' : `h${heading}`;
    this.html += `<${name}>${html}</${name}>`;
  }

  endCell(): void {
    this.endParagraph({ isInTable: true });
    const [only = ''] = this.cell;
    const html = this.cell.length > 1 ? this.cell.map((one) => `<p>${one}</p>`).join('') : only;
    if (this.row.length < MAX_TABLE_COLUMNS) this.row.push(html);
    else this.row[MAX_TABLE_COLUMNS - 1] += ` ${html}`;
    this.cell = [];
  }

  endRow(shapes: readonly CellShape[]): void {
    if (this.cell.length > 0 || this.line.hasContent) this.endCell();
    this.endList();
    let html = '';
    for (let at = 0; at < this.row.length; at++) {
      let columns = 1;
      while (at + columns < this.row.length && shapes[at + columns]?.isMerged === true) columns++;
      const wide = columns > 1 ? ` colspan="${Math.min(columns, MAX_COLSPAN)}"` : '';
      const text = shapes[at]?.isBelow === true ? '' : (this.row[at] ?? '');
      html += `<td${wide}>${text}</td>`;
      at += columns - 1;
    }
    this.row = [];
    if (html !== '') this.rows += `<tr>${html}</tr>`;
  }

  /** A row that was begun and not ended is a paragraph. */
  finish(paragraph: RtfParagraph): string {
    this.endParagraph({ ...paragraph, isInTable: false });
    this.endList();
    return this.html;
  }

  private endTable(): void {
    const rest = [...this.row, ...this.cell].filter((html) => html !== '');
    [this.row, this.cell] = [[], []];
    if (this.rows !== '') {
      this.endList();
      this.html += `<table>${this.rows}</table>`;
      this.rows = '';
    }
    for (const html of rest) this.html += `<p>${html}</p>`;
  }

  private endList(): void {
    if (this.items.length > 0) this.html += linesHtml(this.items);
    this.items = [];
  }
}
