import { foldText, wordsIn } from './names/fold-text.js';
import { withoutLegalForms } from './names/legal-forms.js';
import { digitsOfNumbers } from './names/number-words.js';

const MAX_NAME_CHARS = 200;
const MAX_KEY_CHARS = 100;
/** Other names of one text: `A dba B aka C`. */
const MAX_NAMES = 4;

/** Within a word they are no letter: `Joe's`, `O’Farrell`. */
const APOSTROPHES = /['’‘`´ʼ′＇]/g;
/** Letters with a dot or a slash behind each: `L.L.C.`, `S. à r.l.`, `A/S`, `d/b/a`. */
const ABBREVIATION = /(?<![\p{L}\p{N}])\p{L}(?:[./]\s?\p{L}(?![\p{L}\p{N}]))+/gu;
const BETWEEN_LETTERS = /[./\s]+/g;
/** Legal forms that are a word or a place when they are written without dots. */
const DOTTED_FORM = /[\s,](?:S\.\s?p\.\s?A\.?|SpA|S\.\s?C\.|P\.\s?S\.)\s?$/;

/** `X dba Y` is called Y, `X formerly Y` is called X. */
const TRADES_AS = ['dba', 'd b a', 'doing business as', 'trading as', 'operating as'];
const ALSO_CALLED = ['aka', 'a k a', 'fka', 'f k a', 'also known as', 'formerly known as'];
const FORMERLY = [...ALSO_CALLED, 'formerly called', 'formerly', 'previously'];
const MARKERS: readonly { readonly words: readonly string[]; readonly isFirst: boolean }[] = [
  ...TRADES_AS.map((marker) => ({ words: marker.split(' '), isFirst: false })),
  ...FORMERLY.map((marker) => ({ words: marker.split(' '), isFirst: true })),
];

/** Words for "and". Those of one letter count only between words: `Smith y Jones`, but `J Y K`. */
const CONNECTIVES = new Set('and und et og och en oraz ve y e i n u'.split(' '));

/**
 * The key of a business name: lower case, without accents, punctuation, "and", "the" and legal form, numbers as digits.
 * All spellings of one name share it. Empty when nothing is left. The key of a key is itself.
 */
export function nameKey(name: string): string {
  return nameKeys(name)[0] ?? '';
}

/** The keys of all names that a text holds, the one in use first: `Smith LLC dba Joe's Pizza` has two. */
export function nameKeys(name: string): readonly string[] {
  const waiting: (readonly string[])[] = [wordsOfName(name)];
  const keys = new Set<string>();
  for (let words = waiting.shift(); words && keys.size < MAX_NAMES; words = waiting.shift()) {
    const key = normalized(words, (other) => waiting.push(other)).join(' ');
    if (key !== '') keys.add(key);
  }
  return [...keys];
}

function wordsOfName(name: string): readonly string[] {
  const cut = name.slice(0, MAX_NAME_CHARS).trim().replace(DOTTED_FORM, ' ');
  const folded = foldText(cut.replace(/\bt\/a\b/i, ' dba '))
    .replace(APOSTROPHES, '')
    .replace(ABBREVIATION, (letters) => letters.replace(BETWEEN_LETTERS, ''));
  return withinLimit(wordsIn(folded));
}

/** The first words that fit a key. Later steps make none longer. */
function withinLimit(words: readonly string[]): readonly string[] {
  const [first = ''] = words;
  if (first.length > MAX_KEY_CHARS) return [wholeLetters(first.slice(0, MAX_KEY_CHARS))];
  let chars = -1;
  return words.filter((word) => (chars += word.length + 1) <= MAX_KEY_CHARS);
}

/** Without the first half of a letter that was cut in two. */
const wholeLetters = (text: string): string => text.replace(/[\ud800-\udbff]$/, '');

/** Repeats the steps until none changes anything: each takes words away or makes them shorter. */
function normalized(
  words: readonly string[],
  addOther: (words: readonly string[]) => void,
): readonly string[] {
  let before: readonly string[] = [];
  let now = words;
  while (before.length !== now.length || now.some((word, at) => word !== before[at])) {
    before = now;
    const { name, other } = splitNames(digitsOfNumbers(now));
    if (other !== undefined) addOther(other);
    now = joinLetters(withoutLegalForms(withoutArticle(withoutConnectives(name))));
  }
  return now;
}

/** Splits at the first `dba` or `aka` that has a name on both sides. */
function splitNames(words: readonly string[]): {
  readonly name: readonly string[];
  readonly other?: readonly string[];
} {
  for (let at = 1; at < words.length - 1; at++) {
    const marker = MARKERS.find((one) => one.words.every((word, i) => words[at + i] === word));
    const after = words.slice(at + (marker?.words.length ?? 0));
    if (marker === undefined || after.length === 0) continue;
    const before = words.slice(0, at);
    return marker.isFirst ? { name: before, other: after } : { name: after, other: before };
  }
  return { name: words };
}

function withoutConnectives(words: readonly string[]): readonly string[] {
  return words.filter((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    if (before === undefined || after === undefined || !CONNECTIVES.has(word)) return true;
    return word.length === 1 && (before.length === 1 || after.length === 1);
  });
}

function withoutArticle(words: readonly string[]): readonly string[] {
  if (words.length > 1 && words[0] === 'the') return words.slice(1);
  return words.length > 1 && words.at(-1) === 'the' ? words.slice(0, -1) : words;
}

const SINGLE = /^[a-z\d]$/;

/** `a 1 plumbing` and `j j snack` as people also write them: `a1 plumbing`, `jj snack`. */
function joinLetters(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let run: string[] = [];
  for (const word of [...words, '']) {
    if (SINGLE.test(word)) {
      run.push(word);
      continue;
    }
    const isName = run.length > 1 && run.some((letter) => letter > '9');
    joined.push(...(isName ? [run.join('')] : run), ...(word === '' ? [] : [word]));
    run = [];
  }
  return joined;
}
