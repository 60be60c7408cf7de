import { MAX_COLSPAN } from '../limits.js';
import { child, type XmlElement } from '../files/xml-tree.js';
import { isTurnedOn, holdsNoText, valueIn } from './word-xml.js';

interface Cell {
  readonly html: string;
  readonly columns: number;
  rows: number;
  /** Cells below may belong to it. */
  readonly isMerged: boolean;
}

export interface TablePlace {
  readonly isInCell: boolean;
  /** Whether there were tables in the cells that were read. */
  hasTables(): boolean;
}

/** A table (ECMA-376 part 1, 17.4) as HTML, without rows and cells that were deleted. */
export function tableHtml(
  table: XmlElement,
  readCell: (cell: XmlElement) => string,
  { isInCell, hasTables }: TablePlace,
): string {
  const rows: { readonly cells: readonly Cell[]; readonly isHead: boolean }[] = [];
  const above = new Map<number, Cell>();
  for (const row of inside(table, 'w:tr')) {
    const properties = child(row, 'w:trPr');
    if (child(properties, 'w:del')) continue;
    rows.push({
      cells: readRow(row, above, isInCell ? (cell) => lone(readCell(cell)) : readCell),
      isHead: isTurnedOn(child(properties, 'w:tblHeader')) ?? false,
    });
  }
  const firstOfBody = rows.findIndex(({ isHead }) => !isHead);
  const head = firstOfBody === -1 ? rows.length : firstOfBody;
  const html = rows.map(({ cells }, index) => rowHtml(cells, index < head ? 'th' : 'td'));
  const headHtml = html.slice(0, head).join('');
  const body = html.slice(head).join('');
  if (headHtml + body === '') return '';
  const isGrid = hasTables() && isData(rows.map(({ cells }) => cells));
  const open = isGrid ? '<table role="table">' : '<table>';
  return `${open}${headHtml === '' ? '' : `<thead>${headHtml}</thead>`}<tbody>${body}</tbody></table>`;
}

/** Characters of a cell beyond which a table arranges the page. */
const MAX_CELL_CHARS = 4_000;

/** Short cells, in most rows several, are data, even if one holds a table again. */
function isData(rows: readonly (readonly Cell[])[]): boolean {
  const isShort = ({ html }: Cell): boolean => html.length <= MAX_CELL_CHARS && !/<h\d/.test(html);
  const wide = rows.filter((cells) => cells.length > 1).length;
  return rows.length > 1 && wide * 2 >= rows.length && rows.every((cells) => cells.every(isShort));
}

function readRow(
  row: XmlElement,
  above: Map<number, Cell>,
  readCell: (cell: XmlElement) => string,
): Cell[] {
  const cells: Cell[] = [];
  const before = span(valueIn(child(row, 'w:trPr'), 'w:gridBefore'), 0);
  if (before > 0) cells.push({ html: '', columns: before, rows: 1, isMerged: false });
  let column = before;
  for (const element of inside(row, 'w:tc')) {
    const properties = child(element, 'w:tcPr');
    if (child(properties, 'w:cellDel')) continue;
    const columns = span(valueIn(properties, 'w:gridSpan'), 1);
    const merge = child(properties, 'w:vMerge');
    const isFollowing = merge !== undefined && merge.attributes['w:val'] !== 'restart';
    const upper = above.get(column);
    if (isFollowing && upper?.isMerged) upper.rows++;
    else {
      const cell = {
        html: readCell(element),
        columns,
        rows: 1,
        isMerged: merge !== undefined,
      };
      above.set(column, cell);
      cells.push(cell);
    }
    column += columns;
  }
  return cells;
}

function rowHtml(cells: readonly Cell[], name: 'th' | 'td'): string {
  const html = cells.map(({ html: content, columns, rows }) => {
    const wide = columns > 1 ? ` colspan="${columns}"` : '';
    const high = rows > 1 ? ` rowspan="${rows}"` : '';
    return `<${name}${wide}${high}>${content}</${name}>`;
  });
  return html.length === 0 ? '' : `<tr>${html.join('')}</tr>`;
}

/** A paragraph that is all of a cell is its text, so that a row is one line of the cell around the table. */
function lone(html: string): string {
  const isLone = html.startsWith('<p>') && html.indexOf('</p>') === html.length - '</p>'.length;
  return isLone ? html.slice('<p>'.length, -'</p>'.length) : html;
}

/** Rows of a table or cells of a row, through whatever is around them. */
function inside({ children }: XmlElement, name: string): XmlElement[] {
  return children.flatMap((one) => {
    if (one.name === name) return [one];
    return holdsNoText(one) ? [] : inside(one, name);
  });
}

function span(value: string | undefined, none: number): number {
  const columns = Number.parseInt(value ?? '', 10);
  return columns >= 0 ? Math.min(columns, MAX_COLSPAN) : none;
}
