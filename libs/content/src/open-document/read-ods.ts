import type { CpuBudget } from '../cpu-budget.js';
import { titleInXml, type FileContent } from '../files/file-content.js';
import type { FileOptions } from '../files/file-result.js';
import {
  childrenOf,
  decodeXml,
  elementsBelow,
  parseXml,
  XML_TEXT,
  type XmlElement,
} from '../files/xml-tree.js';
import { MAX_SHEET_COMMENTS, MAX_SHEETS } from '../limits.js';
import { cellNumber } from '../sheets/number-format.js';
import { SheetBook } from '../sheets/sheet-book.js';
import {
  emptyColumns,
  MAX_SHEET_COLUMNS,
  type SheetCell,
  type SheetRow,
  tidyCell,
} from '../sheets/table-blocks.js';
import { openOdf } from './odf-package.js';
import { OdfStyles } from './odf-styles.js';
import { odfAddress, odfCount } from './odf-values.js';

/**
 * The sheets of an OpenDocument spreadsheet in their order. What is hidden is left out, and said.
 * @throws {UnreadableFile}
 */
export function readOds(bytes: Uint8Array, _: FileOptions, cpu: CpuBudget): FileContent {
  const parts = openOdf(bytes);
  const book = new SheetBook(cpu);
  const reader = new SpreadsheetReader(book);
  const content = parts.get('content.xml');
  const root = parseXml(content === undefined ? '' : decodeXml(content), {
    keepsOrder: true,
    taken: TAKEN,
    take: (element) => reader.take(element),
  });
  reader.finish(root);
  return book.finish(titleInXml(parts.get('meta.xml')));
}

const TAKEN = new Set(['table:table-row', 'table:table']);

interface OpenSheet {
  rows: SheetRow[];
  comments: string[];
  hiddenRows: number;
  isTooWide: boolean;
  /** The limit was met in it. */
  isCut: boolean;
  /** Of the next row, from 1. */
  next: number;
}

const emptySheet = (): OpenSheet => ({
  rows: [],
  comments: [],
  hiddenRows: 0,
  isTooWide: false,
  isCut: false,
  next: 1,
});

class SpreadsheetReader {
  private open = emptySheet();
  private readonly sheets: { readonly table: XmlElement; readonly read: OpenSheet }[] = [];

  constructor(private readonly book: SheetBook) {}

  /** Rows come before the end of their table. */
  take(element: XmlElement): boolean {
    if (this.sheets.length >= MAX_SHEETS) {
      this.book.cutParts();
      return false;
    }
    if (element.name === 'table:table') {
      this.sheets.push({ table: element, read: this.open });
      this.open = emptySheet();
      return true;
    }
    this.readRow(element);
    return !this.book.isFull;
  }

  finish(root: XmlElement): void {
    const styles = new OdfStyles([root]);
    // The table in which the limit was met did not end, so it was not taken out.
    const [table] = elementsBelow(root, 'table:table');
    if (this.open.isCut && table) this.sheets.push({ table, read: this.open });
    const hidden: string[] = [];
    for (const { table, read } of this.sheets) {
      const { 'table:name': name, 'table:style-name': style } = table.attributes;
      if (styles.property('table', style, 'table:display') === 'false') hidden.push(name ?? '');
      else {
        const hiddenColumns = emptyColumns(read.rows, hiddenColumnsOf(table));
        this.book.add({ ...read, hiddenColumns, ...(name === undefined ? {} : { name }) });
      }
    }
    if (hidden.length > 0) this.book.note(`Hidden sheets, left out: ${hidden.join(', ')}.`);
  }

  private readRow(element: XmlElement): void {
    const { open } = this;
    const { 'table:number-rows-repeated': repeated, 'table:visibility': visibility } =
      element.attributes;
    const times = odfCount(repeated);
    const first = open.next;
    open.next += times;
    const cells = this.readCells(element);
    open.isTooWide ||= cells.length > MAX_SHEET_COLUMNS;
    cells.length = Math.min(cells.length, MAX_SHEET_COLUMNS);
    if (cells.length === 0) return;
    if (visibility !== undefined && visibility !== 'visible') {
      open.hiddenRows += times;
      return;
    }
    for (let copy = 0; copy < times; copy++) {
      const row = { number: first + copy, cells: copy === 0 ? cells : [...cells] };
      open.isCut = !this.book.takes(row);
      if (open.isCut) return;
      open.rows.push(row);
    }
  }

  private readCells(row: XmlElement): SheetCell[] {
    const cells: SheetCell[] = [];
    let column = 0;
    for (const cell of row.children) {
      if (cell.name !== 'table:table-cell' && cell.name !== 'table:covered-table-cell') continue;
      const times = odfCount(cell.attributes['table:number-columns-repeated']);
      const value = cellValue(cell);
      const text = typeof value === 'string' ? value : value.text;
      this.readComment(cell, column);
      if (text !== '') {
        while (cells.length < Math.min(column, MAX_SHEET_COLUMNS)) cells.push('');
        // One more than is kept says that there are more.
        for (let at = column; at < column + times && at <= MAX_SHEET_COLUMNS; at++)
          cells.push(value);
        if (column > MAX_SHEET_COLUMNS) cells.push(value);
      }
      column += times;
    }
    return cells;
  }

  private readComment(cell: XmlElement, column: number): void {
    const { comments, next } = this.open;
    for (const note of childrenOf(cell, 'office:annotation')) {
      const text = paragraphsOf(note).join(' ');
      if (text === '') continue;
      if (comments.length < MAX_SHEET_COMMENTS)
        comments.push(`${columnName(column)}${next - 1}: ${text}`);
      else this.book.cutParts();
    }
  }
}

/** By its type (OpenDocument 1.3 part 3, 19.387): dates and numbers in one form, all else as it is shown. */
function cellValue(cell: XmlElement): SheetCell {
  const {
    'office:value-type': type,
    'office:value': number,
    'office:date-value': date,
  } = cell.attributes;
  if (type === 'float' && number !== undefined && Number.isFinite(Number(number)))
    return cellNumber(Number(number), { kind: 'plain' }, false);
  if (type === 'date' && date !== undefined)
    return date.slice(0, 19).replace('T', ' ').replace(' 00:00:00', '');
  const text = tidyCell(paragraphsOf(cell).join('\n'));
  const link = linkIn(cell);
  return link === undefined || text === '' ? text : { text, link };
}

function paragraphsOf({ children }: XmlElement): string[] {
  return children
    .filter(({ name }) => name === 'text:p')
    .map((paragraph) => textOfLine(paragraph).replace(/\s+/g, ' ').trim());
}

function textOfLine({ children }: XmlElement): string {
  let text = '';
  for (const one of children) {
    if (one.name === XML_TEXT) text += one.text;
    else if (one.name === 'text:s' || one.name === 'text:tab') text += ' ';
    else if (one.name === 'text:line-break') text += '\n';
    else if (one.name !== 'office:annotation') text += textOfLine(one);
  }
  return text;
}

/** The address of a cell whose text is one link. */
function linkIn(cell: XmlElement): string | undefined {
  const [paragraph, ...others] = childrenOf(cell, 'text:p');
  const [only, ...more] = paragraph?.children ?? [];
  if (others.length > 0 || more.length > 0 || only?.name !== 'text:a') return undefined;
  return odfAddress(only.attributes['xlink:href']);
}

function columnName(column: number): string {
  let name = '';
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    name = String.fromCharCode(65 + (rest % 26)) + name;
  return name;
}

/** Columns that are not shown, from 0. */
function hiddenColumnsOf(table: XmlElement): Set<number> {
  const hidden = new Set<number>();
  let column = 0;
  for (const { attributes } of columnsOf(table)) {
    const times = odfCount(attributes['table:number-columns-repeated']);
    const { 'table:visibility': visibility = 'visible' } = attributes;
    const end = Math.min(column + times, MAX_SHEET_COLUMNS);
    if (visibility !== 'visible') for (let at = column; at < end; at++) hidden.add(at);
    column += times;
  }
  return hidden;
}

/** Descriptions of columns, in groups or not. */
function columnsOf({ children }: XmlElement): XmlElement[] {
  return children
    .flatMap((one) => {
      if (one.name === 'table:table-column') return [one];
      return one.name.startsWith('table:table-') ? columnsOf(one) : [];
    })
    .slice(0, MAX_SHEET_COLUMNS);
}
