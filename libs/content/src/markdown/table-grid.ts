import {
  MAX_COLSPAN,
  MAX_FILLED_CELLS,
  MAX_FILLED_CHARS,
  MAX_ROWSPAN,
  MAX_TABLE_COLUMNS,
} from '../limits.js';

export interface TableCell {
  readonly text: string;
  readonly colspan: number;
  /** 0: to the end of the section. */
  readonly rowspan: number;
  readonly alignment: Alignment | undefined;
}

export type Alignment = 'left' | 'center' | 'right';

/**
 * The section of a row, whatever the order in the source: a foot may be written before the body.
 */
export type TableSection = 'head' | 'body' | 'foot';

/**
 * What the tables of a page may gain by spans; shared, so that many tables gain no more than one.
 */
export class FillBudget {
  private cells = MAX_FILLED_CELLS;
  private chars = MAX_FILLED_CHARS;

  /** False when no further cell may be added. */
  take(cells: number): boolean {
    this.cells -= cells;
    return this.cells >= 0;
  }

  /** The text of a cell that a span covers: repeated while the budget lasts, then nothing. */
  repeat(text: string): string {
    if (text.length > this.chars) return '';
    this.chars -= text.length;
    return text;
  }
}

/** Pictures and blocks are content, which is there once; a text may be a heading of its columns. */
const MORE_THAN_TEXT = /!\[|<br>/;

interface Carried {
  readonly text: string;
  rowsLeft: number;
}

/**
 * Rows and cells of one table laid out on a grid: spans are filled, rows padded, so that a cell
 * stays under its heading.
 */
export class TableGrid {
  private readonly sections: Readonly<Record<TableSection, string[][]>> = {
    head: [],
    body: [],
    foot: [],
  };
  private section: TableSection = 'body';
  private group: unknown;
  private readonly alignments: (Alignment | undefined)[] = [];
  private readonly carried = new Map<number, Carried>();
  private row: string[] | undefined;
  private columns = 0;

  /** @param repeatsColumns whether text that spans columns is repeated in each of them */
  constructor(
    private readonly budget = new FillBudget(),
    private readonly repeatsColumns = true,
  ) {}

  /** True until a row is done: what comes is the header. */
  get isAtHeader(): boolean {
    return this.columns === 0;
  }

  /** @param group the element around the row: no cell reaches over its edge */
  startRow(section: TableSection = 'body', group?: unknown): void {
    this.endRow();
    if (group !== this.group) this.carried.clear();
    this.group = group;
    this.section = section;
    this.row = [];
  }

  cell({ text, colspan, rowspan, alignment }: TableCell): void {
    this.row ??= [];
    const row = this.row;
    this.placeCarried(row);
    if (row.length >= MAX_TABLE_COLUMNS) return this.joinLast(row, text);
    if (this.isAtHeader) this.alignments[row.length] = alignment;
    const rowsLeft = (rowspan === 0 ? MAX_ROWSPAN : Math.min(rowspan, MAX_ROWSPAN)) - 1;
    const wide = Math.min(colspan, MAX_COLSPAN, MAX_TABLE_COLUMNS - row.length);
    const repeats = this.repeatsColumns && !MORE_THAN_TEXT.test(text);
    for (let column = 0; column < wide; column++) {
      if (column > 0 && !this.budget.take(1)) break;
      this.passCarried(row.length);
      const own = column === 0 || repeats ? text : '';
      if (rowsLeft > 0) this.carried.set(row.length, { text: own, rowsLeft });
      row.push(column === 0 ? own : this.budget.repeat(own));
    }
  }

  endRow(): void {
    const { row } = this;
    this.row = undefined;
    if (row === undefined) return;
    const isSeen = row.length > 0;
    this.placeRest(row);
    // A row without cells of its own has no height.
    if (!isSeen) return;
    this.columns = Math.max(this.columns, row.length);
    this.sections[this.section].push(row);
  }

  /** GFM, or an empty string when no cell has text. */
  render(): string {
    this.endRow();
    const { head, body, foot } = this.sections;
    const rows = [...head, ...body, ...foot];
    const [header, ...others] = rows;
    if (header === undefined || !rows.some((row) => row.some((text) => text !== ''))) return '';
    const rule = Array.from({ length: this.columns }, (_, column) =>
      ruleOf(this.alignments[column]),
    );
    const lines = [line(header, this.columns), `| ${rule.join(' | ')} |`];
    for (const row of others) {
      // GFM readers fill short rows themselves, so the budget costs only looks.
      lines.push(
        line(row, this.budget.take(this.columns - row.length) ? this.columns : row.length),
      );
    }
    return lines.join('\n');
  }

  private joinLast(row: string[], text: string): void {
    const last = row[row.length - 1] ?? '';
    row[row.length - 1] = last === '' || text === '' ? last + text : `${last} ${text}`;
  }

  /** What is carried beyond a row's own cells, and the gaps before it. */
  private placeRest(row: string[]): void {
    this.placeCarried(row);
    if (this.carried.size === 0) return;
    const end = Math.max(...this.carried.keys());
    while (row.length < end && this.budget.take(1)) {
      row.push('');
      this.placeCarried(row);
    }
  }

  /** A cell that lies over one carried from above (an error in the source) takes its place. */
  private passCarried(column: number): void {
    const carried = this.carried.get(column);
    if (carried !== undefined && --carried.rowsLeft <= 0) this.carried.delete(column);
  }

  private placeCarried(row: string[]): void {
    let carried = this.carried.get(row.length);
    while (carried !== undefined && row.length < MAX_TABLE_COLUMNS) {
      if (--carried.rowsLeft <= 0) this.carried.delete(row.length);
      if (!this.budget.take(1)) return this.carried.clear();
      row.push(this.budget.repeat(carried.text));
      carried = this.carried.get(row.length);
    }
  }
}

function line(row: readonly string[], columns: number): string {
  let text = '|';
  for (let column = 0; column < columns; column++) {
    const cell = row[column] ?? '';
    text += cell === '' ? ' |' : ` ${cell} |`;
  }
  return text;
}

function ruleOf(alignment: Alignment | undefined): string {
  switch (alignment) {
    case 'left':
      return ':---';
    case 'center':
      return ':---:';
    case 'right':
      return '---:';
    case undefined:
      return '---';
  }
}
