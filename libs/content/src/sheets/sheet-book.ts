import type { CpuBudget } from '../cpu-budget.js';
import type { FileContent } from '../files/file-content.js';
import { MAX_LINKS } from '../limits.js';
import { isWebAddress } from '../links/url-resolver.js';
import { escapeLineStarts, escapeText } from '../markdown/escape-text.js';
import {
  CellBudget,
  MAX_SHEET_COLUMNS,
  type SheetCell,
  type SheetRow,
  writeRows,
} from './table-blocks.js';

export interface ReadSheet {
  /** Absent: the only table of a file without names. */
  readonly name?: string;
  readonly rows: readonly SheetRow[];
  /** Not shown by the program that made it, so not read. */
  readonly hiddenRows?: number;
  readonly hiddenColumns?: number;
  /** There were more columns than are read. */
  readonly isTooWide?: boolean;
  /** Its last rows were left out. @default whether no further row may be read */
  readonly isCut?: boolean;
  /** Texts beside the cells, with the cell's name. */
  readonly comments?: readonly string[];
}

const number = (count: number): string => count.toLocaleString('en-US');

/** Sheets of one file as Markdown, sheet by sheet under their names. What is left out is said where it was. */
export class SheetBook {
  readonly budget = new CellBudget();
  /** Rows were left out for one of these. */
  private cut: 'max_table_cells' | 'time' | undefined;
  /** Columns, comments or sheets were left out, and what follows is read all the same. */
  private lesserCut: 'max_table_cells' | 'max_parts' | undefined;
  private readonly markdown: string[] = [];
  private readonly text: string[] = [];
  private readonly links = new Set<string>();

  constructor(private readonly cpu: CpuBudget) {}

  /** Whether another row may be read; keeps why not. */
  takes(row: SheetRow): boolean {
    if (!this.budget.take(row.cells)) this.cut = 'max_table_cells';
    else if (this.cpu.isSpentAtNode()) this.cut = 'time';
    return this.cut === undefined;
  }

  /** The source of a sheet was too large: its last rows, and what follows, are left out. */
  cutRows(): void {
    this.cut ??= 'max_table_cells';
  }

  get isFull(): boolean {
    return this.cut !== undefined;
  }

  add(sheet: ReadSheet): void {
    const { name, rows, comments = [] } = sheet;
    const written = writeRows(rows);
    if (sheet.isTooWide) this.lesserCut ??= 'max_table_cells';
    const title = name === undefined ? [] : [`## ${inline(name)}`];
    const notes = this.notesOn(sheet).map((note) => `*${note}*`);
    const remarks = comments.map((comment) => `- ${inline(comment)}`).join('\n');
    const parts = [...title, written.markdown, remarks, ...notes];
    this.markdown.push(...parts.filter((part) => part !== ''));
    const texts = [name ?? '', written.text, comments.join('\n')];
    // A sheet without cells has nothing to say, not even its name.
    if (written.text !== '' || comments.length > 0)
      this.text.push(...texts.filter((part) => part !== ''));
    for (const { cells } of rows) for (const cell of cells) this.addLink(cell);
  }

  private addLink(cell: SheetCell): void {
    if (typeof cell === 'string' || this.links.size >= MAX_LINKS) return;
    if (isWebAddress(cell.link)) this.links.add(cell.link);
  }

  /** A line about all of the file. */
  note(line: string): void {
    this.markdown.push(`*${inline(line)}*`);
  }

  /** There were more sheets, or more comments of one, than are read. */
  cutParts(): void {
    this.lesserCut ??= 'max_parts';
  }

  finish(title: string | undefined): FileContent {
    return {
      markdown: this.markdown.length === 0 ? '' : `${this.markdown.join('\n\n')}\n`,
      text: this.text.join('\n\n'),
      links: [...this.links],
      title,
      cut: this.cut ?? this.lesserCut,
    };
  }

  private notesOn({
    hiddenRows = 0,
    hiddenColumns = 0,
    isTooWide,
    isCut = this.isFull,
  }: ReadSheet): string[] {
    const notes: string[] = [];
    if (hiddenRows > 0) notes.push(`Hidden rows, left out: ${number(hiddenRows)}.`);
    if (hiddenColumns > 0) notes.push(`Hidden columns, left out: ${number(hiddenColumns)}.`);
    if (isTooWide) notes.push(`Columns beyond ${number(MAX_SHEET_COLUMNS)} are left out.`);
    if (isCut) notes.push('The following rows are left out.');
    return notes;
  }
}

const SPACE = 32;

const inline = (value: string): string =>
  escapeLineStarts(escapeText(value.replace(/\s+/g, ' ').trim(), SPACE, SPACE, false));
