import { Element } from 'domhandler';
import type { InlineWriter } from './inline-writer.js';
import { FillBudget, TableGrid, type Alignment, type TableSection } from './table-grid.js';
import { walk } from '../dom/walk.js';

/**
 * The tables around the current node. A grid takes its cells' inline content; a layout table takes
 * nothing, so its contents flow. Tables inside a cell are flattened by the caller.
 */
export class TableWriter {
  private readonly facts = new TableFacts();
  private readonly budget = new FillBudget();
  private readonly tables: (TableGrid | undefined)[] = [];
  private cell: Element | undefined;
  private waiting = 0;
  private readonly icons = new Set<string>();

  constructor(private readonly inline: InlineWriter) {}

  get isInCell(): boolean {
    return this.cell !== undefined;
  }

  get isGrid(): boolean {
    return this.tables.at(-1) !== undefined;
  }

  /** UTF-16 units in cells whose table is not finished. */
  get chars(): number {
    return this.waiting;
  }

  enter(table: Element): void {
    this.tables.push(
      this.facts.isLayout(table) ? undefined : new TableGrid(this.budget, !isInfobox(table)),
    );
  }

  /** The grid as Markdown; empty for a layout table or a table without text. */
  leave(): string {
    const markdown = this.tables.pop()?.render() ?? '';
    if (this.tables.length === 0) this.waiting = 0;
    return markdown;
  }

  /** The rows so far of tables that a limit cut. */
  finish(): string[] {
    return this.tables
      .flatMap((grid) => grid?.render() ?? '')
      .filter((markdown) => markdown !== '');
  }

  enterRow({ parent }: Element): void {
    const name = parent instanceof Element ? parent.name : '';
    this.tables.at(-1)?.startRow(SECTIONS[name] ?? 'body', parent);
  }

  enterCell(cell: Element): void {
    this.cell = cell;
    this.inline.mutesBold = cell.name === 'th' || this.tables.at(-1)?.isAtHeader === true;
  }

  /** False when this is not the cell of a grid, so that its boundary is the caller's. */
  leaveCell(cell: Element): boolean {
    if (this.cell !== cell) return false;
    this.cell = undefined;
    if (this.inline.isEmpty) for (const label of this.icons) this.inline.text(`${label} `);
    this.icons.clear();
    const text = tableCell(this.inline.finish());
    this.waiting += text.length;
    this.tables.at(-1)?.cell({
      text,
      colspan: spanOf(cell.attribs.colspan),
      rowspan: cell.attribs.rowspan?.trim() === '0' ? 0 : spanOf(cell.attribs.rowspan),
      alignment: alignmentOf(cell),
    });
    this.inline.mutesBold = false;
    return true;
  }

  /** A picture drawn by style or SVG: in a cell with nothing else its label is the content. */
  noteIcon(label: string): void {
    if (this.isInCell && label !== '' && this.icons.size < MAX_ICONS) this.icons.add(label);
  }

  /** False when the row is none of a grid. */
  leaveRow(): boolean {
    const grid = this.tables.at(-1);
    if (grid === undefined || this.isInCell) return false;
    grid.endRow();
    return true;
  }
}

/** Different icons of one cell whose labels are written. */
const MAX_ICONS = 5;

/** Wikipedia's box of facts: its spans are headings and pictures over two columns. */
const isInfobox = ({ attribs }: Element): boolean => /\binfobox\b/.test(attribs.class ?? '');

const SECTIONS: Readonly<Record<string, TableSection>> = { thead: 'head', tfoot: 'foot' };

/** A cell is one line, and only an escaped pipe is text, in code as well (GFM 4.10). */
export function tableCell(markdown: string): string {
  const line = markdown.includes('\n') ? markdown.replace(/\\?\n/g, ' ') : markdown;
  return line.includes('|') ? line.replace(PIPE, escapePipe) : line;
}

const PIPE = /(?:(?<!\\)\\+)?\|/g;

/** Backslashes before a pipe go in pairs, or they would set it free; only code has odd ones. */
function escapePipe(run: string): string {
  return run.length % 2 === 0 ? `\\${run.slice(0, -1)}\\|` : `${run.slice(0, -1)}\\|`;
}

function spanOf(value: string | undefined): number {
  const span = value === undefined ? 1 : Number.parseInt(value, 10);
  return span > 1 ? span : 1;
}

function alignmentOf({ attribs }: Element): Alignment | undefined {
  const styled = /(?:^|[;\s])text-align\s*:\s*(left|center|right)/i.exec(attribs.style ?? '')?.[1];
  const alignment = (styled ?? attribs.align)?.toLowerCase();
  return ALIGNMENTS.find((known) => known === alignment);
}

const ALIGNMENTS: readonly Alignment[] = ['left', 'center', 'right'];

interface Facts {
  hasHeader: boolean;
  hasStructure: boolean;
  rows: number;
  cells: number;
  maxCells: number;
}

/** In a cell these say that the table arranges a page rather than data. */
const STRUCTURE = new Set(
  'table h1 h2 h3 h4 h5 h6 pre blockquote article section main nav header footer form'.split(' '),
);

/**
 * Distinguishes tables of data from tables that lay out a page. A table's own facts and those of
 * all tables inside are gathered in one walk from the outermost, so nesting does not multiply the
 * work.
 */
class TableFacts {
  private readonly known = new Map<Element, Facts>();

  /** True when the table's contents should be written without a grid. */
  isLayout(table: Element): boolean {
    const { role } = table.attribs;
    if (role === 'presentation' || role === 'none') return true;
    if (role === 'table') return false;
    const facts = this.known.get(table) ?? this.gather(table);
    if (facts.maxCells <= 1) return !facts.hasHeader;
    return !facts.hasHeader && facts.hasStructure;
  }

  private gather(outermost: Element): Facts {
    const open: Facts[] = [];
    const start = (table: Element): Facts => {
      const facts = { hasHeader: false, hasStructure: false, rows: 0, cells: 0, maxCells: 0 };
      this.known.set(table, facts);
      open.push(facts);
      return facts;
    };
    const facts = start(outermost);
    walk(outermost, {
      text: () => undefined,
      enter: (element) => {
        note(element, open.at(-1) ?? facts);
        if (element.name === 'table') start(element);
        return true;
      },
      leave: (element) => {
        if (element.name === 'table') open.pop();
      },
    });
    return facts;
  }
}

function note({ name }: Element, facts: Facts): void {
  if (name === 'tr') {
    facts.rows++;
    facts.cells = 0;
  } else if (name === 'td' || name === 'th') {
    facts.maxCells = Math.max(facts.maxCells, ++facts.cells);
    if (name === 'th') facts.hasHeader = true;
  } else if (facts.cells > 0 && STRUCTURE.has(name)) {
    facts.hasStructure = true;
  }
}
