/** Longer texts are cut: the cost of one comparison is at most the square of this. */
const MAX_CHARS = 100;

/** Three rows of the table of edits, used again by each call: one comparison allocates nothing. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_CHARS + 1)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/**
 * Edits that turn one text into the other: a letter more, less, changed, or two swapped (optimal string alignment).
 * Stops counting above `limit` and returns `limit + 1`.
 */
export function boundedEdits(one: string, other: string, limit: number): number {
  const a = one.slice(0, MAX_CHARS);
  const b = other.slice(0, MAX_CHARS);
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let [before, above, current] = ROWS;
  for (let at = 0; at <= b.length; at++) above[at] = at;
  for (let row = 1; row <= a.length; row++) {
    if (fillRow(a, b, row, [before, above, current]) > limit) return limit + 1;
    [before, above, current] = [above, current, before];
  }
  return Math.min(above[b.length] ?? 0, limit + 1);
}

/** Fills the row of one letter of `a` and returns its least number. */
function fillRow(
  a: string,
  b: string,
  row: number,
  [before, above, current]: readonly [Uint8Array, Uint8Array, Uint8Array],
): number {
  const letter = a.charCodeAt(row - 1);
  const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1;
  let least = row;
  let left = row;
  current[0] = row;
  for (let at = 1; at <= b.length; at++) {
    const own = b.charCodeAt(at - 1);
    const changed = (above[at - 1] ?? 0) + (letter === own ? 0 : 1);
    let edits = Math.min(changed, (above[at] ?? 0) + 1, left + 1);
    const isSwap = at > 1 && own === letterBefore && b.charCodeAt(at - 2) === letter;
    if (isSwap) edits = Math.min(edits, (before[at - 2] ?? 0) + 1);
    current[at] = left = edits;
    if (edits < least) least = edits;
  }
  return least;
}

/** Edits that a typing mistake explains in a text of that many letters: none in short ones. */
const allowedEdits = (chars: number): number =>
  chars < 4 ? 0 : chars < 8 ? 1 : chars < 16 ? 2 : 3;

/** Whether one text may be the other with a typing mistake. Texts with different digits are not. */
export function isMisspelling(one: string, other: string): boolean {
  if (one === other) return true;
  const limit = allowedEdits(Math.min(one.length, other.length));
  if (limit === 0 || Math.abs(one.length - other.length) > limit) return false;
  // A mistake rarely changes both ends; that spares most comparisons.
  const isSameStart = one.charCodeAt(0) === other.charCodeAt(0);
  if (!isSameStart && one.charCodeAt(one.length - 1) !== other.charCodeAt(other.length - 1))
    return false;
  return boundedEdits(one, other, limit) <= limit && digitsIn(one) === digitsIn(other);
}

const digitsIn = (text: string): string => text.replace(/\D+/g, '');

/** Groups of three letters, those at both ends of a word padded, as PostgreSQL's pg_trgm counts them. */
export function trigramsOf(text: string): ReadonlySet<string> {
  const trigrams = new Set<string>();
  for (const word of text.slice(0, MAX_CHARS).split(' ')) {
    if (word === '') continue;
    const padded = `  ${word} `;
    for (let at = 0; at + 3 <= padded.length; at++) trigrams.add(padded.slice(at, at + 3));
  }
  return trigrams;
}

/** Shared trigrams of all trigrams of both, from 0 to 1: pg_trgm's `similarity`. */
export function trigramSimilarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const trigram of small) if (large.has(trigram)) common++;
  const all = small.size + large.size - common;
  return all === 0 ? 0 : common / all;
}
