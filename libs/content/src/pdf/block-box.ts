import { type PagedBlock } from './block.js';

/** Left, top, right and bottom in points, from the upper left of the page as it is shown. */
export type PdfBox = readonly [x0: number, y0: number, x1: number, y1: number];

/** Height of letters above their baseline and below it, by the size of the font. */
const ASCENT = 0.8;
const DESCENT = 0.25;

/** Cosine and sine of quarter turns. */
const TURNS: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** Where the lines of a block are; undefined for text askew. */
export function blockBox({ lines, quarter }: PagedBlock): PdfBox | undefined {
  const turn = TURNS[quarter];
  if (turn === undefined || lines.length === 0) return undefined;
  const [cos, sin] = turn;
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x0, x1, y, size } of lines) {
    left = Math.min(left, x0);
    right = Math.max(right, x1);
    top = Math.min(top, y - size * ASCENT);
    bottom = Math.max(bottom, y + size * DESCENT);
  }
  // Back from the direction of reading to the page.
  const [ax, bx] = [left * cos - top * sin, right * cos - bottom * sin];
  const [ay, by] = [left * sin + top * cos, right * sin + bottom * cos];
  return [
    points(Math.min(ax, bx)),
    points(Math.min(ay, by)),
    points(Math.max(ax, bx)),
    points(Math.max(ay, by)),
  ];
}

/** Hundredths are finer than any reader needs. */
export const points = (length: number): number => Math.round(length * 100) / 100;
