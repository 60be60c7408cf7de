import type { RowPair } from './labelled-set.js';

export interface PairFigures {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

export const pairCode = ([one, other]: RowPair): string => `${one} ${other}`;

/** Precision, recall and F1 of pairs. */
export function pairFigures(found: readonly RowPair[], truth: readonly RowPair[]): PairFigures {
  const known = new Set(truth.map(pairCode));
  const right = found.filter((pair) => known.has(pairCode(pair))).length;
  const precision = found.length === 0 ? 1 : right / found.length;
  const recall = truth.length === 0 ? 1 : right / truth.length;
  const sum = precision + recall;
  return { precision, recall, f1: sum === 0 ? 0 : (2 * precision * recall) / sum };
}

/**
 * Which half each row belongs to, 0 or 1: rows of one thing are in the same half. A gap between both shows rules that help
 * single pairs only.
 */
export function halves(size: number, truth: readonly RowPair[]): readonly number[] {
  const first = Array.from({ length: size }, (_, at) => at);
  const rootOf = (at: number): number => {
    const next = first[at] ?? at;
    return next === at ? at : rootOf(next);
  };
  for (const [one, other] of truth) {
    const [a, b] = [rootOf(one), rootOf(other)];
    first[Math.max(a, b)] = Math.min(a, b);
  }
  // Lists put copies next to each other and sort: the digits of the position mix them.
  return first.map((_, at) => ((rootOf(at) * 2_654_435_761) >>> 16) & 1);
}

/** The pairs of which the first row is in a half; a wrong pair may reach into the other one. */
export const ofHalf = (
  pairs: readonly RowPair[],
  half: number,
  halfOf: readonly number[],
): readonly RowPair[] => pairs.filter(([one]) => halfOf[one] === half);
