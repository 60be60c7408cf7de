import { type PdfPiece } from './piece.js';

/** Pieces side by side on one baseline, from left to right. */
export interface PdfRow {
  readonly pieces: readonly PdfPiece[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  /** Of its largest letters, drop capitals apart. */
  readonly size: number;
}

interface OpenRow {
  readonly pieces: PdfPiece[];
  y: number;
  size: number;
}

/** Rows looked back at: pieces come sorted by height, so only the latest ones can still grow. */
const OPEN_ROWS = 4;

/** Sorts pieces into rows, from top to bottom. Raised and lowered characters stay in their row. */
export function toRows(pieces: readonly PdfPiece[]): PdfRow[] {
  const rows: OpenRow[] = [];
  for (const piece of [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = findRow(rows, piece);
    if (row === undefined) rows.push({ pieces: [piece], y: piece.y, size: piece.size });
    else join(row, piece);
  }
  return rows.map(finish).sort((a, b) => a.y - b.y);
}

function findRow(rows: readonly OpenRow[], piece: PdfPiece): OpenRow | undefined {
  for (let back = 1; back <= OPEN_ROWS; back++) {
    const row = rows.at(-back);
    if (row !== undefined && isBeside(row, piece)) return row;
  }
  return undefined;
}

/** Share of the smaller one's height that must be level with the other. */
const MIN_OVERLAP = 0.55;

function isBeside(row: OpenRow, piece: PdfPiece): boolean {
  const small = Math.min(row.size, piece.size);
  // A drop capital is as high as three lines and belongs only to the one with its baseline.
  if (Math.max(row.size, piece.size) > small * 1.9) return Math.abs(row.y - piece.y) < small * 0.25;
  const top = Math.max(row.y - row.size * 0.75, piece.y - piece.size * 0.75);
  const bottom = Math.min(row.y + row.size * 0.2, piece.y + piece.size * 0.2);
  return bottom - top >= small * 0.95 * MIN_OVERLAP;
}

function join(row: OpenRow, piece: PdfPiece): void {
  row.pieces.push(piece);
  if (piece.size <= row.size * 1.05 || piece.size > row.size * 1.9) return;
  row.y = piece.y;
  row.size = piece.size;
}

function finish({ pieces, y, size }: OpenRow): PdfRow {
  pieces.sort((a, b) => a.x0 - b.x0);
  let x0 = Infinity;
  let x1 = -Infinity;
  for (const piece of pieces) {
    x0 = Math.min(x0, piece.x0);
    x1 = Math.max(x1, piece.x1);
  }
  return { pieces, x0, x1, y, size };
}

/** Places of a row without ink, at least `minWidth` wide, its ends included. */
export function freeSpans(row: PdfRow, minWidth: number): readonly (readonly [number, number])[] {
  const free: (readonly [number, number])[] = [];
  let edge = -Infinity;
  for (const { x0, x1 } of row.pieces) {
    if (x0 - edge >= minWidth) free.push([edge, x0]);
    edge = Math.max(edge, x1);
  }
  free.push([edge, Infinity]);
  return free;
}
