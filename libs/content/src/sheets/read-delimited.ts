import { decodeBody, sniffCharset } from '../charset/sniff-charset.js';
import type { CpuBudget } from '../cpu-budget.js';
import type { FileContent } from '../files/file-content.js';
import type { FileOptions } from '../files/file-result.js';
import { type Delimiter, DELIMITERS, likelyDelimiter, SIGN_CHARS } from '../files/text-signs.js';
import { SheetBook } from './sheet-book.js';
import { MAX_SHEET_COLUMNS, type SheetRow, tidyCell } from './table-blocks.js';

/**
 * A table in plain text (RFC 4180): CSV with any of the usual delimiters, or TSV. Quotes within a cell that does not
 * start with one are text, and a quoted cell that does not end takes the rest.
 */
export function readDelimited(
  bytes: Uint8Array,
  { hint }: FileOptions,
  cpu: CpuBudget,
): FileContent {
  const declared = hint?.contentType?.startsWith('text/') ? hint.contentType : 'text/csv';
  const text = decodeBody(bytes, sniffCharset(bytes, declared));
  const stated = /^sep=(.)\r?\n/.exec(text);
  const delimiter =
    DELIMITERS.find((one) => one === stated?.[1]) ?? likelyDelimiter(text.slice(0, SIGN_CHARS));
  const book = new SheetBook(cpu);
  const rows: SheetRow[] = [];
  let isTooWide = false;
  for (const cells of rowsOf(text, delimiter, stated?.[0].length ?? 0)) {
    isTooWide ||= cells.length > MAX_SHEET_COLUMNS;
    const row = { number: 1, cells: cells.slice(0, MAX_SHEET_COLUMNS).map(tidyCell) };
    if (!book.takes(row)) break;
    rows.push(row);
  }
  book.add({ rows, isTooWide });
  return book.finish(undefined);
}

/** Cells of each row, one more than are kept at most; blank rows are left out: they part no tables here. */
function* rowsOf(text: string, delimiter: Delimiter, from: number): Generator<string[]> {
  let at = from;
  let cells: string[] = [];
  while (at < text.length) {
    const cell = cellAt(text, at, delimiter);
    if (cells.length <= MAX_SHEET_COLUMNS) cells.push(cell.value);
    at = cell.end;
    if (text[at] === delimiter && at + 1 < text.length) at++;
    else {
      if (text[at] === delimiter) at++;
      if (cells.some((one) => one.trim() !== '')) yield cells;
      cells = [];
      if (text[at] === '\r') at++;
      if (text[at] === '\n') at++;
    }
  }
}

interface FoundCell {
  readonly value: string;
  /** Of its delimiter or line end. */
  readonly end: number;
}

function cellAt(text: string, from: number, delimiter: Delimiter): FoundCell {
  let start = from;
  while (text[start] === ' ') start++;
  if (text[start] !== '"') {
    const end = endOfCell(text, from, delimiter);
    return { value: text.slice(from, end), end };
  }
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return { value: value + text.slice(at), end: text.length };
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const end = endOfCell(text, quote + 1, delimiter);
      return { value: value + text.slice(quote + 1, end), end };
    }
    value += '"';
    at = quote + 2;
  }
}

function endOfCell(text: string, from: number, delimiter: Delimiter): number {
  let at = from;
  while (at < text.length) {
    const character = text[at];
    if (character === delimiter || character === '\n' || character === '\r') break;
    at++;
  }
  return at;
}
