import {
  candidateKeys,
  MAX_KEY_RECORDS,
  MIN_NAME_SIMILARITY,
  placeKeys,
} from './candidate-keys.js';
import type { MatchSubject } from './match-record.js';
import { trigramsOf } from './text-similarity.js';

/** Positions of two records that may be of one business, the lower first. */
export type CandidatePair = readonly [number, number];

/**
 * The pairs of records that share a key or have similar names in one place, each once. Their number is linear in that of
 * the records: keys that more than fifty share are left out, and a name is compared with fifty similar ones.
 */
export function candidatePairs(subjects: readonly MatchSubject[]): readonly CandidatePair[] {
  const pairs = new PairSet(subjects.length);
  for (const members of recordsByKey(subjects)) pairs.addAll(members);
  for (const members of recordsByPlace(subjects)) addSimilar(subjects, members, pairs);
  return pairs.list();
}

/** Pairs as single numbers: a set of arrays would hold each several times. */
class PairSet {
  private readonly codes = new Set<number>();

  constructor(private readonly size: number) {}

  add(one: number, other: number): void {
    if (one !== other) this.codes.add(Math.min(one, other) * this.size + Math.max(one, other));
  }

  addAll(members: readonly number[]): void {
    for (const [at, one] of members.entries())
      for (const other of members.slice(at + 1)) this.add(one, other);
  }

  list(): readonly CandidatePair[] {
    return [...this.codes].map((code) => [Math.floor(code / this.size), code % this.size] as const);
  }
}

function* recordsByKey(subjects: readonly MatchSubject[]): Generator<readonly number[]> {
  const byKey = new Map<string, number[]>();
  for (const [at, subject] of subjects.entries())
    for (const { kind, value } of candidateKeys(subject)) append(byKey, `${kind} ${value}`, at);
  for (const members of byKey.values())
    if (members.length > 1 && members.length <= MAX_KEY_RECORDS) yield members;
}

function* recordsByPlace(subjects: readonly MatchSubject[]): Generator<readonly number[]> {
  const byPlace = new Map<string, number[]>();
  for (const [at, subject] of subjects.entries())
    for (const place of placeKeys(subject)) append(byPlace, place, at);
  for (const members of byPlace.values()) if (members.length > 1) yield members;
}

function append(map: Map<string, number[]>, key: string, at: number): void {
  const members = map.get(key);
  if (members === undefined) map.set(key, [at]);
  else members.push(at);
}

/** Trigrams that more names of a place have say little, and looking at all of those would be squared work. */
const MAX_TRIGRAM_RECORDS = 200;

function addSimilar(
  subjects: readonly MatchSubject[],
  members: readonly number[],
  pairs: PairSet,
): void {
  const trigrams = new Map(members.map((at) => [at, trigramsOf(mainKey(subjects[at]))]));
  const byTrigram = new Map<string, number[]>();
  for (const at of members) {
    const own = trigrams.get(at) ?? new Set();
    for (const other of mostSimilar(own, trigrams, byTrigram)) pairs.add(at, other);
    for (const trigram of own) append(byTrigram, trigram, at);
  }
}

const mainKey = (subject: MatchSubject | undefined): string => subject?.names[0]?.key ?? '';

/** The earlier names most like one, at most fifty. */
function mostSimilar(
  own: ReadonlySet<string>,
  trigrams: ReadonlyMap<number, ReadonlySet<string>>,
  byTrigram: ReadonlyMap<string, readonly number[]>,
): readonly number[] {
  const common = new Map<number, number>();
  for (const trigram of own) {
    const having = byTrigram.get(trigram) ?? [];
    if (having.length > MAX_TRIGRAM_RECORDS) continue;
    for (const other of having) common.set(other, (common.get(other) ?? 0) + 1);
  }
  const similar: { readonly other: number; readonly similarity: number }[] = [];
  for (const [other, count] of common) {
    const similarity = count / (own.size + (trigrams.get(other)?.size ?? 0) - count);
    if (similarity >= MIN_NAME_SIMILARITY) similar.push({ other, similarity });
  }
  similar.sort((a, b) => b.similarity - a.similarity || a.other - b.other);
  return similar.slice(0, MAX_KEY_RECORDS).map(({ other }) => other);
}
