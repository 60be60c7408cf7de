import { html, type Html } from '../html/html.js';
import { renderInlines } from './render-inlines.js';

/** Wider tables are cut to this number of columns. */
const MAX_COLUMNS = 100;

/** @param lines header, delimiter row, body */
export function renderTable(lines: readonly string[]): Html {
  const [head = '', , ...body] = lines;
  const titles = cellsOf(head);
  return html`<div class="wide" role="region" aria-label="Table" tabindex="0">
    <table>
      <thead>
        <tr>
          ${titles.map((cell) => html`<th scope="col">${renderInlines(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${body.map((line) => bodyRow(cellsOf(line).slice(0, titles.length)))}
      </tbody>
    </table>
  </div>`;
}

function bodyRow(cells: readonly string[]): Html {
  return html`<tr>
    ${cells.map((cell) => html`<td>${renderInlines(cell)}</td>`)}
  </tr>`;
}

/** Cells between bars; an escaped bar does not separate. */
export function cellsOf(line: string): string[] {
  const text = line.trim();
  const cells: string[] = [];
  let cell = '';
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\' && text[at + 1] === '|') {
      cell += '|';
      at++;
    } else if (char === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += char;
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells.slice(0, MAX_COLUMNS);
}

export function isDelimiterRow(line: string): boolean {
  const text = line.trim();
  if (!text.includes('-') || !text.includes('|')) return false;
  return cellsOf(text).every((cell) => /^:?-+:?$/.test(cell));
}
