import { MAX_FILE_CHARS, MAX_SHEET_CELLS, MAX_TABLE_COLUMNS } from '../limits.js';
import { escapeLineStarts, escapeText } from '../markdown/escape-text.js';
import { tableCell } from '../markdown/table-writer.js';

/** The text of a cell, or a text with the address that it links to. */
export type SheetCell = string | { readonly text: string; readonly link: string };

export interface SheetRow {
  /** From 1; rows without cells are not there. */
  readonly number: number;
  /** By column; those after the last filled one are not there. */
  readonly cells: SheetCell[];
}

/** What all tables of a file may hold together; shared by its sheets. */
export class CellBudget {
  private cells = MAX_SHEET_CELLS;
  private chars = MAX_FILE_CHARS;

  /**
   * Whether a row may be kept. Blank cells before its last one count: they are held and written, too. So does a text in
   * each of the cells that share it.
   */
  take(row: readonly SheetCell[]): boolean {
    this.cells -= row.length + 1;
    const isRoom = row.every((cell) => this.takeText(plain(cell), linkOf(cell)));
    return isRoom && this.cells >= 0;
  }

  /** Whether texts beside those of rows may be kept. */
  takeText(...texts: readonly string[]): boolean {
    for (const { length } of texts) this.chars -= length;
    return this.chars >= 0;
  }
}

/** A column beyond is not read. */
export const MAX_SHEET_COLUMNS = MAX_TABLE_COLUMNS;

/** A part of a file in both of its forms. */
export interface TableText {
  readonly markdown: string;
  readonly text: string;
}

/**
 * Rows of a sheet as Markdown and as text with a tab between cells. A blank row between tables of different columns
 * ends a table; rows with one cell before a wider table are its title. Blank columns are left out.
 */
export function writeRows(rows: readonly SheetRow[]): TableText {
  const blocks = joinedBlocks(rows);
  const hasTables = blocks.some(({ first, last }) => last > first);
  const markdown: string[] = [];
  const text: string[] = [];
  for (const block of blocks) {
    const titles = titleRows(block, hasTables);
    for (const { cells } of block.rows.slice(0, titles)) {
      const only = cells.find((cell) => plain(cell) !== '') ?? '';
      markdown.push(escapeLineStarts(inlineMarkdown(only)).replaceAll('\n', '\\\n'));
    }
    const rest = block.rows.slice(titles);
    if (rest.length > 0) markdown.push(gridMarkdown(rest, usedColumns(rest)));
    for (const { cells } of block.rows) text.push(textLine(cells, block));
    text.push('');
  }
  return { markdown: markdown.join('\n\n'), text: text.join('\n').trimEnd() };
}

interface Block {
  readonly rows: SheetRow[];
  first: number;
  last: number;
}

const plain = (cell: SheetCell): string => (typeof cell === 'string' ? cell : cell.text);
const linkOf = (cell: SheetCell): string => (typeof cell === 'string' ? '' : cell.link);
const isFilled = (cell: SheetCell): boolean => plain(cell) !== '';

/** Rows without a blank one between them; tables of the same columns are one. */
function joinedBlocks(rows: readonly SheetRow[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let lastNumber = 0;
  const close = (): void => {
    const before = blocks.at(-1);
    if (open === undefined) return;
    if (before?.first === open.first && before.last === open.last && open.last > open.first)
      for (const row of open.rows) before.rows.push(row);
    else blocks.push(open);
    open = undefined;
  };
  for (const row of rows) {
    const first = row.cells.findIndex(isFilled);
    if (first === -1) continue;
    const last = row.cells.findLastIndex(isFilled);
    if (row.number > lastNumber + 1) close();
    lastNumber = row.number;
    open ??= { rows: [], first, last };
    open.rows.push(row);
    open.first = Math.min(open.first, first);
    open.last = Math.max(open.last, last);
  }
  close();
  return blocks;
}

/** Rows of one column that are lines of text where there are tables. */
const MAX_TEXT_ROWS = 5;

/** Rows of one cell before a wider table, or a text alone. */
function titleRows({ rows, first, last }: Block, hasTables: boolean): number {
  const maxRows = hasTables ? MAX_TEXT_ROWS : 1;
  if (first === last) return rows.length <= maxRows ? rows.length : 0;
  const wide = rows.findIndex(({ cells }) => cells.filter(isFilled).length > 1);
  return wide === -1 ? rows.length : wide;
}

function usedColumns(rows: readonly SheetRow[]): number[] {
  const used = new Set<number>();
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) if (isFilled(cell)) used.add(column);
  }
  return [...used].sort((a, b) => a - b);
}

/** Cells that a table is written with for each that it holds; beyond, rows end with their own last one. */
const MAX_PADDING = 4;

function gridMarkdown(rows: readonly SheetRow[], columns: readonly number[]): string {
  const held = rows.reduce((sum, { cells }) => sum + cells.length + 1, 0);
  const isPadded = rows.length * columns.length <= MAX_PADDING * held;
  const lines = rows.map(({ cells }, index) => {
    const texts: string[] = [];
    for (const column of columns) {
      // Readers of GFM fill short rows themselves; the first one says how many columns there are.
      if (column >= cells.length && index > 0 && !isPadded) break;
      const text = inlineMarkdown(cells[column] ?? '').replaceAll('\n', '<br>');
      texts.push(text === '' ? ' ' : ` ${tableCell(text)} `);
    }
    return `|${texts.join('|')}|`;
  });
  const rule = `| ${columns.map(() => '---').join(' | ')} |`;
  return [lines[0] ?? '', rule, ...lines.slice(1)].join('\n');
}

const SPACE = 32;
const BRACKET = 93;

function inlineMarkdown(cell: SheetCell): string {
  if (typeof cell === 'string') return escapeText(cell, SPACE, SPACE, false);
  const address = cell.link.replace(/[\s<>()|\\]/g, (character) => encodeURIComponent(character));
  const target = address.replace(/[()]/g, (character) => (character === '(' ? '%28' : '%29'));
  return `[${escapeText(cell.text, SPACE, BRACKET, true)}](${target})`;
}

function textLine(cells: readonly SheetCell[], { first, last }: Block): string {
  return cells
    .slice(first, last + 1)
    .map((cell) => plain(cell).replace(/[\t\n]/g, ' '))
    .join('\t')
    .trimEnd();
}

/** A cell's text in one form: line ends as `\n`, none of them and no white space at its ends. */
export const tidyCell = (value: string): string =>
  value.includes('\r') ? value.replace(/\r\n?/g, '\n').trim() : value.trim();

/** Empties columns that are not shown. Returns the number of those that had text. */
export function emptyColumns(rows: readonly SheetRow[], hidden: ReadonlySet<number>): number {
  const emptied = new Set<number>();
  if (hidden.size === 0) return 0;
  for (const { cells } of rows) {
    for (const [column, cell] of cells.entries()) {
      if (cell === '' || !hidden.has(column)) continue;
      cells[column] = '';
      emptied.add(column);
    }
  }
  return emptied.size;
}
