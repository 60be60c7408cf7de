import { MAX_PDF_TABLE_ROWS } from '../limits.js';
import type { DocumentStyle } from './document-style.js';
import { appendLine, type Vocabulary } from './join-lines.js';
import { textOfLine, textOfSpans, type Line, type Segment, type PdfSpan } from './lines.js';
import { upperMedian } from './piece.js';

export interface ReadTable {
  /** Cells of rows, each a run of text; null: the lines are no table. */
  readonly rows: readonly (readonly (readonly PdfSpan[])[])[] | null;
  /** Lines examined or taken. */
  readonly lineCount: number;
}

/** A row further below than this many font sizes is another table. */
const MAX_ROW_GAP_EM = 2.6;

/** Share of rows that may cross a gap between columns: titles over several of them. */
const MAX_CROSSING = 0.12;

/** Narrowest gap between columns by font size. */
const MIN_GAP_EM = 0.6;

/** Share of cells with text. */
const MIN_FILLED = 0.5;

/** A longer text is no cell. */
const MAX_CELL_CHARS = 120;

/** A table that starts at a line: rows of cells that keep to the same columns. */
export function readTable(
  lines: readonly Line[],
  start: number,
  { running, vocabulary }: Pick<DocumentStyle, 'running' | 'vocabulary'>,
): ReadTable {
  const run = takeRun(lines, start, running);
  return { rows: rowsOf(run, vocabulary), lineCount: run.length };
}

function rowsOf(run: readonly Line[], vocabulary: Vocabulary): Cells[] | null {
  const full = run.filter(({ segments }) => segments.length > 1);
  if (full.length < 2 || full.length < run.length * 0.5) return null;
  const em = upperMedian(run.map(({ size }) => size));
  const columns = columnsOf(run, em);
  if (columns.length < 2 || (full.length < 3 && !standsWideApart(full, columns.length)))
    return null;
  const rows = run.map((line) => toCells(line, columns));
  return isTable(rows, columns.length) ? mergeWrapped(run, rows, vocabulary) : null;
}

/** Two lines are a table only with gaps that no justified text has. */
const standsWideApart = (run: readonly Line[], width: number): boolean =>
  width > 2 &&
  run.every(
    ({ segments, size }) =>
      segments.length === width &&
      segments.every(
        ({ x0 }, index) => index === 0 || x0 - (segments[index - 1]?.x1 ?? x0) > size * 2,
      ),
  );

type Cells = readonly (readonly PdfSpan[])[];
type Column = readonly [x0: number, x1: number];

function takeRun(lines: readonly Line[], start: number, running: ReadonlySet<Line>): Line[] {
  const run: Line[] = [];
  for (let at = start; at < lines.length && run.length < MAX_PDF_TABLE_ROWS; at++) {
    const line = lines[at];
    const last = run.at(-1);
    if (line === undefined || running.has(line)) break;
    if (!belongs(line, last, run, lines[at + 1])) break;
    run.push(line);
  }
  while ((run.at(-1)?.segments.length ?? 2) < 2 && !isTail(run)) run.pop();
  return run;
}

/** A wrapped cell in the last row: beside the first column. */
function isTail(run: readonly Line[]): boolean {
  const last = run.at(-1);
  const before = run.at(-2);
  if (last === undefined || before === undefined || before.segments.length < 2) return false;
  return last.x0 > (before.segments[1]?.x0 ?? Infinity) - 3 && last.y - before.y < last.size * 1.4;
}

function belongs(
  line: Line,
  last: Line | undefined,
  run: readonly Line[],
  next: Line | undefined,
): boolean {
  if (line.isMono || isLeader(line)) return false;
  if (last === undefined) return line.segments.length > 1;
  if (line.y - last.y > line.size * MAX_ROW_GAP_EM) return false;
  if (Math.abs(line.size - last.size) > last.size * 0.3) return false;
  if (line.segments.length > 1) return true;
  // One text alone: a cell that goes on, when rows follow and it fits between the gaps.
  const isClose = line.y - last.y < line.size * 1.45;
  const isNarrow = line.x1 - line.x0 < (last.x1 - last.x0) * 0.6;
  const goesOn =
    next !== undefined && next.segments.length > 1 && next.y - line.y < line.size * MAX_ROW_GAP_EM;
  if (!isNarrow) return false;
  // A title over several columns has room above it.
  return goesOn || (isClose && line.x0 > last.x0 + line.size);
}

/** Dots that lead to a page number: a table of contents. */
export const isLeader = (line: Line): boolean => LEADER.test(textOfLine(line));

const LEADER = /(?:[.·…]\s?){4}/;

/** Leader dots as one sign. */
export const withoutLeaders = (text: string): string =>
  LEADER.test(text) ? text.replace(/(?:[.·…]\s?){4,}/g, '… ') : text;

/** Columns between the gaps that nearly all rows leave free. */
function columnsOf(run: readonly Line[], em: number): Column[] {
  const edges: [number, number][] = [];
  for (const { segments } of run) {
    for (const { x0, x1 } of segments) edges.push([x0, 1], [Math.max(x1, x0 + 0.1), -1]);
  }
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const allowed = Math.floor(run.length * MAX_CROSSING);
  const columns: [number, number][] = [];
  let covered = 0;
  let end = -Infinity;
  for (const [x, change] of edges) {
    const before = covered;
    covered += change;
    if (change > 0 && before <= allowed && covered > allowed) {
      const last = columns.at(-1);
      if (last !== undefined && x - end < em * MIN_GAP_EM) last[1] = Infinity;
      else columns.push([x, Infinity]);
    } else if (change < 0 && before > allowed && covered <= allowed) {
      end = x;
      const last = columns.at(-1);
      if (last !== undefined) last[1] = x;
    }
  }
  return columns;
}

/** A cell goes to the column it shares most with. */
function toCells({ segments }: Line, columns: readonly Column[]): Cells {
  const cells: PdfSpan[][] = columns.map(() => []);
  for (const segment of segments) {
    const cell = cells[columnOf(segment, columns)];
    if (cell === undefined) continue;
    if (cell.length > 0) cell.push({ ...BLANK });
    cell.push(...segment.spans);
  }
  return cells;
}

const BLANK: PdfSpan = {
  text: ' ',
  isBold: false,
  isItalic: false,
  isMono: false,
  raised: undefined,
  link: undefined,
};

function columnOf({ x0, x1 }: Segment, columns: readonly Column[]): number {
  let best = 0;
  let bestShare = -Infinity;
  columns.forEach(([from, to], index) => {
    const share = Math.min(x1, to) - Math.max(x0, from);
    if (share > bestShare) {
      best = index;
      bestShare = share;
    }
  });
  return best;
}

function isTable(rows: readonly Cells[], width: number): boolean {
  const texts = rows.map((cells) => cells.map((cell) => textOfSpans(cell).trim()));
  for (let column = 0; column < width; column++) {
    const filled = texts.filter((row) => row[column] !== '').length;
    if (filled < Math.max(2, rows.length * 0.25)) return false;
  }
  const cells = texts.flat().filter((text) => text !== '');
  // Signs of a formula form columns as well, with much room between them.
  if (cells.length < rows.length * width * MIN_FILLED) return false;
  if (upperMedian(cells.map((text) => text.length)) > MAX_CELL_CHARS / 2) return false;
  if (cells.some((text) => text.length > MAX_CELL_CHARS * 2)) return false;
  const firsts = texts.map(([first = '']) => first).filter((text) => text !== '');
  const markers = firsts.filter(
    (text) => ROMAN.test(text) || listMarker(`${text} x`)?.length === text.length + 1,
  );
  // Markers of a list in a column of their own.
  return width > 2 || markers.length < firsts.length * 0.6;
}

const ROMAN = /^[IVXL]{1,6}\.?$/;

/** A line close below a row that fills few of its columns goes on with the cells above. */
function mergeWrapped(
  run: readonly Line[],
  rows: readonly Cells[],
  vocabulary: Vocabulary,
): Cells[] {
  const merged: PdfSpan[][][] = [];
  rows.forEach((cells, index) => {
    const last = merged.at(-1);
    if (last === undefined || !isWrapped(cells, run[index], run[index - 1])) {
      merged.push(cells.map((cell) => [...cell]));
      return;
    }
    cells.forEach((cell, column) => {
      const above = last[column];
      if (above !== undefined && cell.length > 0) appendLine(above, cell, vocabulary);
    });
  });
  return merged;
}

function isWrapped(cells: Cells, line: Line | undefined, above: Line | undefined): boolean {
  if (line === undefined || above === undefined || line.y - above.y > line.size * 1.45)
    return false;
  const texts = cells.map((cell) => textOfSpans(cell).trim());
  const filled = texts.filter((text) => text !== '');
  if (filled.length === 1 && /^\p{Ll}/u.test(filled[0] ?? '')) return true;
  return texts[0] === '' && filled.length <= Math.max(1, cells.length / 2);
}

/** What opens an item of a list. */
export interface ListMarker {
  readonly kind: 'bullet' | 'number' | 'letter';
  /** Of a numbered item. */
  readonly number?: number;
  /** UTF-16 units with the space behind it. */
  readonly length: number;
}

/** Bullets of text and symbol fonts; the latter's are private characters. */
const BULLET =
  /^(?:[•‣◦▪▫●○■□◆◇►▶➢➤✓✔❖∙⁃\uf0b7\uf0a7\uf0a8\uf0d8\uf076\uf0fc\uf06e]\s*|[-–—*·]\s+)(?=\S)/;
const NUMBER = /^(\d{1,3})[.)]\s+(?=\S)/;
const LETTER = /^(?:\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|(?:[a-zA-Z]|[ivx]{1,4})\))\s+(?=\S)/;

export function listMarker(text: string): ListMarker | undefined {
  const bullet = BULLET.exec(text);
  if (bullet !== null) return { kind: 'bullet', length: bullet[0].length };
  const number = NUMBER.exec(text);
  if (number !== null) {
    return { kind: 'number', number: Number(number[1]), length: number[0].length };
  }
  const letter = LETTER.exec(text);
  return letter === null ? undefined : { kind: 'letter', length: letter[0].length };
}
