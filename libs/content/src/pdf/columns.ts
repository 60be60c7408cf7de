import { CELL_EM } from './lines.js';
import { upperMedian, type PdfPiece, usualSize } from './piece.js';
import { freeSpans, type PdfRow, toRows } from './rows.js';

/** An empty strip with text on both sides, over some rows of a region. */
interface Gutter {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly x0: number;
  readonly x1: number;
}

/** Narrowest gutter by font size: LaTeX's own is one em, word spaces of a justified line less. */
const MIN_GUTTER_EM = 0.75;

/** Nested cuts; deeper ones are no real layout. */
const MAX_CUTS_DEPTH = 10;

/** Places tried as gutters per region. */
const MAX_CANDIDATES = 24;

/** Rows a column must have. */
const MIN_COLUMN_ROWS = 3;

interface Region {
  readonly pieces: readonly PdfPiece[];
  readonly depth: number;
}

/**
 * Parts of a page in reading order, each with one column of text: text above a gutter comes before
 * its columns, and text below after them. Tables stay whole.
 */
export function toRegions(
  pieces: readonly PdfPiece[],
  isRtl: boolean,
): readonly (readonly PdfRow[])[] {
  const regions: (readonly PdfRow[])[] = [];
  const pending: Region[] = [{ pieces, depth: 0 }];
  for (let region = pending.pop(); region !== undefined; region = pending.pop()) {
    const rows = toRows(region.pieces);
    if (rows.length === 0) continue;
    const gutter = region.depth < MAX_CUTS_DEPTH ? findGutter(rows) : undefined;
    if (gutter === undefined) {
      regions.push(rows);
      continue;
    }
    const parts = cut(rows, gutter, isRtl);
    for (const part of parts.reverse()) pending.push({ pieces: part, depth: region.depth + 1 });
  }
  return regions;
}

function cut(rows: readonly PdfRow[], gutter: Gutter, isRtl: boolean): PdfPiece[][] {
  const middle = (gutter.x0 + gutter.x1) / 2;
  const of = (some: readonly PdfRow[]): PdfPiece[] => some.flatMap(({ pieces }) => [...pieces]);
  const beside = of(rows.slice(gutter.firstRow, gutter.lastRow + 1));
  const left = beside.filter(({ x0, x1 }) => (x0 + x1) / 2 < middle);
  const right = beside.filter(({ x0, x1 }) => (x0 + x1) / 2 >= middle);
  const columns = isRtl ? [right, left] : [left, right];
  return [of(rows.slice(0, gutter.firstRow)), ...columns, of(rows.slice(gutter.lastRow + 1))];
}

function findGutter(rows: readonly PdfRow[]): Gutter | undefined {
  if (rows.length < MIN_COLUMN_ROWS) return undefined;
  const em = usualSize(rows.flatMap(({ pieces }) => pieces));
  let best: Gutter | undefined;
  let bestRows = 0;
  const spans = rows.map((row) => freeSpans(row, em * MIN_GUTTER_EM));
  for (const x of candidates(rows, spans, em)) {
    for (const run of runsAt(x, spans, em)) {
      const gutter = trim(rows, run, em);
      if (gutter === undefined || !partsColumns(rows, gutter, em)) continue;
      const count = gutter.lastRow - gutter.firstRow;
      if (best === undefined || count > bestRows) {
        best = gutter;
        bestRows = count;
      }
    }
  }
  return best;
}

type Spans = readonly (readonly [number, number])[];

/** Middles of gaps inside rows and edges of short rows, the most frequent ones first. */
function candidates(rows: readonly PdfRow[], spans: readonly Spans[], em: number): number[] {
  const counts = new Map<number, number>();
  const vote = (x: number): void => {
    const bin = Math.round(x / (em / 2));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  };
  rows.forEach((row, index) => {
    for (const [from, to] of spans[index] ?? []) {
      if (Number.isFinite(from) && Number.isFinite(to)) {
        vote((from + to) / 2);
        // A short line on the left makes the gap wide: the gutter is at its far end.
        if (to - from > em * 3) vote(to - em * 0.5);
      }
    }
    // Columns with different baselines have rows of one side only.
    vote(row.x0 - em * 0.5);
    vote(row.x1 + em * 0.5);
  });
  return [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_CANDIDATES)
    .map(([bin]) => (bin * em) / 2);
}

/** Runs of rows with no ink at x. */
function runsAt(x: number, spans: readonly Spans[], em: number): Gutter[] {
  const runs: Gutter[] = [];
  let open: Gutter | undefined;
  spans.forEach((free, index) => {
    const span = free.find(([from, to]) => from <= x && x <= to);
    const x0 = Math.max(open?.x0 ?? -Infinity, span?.[0] ?? 0);
    const x1 = Math.min(open?.x1 ?? Infinity, span?.[1] ?? 0);
    if (span !== undefined && x1 - x0 >= em * MIN_GUTTER_EM) {
      open = { firstRow: open?.firstRow ?? index, lastRow: index, x0, x1 };
      return;
    }
    if (open !== undefined) runs.push(open);
    open =
      span === undefined
        ? undefined
        : { firstRow: index, lastRow: index, x0: span[0], x1: span[1] };
  });
  if (open !== undefined) runs.push(open);
  return runs.filter(({ x0, x1 }) => Number.isFinite(x0) && Number.isFinite(x1));
}

/**
 * Leaves out detached rows at both ends that have text on one side only: a short title
 * above the columns, a short line below them.
 */
function trim(rows: readonly PdfRow[], run: Gutter, em: number): Gutter | undefined {
  let { firstRow, lastRow } = run;
  const isApart = (upper: number): boolean =>
    (rows[upper + 1]?.y ?? 0) - (rows[upper]?.y ?? 0) > em * 1.9;
  const isMixed = (index: number): boolean => {
    const row = rows[index];
    return row !== undefined && row.x0 < run.x0 + 0.1 && row.x1 > run.x1 - 0.1;
  };
  for (let index = firstRow; index < lastRow && !isMixed(index); index++) {
    if (isApart(index) && !hasTwin(rows, index, run)) firstRow = index + 1;
  }
  for (let index = lastRow; index > firstRow && !isMixed(index); index--) {
    if (isApart(index - 1) && !hasTwin(rows, index, run)) lastRow = index - 1;
  }
  return lastRow - firstRow + 1 < MIN_COLUMN_ROWS ? undefined : { ...run, firstRow, lastRow };
}

/** A row of one side has a row of the other beside it, on its own baseline. */
function hasTwin(rows: readonly PdfRow[], index: number, run: Gutter): boolean {
  const row = rows[index];
  if (row === undefined) return false;
  const isLeft = row.x1 <= run.x1;
  return [rows[index - 1], rows[index + 1]].some(
    (other) =>
      other !== undefined &&
      Math.abs(other.y - row.y) < row.size &&
      (isLeft ? other.x0 >= run.x0 : other.x1 <= run.x1),
  );
}

interface Side {
  readonly rows: readonly PdfRow[];
  readonly width: number;
}

/** Shares of a column's width that its lines fill, and of its height that they take. */
const MIN_FILL = 0.5;
const MIN_FILL_LEVEL = 0.8;
/** Share of rows on a baseline of their own. */
const MIN_UNEVEN = 0.2;
const MIN_DENSITY = 0.55;
const MIN_LINE_CHARS = 14;

/** Distinguishes columns of text from columns of a table and from the space after list markers. */
function partsColumns(rows: readonly PdfRow[], gutter: Gutter, em: number): boolean {
  const pieces = rows.slice(gutter.firstRow, gutter.lastRow + 1).flatMap((row) => row.pieces);
  const middle = (gutter.x0 + gutter.x1) / 2;
  const left = sideOf(pieces.filter(({ x0, x1 }) => (x0 + x1) / 2 < middle));
  const right = sideOf(pieces.filter(({ x0, x1 }) => (x0 + x1) / 2 >= middle));
  if (left.rows.length < MIN_COLUMN_ROWS || right.rows.length < MIN_COLUMN_ROWS) return false;
  const shared = sharedHeight(left.rows, right.rows);
  if (shared < em * 3) return false;
  if (!isSteady(left, right) || !isSteady(right, left)) return false;
  const isUneven = unevenBaselines(left.rows, right.rows) > MIN_UNEVEN;
  // Cells of a table share their baselines, so there lines must be full to be text.
  const minFill = isUneven ? MIN_FILL : MIN_FILL_LEVEL;
  if (isProse(left, minFill) && isProse(right, minFill)) return true;
  const isTall = isUneven && shared > em * 20;
  return isTall && isWordy(left) && isWordy(right) && standsLikeColumns(left, right, gutter);
}

function sideOf(pieces: readonly PdfPiece[]): Side {
  const rows = toRows(pieces);
  let x0 = Infinity;
  let x1 = -Infinity;
  for (const row of rows) {
    x0 = Math.min(x0, row.x0);
    x1 = Math.max(x1, row.x1);
  }
  return { rows, width: x1 - x0 };
}

const top = (rows: readonly PdfRow[]): number => rows[0]?.y ?? 0;
const bottom = (rows: readonly PdfRow[]): number => rows.at(-1)?.y ?? 0;

const sharedHeight = (a: readonly PdfRow[], b: readonly PdfRow[]): number =>
  Math.min(bottom(a), bottom(b)) - Math.max(top(a), top(b));

/** A column has about as many lines as the other, or lines in paragraphs beside a picture. */
const isSteady = (own: Side, other: Side): boolean =>
  isDense(own.rows, other.rows) ||
  (own.width > (own.width + other.width) * MIN_COLUMN_SHARE && inParagraphs(own.rows));

/** Narrowest column of a page's width. */
const MIN_COLUMN_SHARE = 0.3;

/** Share of lines with another close above or below; cells of a table have none. */
function inParagraphs(rows: readonly PdfRow[]): boolean {
  const isNear = (a: PdfRow | undefined, b: PdfRow | undefined): boolean =>
    a !== undefined && b !== undefined && b.y - a.y < Math.max(a.size, b.size) * 1.5;
  const near = rows.filter(
    (row, index) => isNear(rows[index - 1], row) || isNear(row, rows[index + 1]),
  );
  return near.length > rows.length * 0.7;
}

/** Lines of a column follow each other as closely as the other's; cells of a table need not. */
function isDense(own: readonly PdfRow[], other: readonly PdfRow[]): boolean {
  const from = Math.max(top(own), top(other)) - 1;
  const to = Math.min(bottom(own), bottom(other)) + 1;
  const inside = (rows: readonly PdfRow[]): number =>
    rows.filter(({ y }) => y >= from && y <= to).length;
  return inside(own) >= inside(other) * MIN_DENSITY;
}

function isProse({ rows, width }: Side, minFill: number): boolean {
  const fill = upperMedian(rows.map(({ x0, x1 }) => (x1 - x0) / Math.max(width, 1)));
  const chars = upperMedian(
    rows.map(({ pieces }) => pieces.reduce((n, { text }) => n + text.length, 0)),
  );
  return fill >= minFill && chars >= MIN_LINE_CHARS && holdsLines(rows);
}

/** Cells beside each other in most rows are a table, whatever the width they fill together. */
function holdsLines(rows: readonly PdfRow[]): boolean {
  return upperMedian(rows.flatMap(charsOfSegments)) >= MIN_LINE_CHARS;
}

/** Lengths of a row's parts between gaps as wide as those of cells. */
function charsOfSegments({ pieces, size }: PdfRow): number[] {
  const lengths: number[] = [];
  let edge = Infinity;
  for (const { x0, x1, text } of pieces) {
    const last = lengths.at(-1);
    if (last === undefined || x0 - edge > size * CELL_EM) lengths.push(text.length);
    else lengths[lengths.length - 1] = last + text.length;
    edge = x1;
  }
  return lengths;
}

/** Entries of an index are words with some numbers; columns of numbers are a table's. */
function isWordy({ rows }: Side): boolean {
  let letters = 0;
  let all = 0;
  for (const { text } of rows.flatMap(({ pieces }) => pieces)) {
    all += text.replace(/\s/g, '').length;
    letters += text.match(/\p{L}/gu)?.length ?? 0;
  }
  return letters >= all / 2;
}

/** Lists set in columns, as in an index: tall, and the columns' starts equally far apart. */
function standsLikeColumns(left: Side, right: Side, gutter: Gutter): boolean {
  const starts = [left, right].map(({ rows }) => upperMedian(rows.map(({ x0 }) => x0)));
  const [a = 0, b = 0] = starts;
  const isWide = left.width > 60 && right.width > 60 && gutter.x1 - gutter.x0 < left.width;
  const longest = Math.max(left.width, right.width);
  return isWide && b - a > longest * 0.8;
}

/** Share of rows without a partner on the other side's same baseline. */
function unevenBaselines(left: readonly PdfRow[], right: readonly PdfRow[]): number {
  const lines = new Set(right.map(({ y }) => Math.round(y)));
  const lonely = left.filter(
    ({ y }) => ![-1, 0, 1].some((away) => lines.has(Math.round(y) + away)),
  );
  return lonely.length / Math.max(left.length, 1);
}
