import { isMisspelling } from '../text-similarity.js';

/** Words of two names that stand for each other, and those left over. */
export interface WordAlignment {
  /** Sum of the weights of the words of each. */
  readonly weightOfA: number;
  readonly weightOfB: number;
  /** Weight that both share: of a pair the mean of its words, less where they only resemble each other. */
  readonly shared: number;
  readonly restOfA: readonly string[];
  readonly restOfB: readonly string[];
}

export type WordWeight = (word: string) => number;

/** How alike words are that are not equal. */
const MISSPELLED = 0.85;
const ABBREVIATED = 0.8;
const MIN_ABBREVIATION = 3;

/**
 * Pairs equal words first, then those that are misspelled or abbreviated, the most alike first. The order of the words does
 * not count. Gives the same shared weight for (a, b) and (b, a).
 */
export function alignWords(
  a: readonly string[],
  b: readonly string[],
  weightOf: WordWeight,
): WordAlignment {
  const restOfB = [...b];
  const restOfA: string[] = [];
  let shared = 0;
  for (const word of a) {
    const at = restOfB.indexOf(word);
    if (at < 0) {
      restOfA.push(word);
      continue;
    }
    restOfB.splice(at, 1);
    shared += weightOf(word);
  }
  shared += takeSimilar(restOfA, restOfB, weightOf);
  return {
    weightOfA: sumOf(a, weightOf),
    weightOfB: sumOf(b, weightOf),
    shared: rounded(shared),
    restOfA,
    restOfB,
  };
}

/** The order in which weights are added must not show. */
const rounded = (sum: number): number => Math.round(sum * 1e6) / 1e6;

function sumOf(words: readonly string[], weightOf: WordWeight): number {
  let sum = 0;
  for (const word of words) sum += weightOf(word);
  return rounded(sum);
}

interface SimilarPair {
  readonly one: string;
  readonly other: string;
  readonly gain: number;
}

/** Takes pairs of similar words out of both lists and returns the weight that they share. */
function takeSimilar(a: string[], b: string[], weightOf: WordWeight): number {
  const pairs = similarPairs(a, b, weightOf);
  pairs.sort((x, y) => y.gain - x.gain || compareText(pairKey(x), pairKey(y)));
  let shared = 0;
  for (const { one, other, gain } of pairs) {
    const [atA, atB] = [a.indexOf(one), b.indexOf(other)];
    if (atA < 0 || atB < 0) continue;
    a.splice(atA, 1);
    b.splice(atB, 1);
    shared += gain;
  }
  return shared;
}

function similarPairs(
  a: readonly string[],
  b: readonly string[],
  weightOf: WordWeight,
): SimilarPair[] {
  const pairs: SimilarPair[] = [];
  for (const one of a)
    for (const other of b) {
      const likeness = likenessOf(one, other);
      if (likeness === 0) continue;
      pairs.push({ one, other, gain: (likeness * (weightOf(one) + weightOf(other))) / 2 });
    }
  return pairs;
}

const pairKey = ({ one, other }: SimilarPair): string =>
  one < other ? `${one} ${other}` : `${other} ${one}`;
const compareText = (one: string, other: string): number =>
  one < other ? -1 : one > other ? 1 : 0;

function likenessOf(one: string, other: string): number {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (short.length < MIN_ABBREVIATION || isNumber(one) || isNumber(other)) return 0;
  if (isMisspelling(one, other)) return MISSPELLED;
  return long.startsWith(short) ? ABBREVIATED : 0;
}

/** `54`, `21st`: numbers are equal or different. */
export function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 48 && first <= 57;
}
