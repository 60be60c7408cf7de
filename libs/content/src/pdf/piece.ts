import { type FontStyle } from './font-style.js';

/**
 * A run of characters as the page's program drew it. Lengths are in points; x grows in reading
 * direction of Latin script, y grows downwards, so a turned page is upright here.
 */
export interface PdfPiece {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** Of the baseline. */
  readonly y: number;
  /** Height of the font. */
  readonly size: number;
  readonly font: FontStyle;
  readonly isRtl: boolean;
  readonly link?: string;
}

/** Pieces that read in one direction. */
export type PieceGroup = readonly PdfPiece[];

export const upperMedian = (values: readonly number[]): number => {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
};

/** Most of the characters' size. */
export function usualSize(pieces: readonly PdfPiece[]): number {
  const chars = new Map<number, number>();
  for (const { size, text } of pieces) {
    const key = Math.round(size * 2) / 2;
    chars.set(key, (chars.get(key) ?? 0) + text.length);
  }
  return mostFrequent(chars) ?? 10;
}

/** Key with the largest count; of equal ones the smallest, so that order does not matter. */
export function mostFrequent(counts: ReadonlyMap<number, number>): number | undefined {
  let best: number | undefined;
  let bestCount = 0;
  for (const [key, count] of counts) {
    if (count > bestCount || (count === bestCount && best !== undefined && key < best)) {
      best = key;
      bestCount = count;
    }
  }
  return best;
}
