import { Element } from 'domhandler';
import { walk } from '../dom/walk.js';

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
export class TableFacts {
  private readonly known = new Map<Element, Facts>();

  /** True when the table's contents should be written without a grid. */
  isLayout(table: Element): boolean {
    const { role } = table.attribs;
    if (role === 'presentation' || role === 'none') return true;
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
