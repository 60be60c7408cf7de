import { candidateKeys, type CandidateKey } from '../../src/match/candidate-keys.js';
import { candidatePairs } from '../../src/match/candidate-pairs.js';
import { groupMatches } from '../../src/match/group-matches.js';
import { type MatchSubject, prepareRecord } from '../../src/match/match-record.js';
import type { WorldRecord } from './make-world.js';
import { ValueCounts } from '../../src/match/value-counts.js';

export interface WorldFigures {
  readonly records: number;
  readonly candidatePairs: number;
  /** Pairs of records in one group. */
  readonly mergedPairs: number;
  /** Those of two businesses. */
  readonly falsePairs: number;
  /** Groups with records of two businesses, of all groups with more than one record. */
  readonly mixedGroups: number;
  readonly groups: number;
  /** Pairs of one business that are in one group, of all pairs of one business. */
  readonly recall: number;
  /** The same for the pairs that share a key of a kind. */
  readonly recallByKey: Readonly<Record<string, number>>;
  readonly missedByKind: Readonly<Record<string, number>>;
  readonly falseByKind: Readonly<Record<string, number>>;
}

export interface MatchedWorld {
  readonly subjects: readonly MatchSubject[];
  readonly groups: readonly (readonly number[])[];
  readonly candidatePairs: number;
}

export function matchWorld(world: readonly WorldRecord[]): MatchedWorld {
  const subjects = world.map(({ record }) => prepareRecord(record));
  const pairs = candidatePairs(subjects);
  const counts = new ValueCounts();
  for (const subject of subjects) counts.add(subject);
  const groups = groupMatches(subjects, pairs, counts);
  return { subjects, groups, candidatePairs: pairs.length };
}

export function figuresOf(
  world: readonly WorldRecord[],
  { subjects, groups, candidatePairs }: MatchedWorld,
): WorldFigures {
  const groupOf: number[] = [];
  for (const [at, members] of groups.entries()) for (const one of members) groupOf[one] = at;
  const idOf = (at: number): number => world[at]?.business.id ?? -1;
  const merged = tally(
    groups,
    (a, b) => idOf(a) === idOf(b),
    (at) => world[at]?.business.kind ?? '',
  );
  const byBusiness = [...Map.groupBy(world.keys(), idOf).values()];
  const truth = tally(
    byBusiness,
    (a, b) => groupOf[a] === groupOf[b],
    (at) => world[at]?.business.kind ?? '',
  );
  return {
    records: world.length,
    candidatePairs,
    mergedPairs: merged.pairs,
    falsePairs: merged.failed,
    groups: groups.filter(({ length }) => length > 1).length,
    mixedGroups: groups.filter((members) => new Set(members.map(idOf)).size > 1).length,
    recall: 1 - truth.failed / Math.max(1, truth.pairs),
    recallByKey: recallByKey(byBusiness, subjects, (a, b) => groupOf[a] === groupOf[b]),
    missedByKind: truth.failedBy,
    falseByKind: merged.failedBy,
  };
}

interface Tally {
  readonly pairs: number;
  readonly failed: number;
  readonly failedBy: Readonly<Record<string, number>>;
}

function tally(
  sets: readonly (readonly number[])[],
  isRight: (a: number, b: number) => boolean,
  kindOf: (at: number) => string,
): Tally {
  let pairs = 0;
  const failedBy: Record<string, number> = {};
  for (const [a, b] of pairsIn(sets)) {
    pairs++;
    if (!isRight(a, b)) failedBy[kindOf(a)] = (failedBy[kindOf(a)] ?? 0) + 1;
  }
  return { pairs, failed: Object.values(failedBy).reduce((sum, one) => sum + one, 0), failedBy };
}

function* pairsIn(sets: readonly (readonly number[])[]): Generator<readonly [number, number]> {
  for (const members of sets)
    for (const [at, a] of members.entries()) for (const b of members.slice(at + 1)) yield [a, b];
}

function recallByKey(
  byBusiness: readonly (readonly number[])[],
  subjects: readonly MatchSubject[],
  isTogether: (a: number, b: number) => boolean,
): Readonly<Record<string, number>> {
  const found = new Map<string, { together: number; all: number }>();
  const keysAt = (at: number): readonly CandidateKey[] =>
    candidateKeys(subjects[at] as MatchSubject);
  for (const [a, b] of pairsIn(byBusiness)) {
    const others = new Set(keysAt(b).map(({ kind, value }) => `${kind} ${value}`));
    const kinds = new Set(
      keysAt(a)
        .filter(({ kind, value }) => others.has(`${kind} ${value}`))
        .map(({ kind }) => kind),
    );
    for (const kind of kinds) {
      const count = found.get(kind) ?? { together: 0, all: 0 };
      count.all++;
      if (isTogether(a, b)) count.together++;
      found.set(kind, count);
    }
  }
  return Object.fromEntries([...found].map(([kind, { together, all }]) => [kind, together / all]));
}
