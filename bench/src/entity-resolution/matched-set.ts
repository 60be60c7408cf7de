import type { MatchReason, MatchResult } from '@app/graph';
import { type LabelledSet, type RowPair } from './labelled-set.js';
import { halves, ofHalf, pairCode, pairFigures, type PairFigures } from './pair-figures.js';

/** How one kind of records is compared. */
export interface SetMatcher {
  readonly candidates: readonly RowPair[];
  readonly score: (pair: RowPair) => MatchResult;
  /** Each row of one source has at most one partner in the other. */
  readonly isOneToOne: boolean;
}

export interface SetFigures {
  readonly name: string;
  readonly rows: number;
  readonly candidates: number;
  /** Share of the true pairs among the candidates. */
  readonly candidateRecall: number;
  readonly all: PairFigures;
  readonly halves: readonly [PairFigures, PairFigures];
  readonly msPerPair: number;
  readonly wrong: readonly WrongPair[];
}

export interface WrongPair {
  readonly pair: RowPair;
  readonly kind: 'missed' | 'false' | 'no candidate';
  readonly result: MatchResult;
}

export function matchSet(set: LabelledSet, matcher: SetMatcher): SetFigures {
  const before = process.cpuUsage().user;
  const scored = matcher.candidates.map((pair) => ({ pair, result: matcher.score(pair) }));
  const msPerPair = (process.cpuUsage().user - before) / 1_000 / Math.max(1, scored.length);
  const matches = scored.filter(({ result }) => result.isMatch);
  const found = (matcher.isOneToOne ? oneToOne(matches) : matches).map(({ pair }) => pair);
  const halfOf = halves(set.rows.length, set.truth);
  const figures = (half: number): PairFigures =>
    pairFigures(ofHalf(found, half, halfOf), ofHalf(set.truth, half, halfOf));
  return {
    name: set.name,
    rows: set.rows.length,
    candidates: scored.length,
    candidateRecall: pairFigures(matcher.candidates, set.truth).recall,
    all: pairFigures(found, set.truth),
    halves: [figures(0), figures(1)],
    msPerPair,
    wrong: wrongPairs(set.truth, found, matcher),
  };
}

interface ScoredPair {
  readonly pair: RowPair;
  readonly result: MatchResult;
}

/** Gives each row its best partner, the best pairs first. */
function oneToOne(matches: readonly ScoredPair[]): readonly ScoredPair[] {
  const taken = new Set<number>();
  return matches
    .toSorted((a, b) => b.result.score - a.result.score)
    .filter(({ pair }) => {
      if (pair.some((at) => taken.has(at))) return false;
      for (const at of pair) taken.add(at);
      return true;
    });
}

function wrongPairs(
  truth: readonly RowPair[],
  found: readonly RowPair[],
  { candidates, score }: SetMatcher,
): readonly WrongPair[] {
  const [known, compared, matched] = [truth, candidates, found].map(
    (pairs) => new Set(pairs.map(pairCode)),
  );
  const missed = truth.filter((pair) => matched?.has(pairCode(pair)) === false);
  const wrong = found.filter((pair) => known?.has(pairCode(pair)) === false);
  return [
    ...missed.map((pair): WrongPair => {
      const kind = compared?.has(pairCode(pair)) === true ? 'missed' : 'no candidate';
      return { pair, kind, result: score(pair) };
    }),
    ...wrong.map((pair): WrongPair => ({ pair, kind: 'false', result: score(pair) })),
  ];
}

/** Where wrong pairs went wrong: the levels that spoke most against a missed one, or for a false one. */
export function wrongClasses(wrong: readonly WrongPair[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { kind, result } of wrong) {
    const text = kind === 'no candidate' ? kind : `${kind}: ${decisive(result.reasons, kind)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

function decisive(reasons: readonly MatchReason[], kind: 'missed' | 'false'): string {
  const sign = kind === 'missed' ? 1 : -1;
  const speaking = reasons
    .filter(({ weight }) => sign * weight < 0)
    .toSorted((a, b) => sign * (a.weight - b.weight));
  const shown = speaking.slice(0, 2).map(({ field, level }) => `${field} ${level}`);
  return shown.length === 0 ? 'too little known' : shown.join(', ');
}
