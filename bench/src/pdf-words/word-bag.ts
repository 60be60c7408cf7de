/** Words with how often each occurs. */
export type WordBag = ReadonlyMap<string, number>;

/**
 * Words of a text, made alike: ligatures written out, hyphens gone (breaking a line adds them and
 * joining it takes them away, so neither reader is right), everything that is no letter or digit
 * between words. Scripts without spaces count by the character.
 */
export function wordBagOf(text: string): WordBag {
  const bag = new Map<string, number>();
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[-\u00ad\u2010\u2011]\s*\n\s*/g, '')
    .replace(/[-\u00ad\u2010-\u2015\u2212]/g, '');
  for (const [word] of plain.matchAll(WORD)) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
}

const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;

export interface Kept {
  readonly words: number;
  readonly kept: number;
  /** Words lost, the most frequent ones first. */
  readonly lost: readonly (readonly [word: string, count: number])[];
}

/** How many of the words of one bag are in another. */
export function compareWords(expected: WordBag, got: WordBag): Kept {
  let words = 0;
  let kept = 0;
  const lost: (readonly [string, number])[] = [];
  for (const [word, count] of expected) {
    const found = Math.min(count, got.get(word) ?? 0);
    words += count;
    kept += found;
    if (found < count) lost.push([word, count - found]);
  }
  lost.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return { words, kept, lost };
}

/** Share of characters kept when spaces are ignored: what differs is where words were parted. */
export function charsKept(expected: string, got: string): number {
  const want = charBag(expected);
  const have = charBag(got);
  let all = 0;
  let kept = 0;
  for (const [character, count] of want) {
    all += count;
    kept += Math.min(count, have.get(character) ?? 0);
  }
  return all === 0 ? 1 : kept / all;
}

function charBag(text: string): ReadonlyMap<string, number> {
  const bag = new Map<string, number>();
  for (const [character] of text
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]/gu)) {
    bag.set(character, (bag.get(character) ?? 0) + 1);
  }
  return bag;
}
