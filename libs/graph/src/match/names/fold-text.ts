/** Letters that Unicode does not decompose, as people write them without them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ĳ: 'ij' },
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŀ: 'l', ŋ: 'n', ĸ: 'k', ς: 'σ' },
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');
/** Accents of Latin, Greek and Cyrillic. Marks of other scripts are letters of their own. */
const ACCENTS = /[\u0300-\u036f]+/g;
const PLAIN = /^[\x20-\x7e]*$/;

/** Lower case, without accents, in one spelling of each letter: `Müller & Søn` becomes `muller & son`. */
export function foldText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(SPECIAL, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .normalize('NFC');
}

const MAX_WORDS = 16;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a folded text, at most 16. */
export function wordsIn(folded: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of folded.matchAll(WORD)) {
    if (words.length === MAX_WORDS) break;
    words.push(word);
  }
  return words;
}
