import { MAX_COLSPAN, MAX_FILLED_CELLS, MAX_ROWSPAN, MAX_TABLE_COLUMNS } from '../limits.js';

/** A longer text is not worth repeating in every cell its span covers. */
const MAX_REPEATED_CHARS = 80;

export interface TableCell {
  readonly text: string;
  readonly colspan: number;
  readonly rowspan: number;
  readonly alignment: Alignment | undefined;
}

export type Alignment = 'left' | 'center' | 'right';

interface Carried {
  readonly text: string;
  rowsLeft: number;
}

/**
 * Rows and cells of one table laid out on a grid: spans are filled, rows padded, so that a cell
 * stays under its heading.
 */
export class TableGrid {
  private readonly rows: string[][] = [];
  private readonly alignments: (Alignment | undefined)[] = [];
  private readonly carried = new Map<number, Carried>();
  private row: string[] | undefined;
  private cellsInRow = 0;
  private firstColumn = 0;
  private filled = 0;
  private columns = 0;

  /** True until a row is done: what comes is the header. */
  get isAtHeader(): boolean {
    return this.rows.length === 0;
  }

  startRow(): void {
    this.endRow();
    this.row = [];
    this.cellsInRow = 0;
  }

  cell({ text, colspan, rowspan, alignment }: TableCell): void {
    this.row ??= [];
    const row = this.row;
    this.placeCarried(row);
    if (this.cellsInRow++ === 0) this.firstColumn = row.length;
    if (row.length >= MAX_TABLE_COLUMNS) return this.joinLast(row, text);
    if (this.rows.length === 0) this.alignments[row.length] = alignment;
    const repeated = text.length <= MAX_REPEATED_CHARS ? text : '';
    const rowsLeft = Math.min(rowspan, MAX_ROWSPAN) - 1;
    const wide = Math.min(colspan, MAX_COLSPAN, MAX_TABLE_COLUMNS - row.length);
    for (let column = 0; column < wide; column++) {
      if (column > 0 && ++this.filled > MAX_FILLED_CELLS) break;
      if (rowsLeft > 0) this.carried.set(row.length, { text: repeated, rowsLeft });
      row.push(column === 0 ? text : repeated);
    }
  }

  endRow(): void {
    const { row } = this;
    this.row = undefined;
    if (row === undefined) return;
    // One cell across the whole row is a title; saying it once is enough.
    if (this.cellsInRow === 1 && this.firstColumn === 0 && this.carried.size === 0) row.fill('', 1);
    this.placeCarried(row);
    if (row.length === 0) return;
    this.columns = Math.max(this.columns, row.length);
    this.rows.push(row);
  }

  /** GFM, or an empty string when no cell has text. */
  render(): string {
    this.endRow();
    const rows = this.rows.filter((row) => row.some((text) => text !== ''));
    const [header, ...body] = rows;
    if (header === undefined) return '';
    const rule = Array.from({ length: this.columns }, (_, column) =>
      ruleOf(this.alignments[column]),
    );
    return [line(header, this.columns), `| ${rule.join(' | ')} |`, ...this.renderBody(body)].join(
      '\n',
    );
  }

  private renderBody(body: readonly (readonly string[])[]): string[] {
    return body.map((row) => {
      this.filled += this.columns - row.length;
      // GFM readers fill short rows themselves, so the budget costs only looks.
      return line(row, this.filled > MAX_FILLED_CELLS ? row.length : this.columns);
    });
  }

  private joinLast(row: string[], text: string): void {
    const last = row[row.length - 1] ?? '';
    row[row.length - 1] = last === '' || text === '' ? last + text : `${last} ${text}`;
  }

  private placeCarried(row: string[]): void {
    let carried = this.carried.get(row.length);
    while (carried !== undefined && row.length < MAX_TABLE_COLUMNS) {
      if (--carried.rowsLeft <= 0) this.carried.delete(row.length);
      if (++this.filled > MAX_FILLED_CELLS) return this.carried.clear();
      row.push(carried.text);
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
