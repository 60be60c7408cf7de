import { html, type Html, type Piece } from './html.js';

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Piece;
  /** Numbers are right-aligned. @default 'text' */
  readonly kind?: 'text' | 'number' | 'address';
}

export interface DataTable<Row> {
  /** Read out before the table. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown instead of a table without rows. */
  readonly empty: Piece;
  /** Attributes of a row; the names are fixed, the values may come from outside. */
  readonly rowData?: (row: Row) => Html;
}

/**
 * A table that becomes a list of cards on a narrow screen. That layout removes the table semantics for
 * screen readers, so the roles restore them.
 */
export function dataTable<Row>({ caption, columns, rows, empty, rowData }: DataTable<Row>): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`;
  return html`<table class="data" role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((column) => headCell(column))}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(
        (row) =>
          html`<tr role="row" ${rowData?.(row)}>
            ${columns.map((column) => bodyCell(column, row))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function headCell<Row>({ title, kind = 'text' }: Column<Row>): Html {
  return html`<th scope="col" role="columnheader" class="${kind}">${title}</th>`;
}

function bodyCell<Row>({ title, cell, kind = 'text' }: Column<Row>, row: Row): Html {
  return html`<td role="cell" class="${kind}" data-title="${title}">
    <div>${cell(row)}</div>
  </td>`;
}
