import { asideTextOf, type AsideText } from '../aside-texts.js';
import { logOf, ratioOf, type FeatureRows } from './feature-row.js';

/** Characters of a text that are read. */
const MAX_CHARS = 1_500;
/** Longer texts have no shape of their own. */
const MAX_SHORT_CHARS = 200;

const SENTENCE_ENDS = /[.!?…。！？]["'”’»)\]]*(?=\s|$)/g;
const DATE =
  /\b\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:19|20)?\d\d\b|\b(?:19|20)\d\d-\d\d\b|\b\d{1,2}:\d\d\b|\b(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])\p{L}{0,8}\.?\s\d{1,4}\b|\b\d{1,2}\.?\s(?:de\s)?(?:jan|feb|fév|m[aä]r|apr|avr|ma[iy]|jui?n|jui?l|aug|aoû|sep|o[ck]t|nov|d[eé][cz])/iu;
const PRICE = /[$€£¥₹₽]\s?\d|\d\s?(?:[$€£¥₹₽]|(?:usd|eur|gbp|kr|zł|chf)\b)/i;
const NUMBERED = /^\s*(?:\(?\d{1,4}\)?[.):]?(?=\s|$)|[•·–-]\s)/;
const ASIDES: readonly AsideText[] = ['none', 'label', 'pointer', 'shout', 'call'];

interface Letters {
  readonly letters: number;
  readonly upper: number;
  readonly digits: number;
  readonly words: number;
}

/** Adds what a text looks like whatever its language: 17 numbers. */
export function addTextShape(
  rows: FeatureRows,
  source: string,
  ink: number,
  linkInk: number,
): void {
  const text = source.slice(0, MAX_CHARS).replace(/\s+/g, ' ').trim();
  const isShort = text.length <= MAX_SHORT_CHARS;
  const { letters, upper, digits, words } = lettersOf(text);
  const sentences = text.match(SENTENCE_ENDS)?.length ?? 0;
  const isNumeric = isShort && digits > 0;
  const last = text.at(-1) ?? '';
  const aside = ink > MAX_SHORT_CHARS ? 'none' : asideTextOf(text, ratioOf(linkInk, ink), ink);
  rows.add(logOf(ink));
  rows.add(logOf(words));
  rows.add(ratioOf(linkInk, ink));
  rows.add(sentences);
  rows.add(ratioOf(text.length, words));
  rows.add(ratioOf(digits, text.length));
  rows.add(ratioOf(upper, letters));
  rows.add(ratioOf(letters, text.length));
  rows.add(ASIDES.indexOf(aside));
  rows.add(logOf(source.split('\n').length));
  rows.addFlag(isNumeric && DATE.test(text));
  rows.addFlag(isNumeric && PRICE.test(text));
  rows.addFlag(NUMBERED.test(text));
  rows.addFlag(last === ':');
  rows.addFlag(last === '?');
  rows.addFlag(last === '…');
  rows.addFlag(/[©®™]|https?:|@\w/.test(text));
}

/** By code units: accents and capitals outside ASCII count as letters without case. */
function lettersOf(text: string): Letters {
  let [letters, upper, digits, words, isInWord] = [0, 0, 0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isUpper = code >= 65 && code <= 90;
    const isDigit = code >= 48 && code <= 57;
    const isLetter = isUpper || (code >= 97 && code <= 122) || code >= 0xc0;
    if (isUpper) upper++;
    if (isDigit) digits++;
    if (isLetter) letters++;
    // Writing without spaces: each character is taken for half a word.
    if (code >= 0x3040 && code <= 0x9fff) words += 0.5;
    else if ((isLetter || isDigit) && !isInWord) words++;
    isInWord = isLetter || isDigit;
  }
  return { letters, upper, digits, words };
}
