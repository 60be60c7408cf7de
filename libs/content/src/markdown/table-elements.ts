import { type Element } from 'domhandler';
import { type BlockKind } from './block-writer.js';
import { isLineNumbers } from './code-text.js';
import { type Flow } from './inline-elements.js';
import { countInk } from '../dom/visibility.js';
import { walk } from '../dom/walk.js';
import { type InlineWriter } from './inline-writer.js';
import { type TableWriter } from './table-writer.js';

/** What tables need of the blocks around them. */
export interface BlockFlow extends Flow {
  /** Ends the paragraph, and a heading that a block cannot be part of. */
  startBlock(): void;
  /** In a table cell a boundary is `<br>`; false elsewhere. */
  breakInCell(): boolean;
  write(markdown: string, kind: BlockKind): void;
  /** What is being written was cut, and nothing more follows. */
  stop(): void;
}

/** In a layout table a longer cell is a block; shorter ones, as of a menu, share a line. */
const MAX_CELL_CHARS = 60;
/** Nested cells are counted again at each level. */
const MAX_CELL_NODES = 100;

type TablePart = 'row' | 'cell' | 'caption';

/** Tables and their parts: grids, tables that only lay out a page, and tables inside a cell. */
export class TableElements {
  constructor(
    private readonly tables: TableWriter,
    private readonly inline: InlineWriter,
    private readonly flow: BlockFlow,
  ) {}

  enterTable(element: Element): boolean {
    if (this.flow.breakInCell()) return true;
    this.flow.startBlock();
    this.tables.enter(element);
    return true;
  }

  enterPart(role: TablePart, element: Element): boolean {
    if (role === 'cell' && isLineNumbers(element)) return false;
    if (!this.tables.isGrid || this.tables.isInCell) {
      this.passFlat(role, element);
      return true;
    }
    this.flow.startBlock();
    if (role === 'row') this.tables.enterRow(element);
    if (role === 'cell') this.tables.enterCell(element);
    return true;
  }

  leavePart(role: TablePart, element: Element): void {
    if (role === 'cell' && this.tables.leaveCell(element)) return;
    if (role === 'row' && this.tables.leaveRow()) return;
    this.passFlat(role, element);
  }

  leaveTable(): void {
    if (this.flow.breakInCell()) return;
    this.flow.startBlock();
    const markdown = this.tables.leave();
    if (markdown !== '') this.flow.write(markdown, 'table');
  }

  /** A part of a table that is no grid of its own. */
  private passFlat(role: TablePart, element: Element): void {
    if (role === 'cell' && isShort(element)) this.inline.space();
    else this.flow.boundary();
  }
}

function isShort(cell: Element): boolean {
  let [chars, nodes] = [0, 0];
  walk(cell, {
    text: (data) => void (chars += countInk(data)),
    enter: ({ name }) => name !== 'script' && name !== 'style',
    isDone: () => chars > MAX_CELL_CHARS || ++nodes > MAX_CELL_NODES,
  });
  return chars <= MAX_CELL_CHARS && nodes <= MAX_CELL_NODES;
}
