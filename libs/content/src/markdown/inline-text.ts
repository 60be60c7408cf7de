import { isAsciiSpace } from '../dom/tokenizer.js';
import { mayBePunctuation } from './escape-text.js';

const SPACE = 32;
/** The last of the characters from space on that are neither white space nor invisible. */
const LAST_PLAIN = 0x84;

const LEADING_PUNCTUATION = /^[\p{P}\p{S}]+/u;

/** UTF-16 units of punctuation that a text starts with. */
export function leadingPunctuation(text: string): number {
  return LEADING_PUNCTUATION.exec(text)?.[0].length ?? 0;
}

/**
 * Where the punctuation and spaces at a text's end start. By hand from the end: an anchored pattern
 * would be tried at every character of a long text.
 */
export function startOfTrailingPunctuation(text: string): number {
  let start = text.length;
  while (start > 0 && isSpaceOrPunctuation(text.charCodeAt(start - 1))) start--;
  return start;
}

const isSpaceOrPunctuation = (code: number): boolean => code === SPACE || mayBePunctuation(code);

/**
 * Collapses white space to single spaces and drops invisible characters. By hand: texts are many.
 */
export function fold(raw: string): string {
  return isFolded(raw) ? raw : foldRuns(raw);
}

/**
 * Accents and sound marks that some programs write after the letter that they belong to, and the scripts of India and Hebrew
 * points, where others write one character for what are two in NFC.
 */
const MARK = /[\u0300-\u036f\u0900-\u0dff\u3099\u309a\ufb1d-\ufb4e]/;
/** Words have fewer in a row; putting so many in order takes time that grows with their square. */
const MANY_MARKS = /\p{M}{31}/u;

/** {@link fold}, with each letter and its accents as one character where there is one: words compare equal. */
export function foldWords(raw: string): string {
  if (isFolded(raw)) return raw;
  const folded = foldRuns(raw);
  return MARK.test(folded) && !MANY_MARKS.test(folded) ? folded.normalize('NFC') : folded;
}

/**
 * Whether a text is plain characters and single spaces, as most are. By sign bits: a branch per
 * space would be guessed wrong once in every word.
 */
function isFolded(raw: string): boolean {
  let signs = 0;
  let wasSpace = 0;
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    const isSpace = ((code ^ SPACE) - 1) >>> 31;
    // Below zero: not from space to the last plain character, or the second space of two.
    signs |= (code - SPACE) | (LAST_PLAIN - code) | -(isSpace & wasSpace);
    wasSpace = isSpace;
  }
  return signs >= 0;
}

function foldRuns(raw: string): string {
  let folded = '';
  let from = 0;
  let endsBlank = false;
  for (let at = 0; at < raw.length; at++) {
    const code = raw.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === INK) continue;
    // By far the most usual: one space between words.
    if (code === SPACE && at > from && isPlainInk(raw.charCodeAt(at + 1))) continue;
    const end = endOfRun(raw, at, kind);
    // After invisible characters a run goes on.
    const isAfterBlank: boolean = at > from ? raw.charCodeAt(at - 1) === SPACE : endsBlank;
    if (kind === BLANK && end === at + 1 && code === SPACE && !isAfterBlank) continue;
    folded += raw.slice(from, at);
    if (kind === BLANK && !isAfterBlank) folded += ' ';
    endsBlank = kind === BLANK || isAfterBlank;
    from = end;
    at = end - 1;
  }
  return from === 0 ? raw : folded + raw.slice(from);
}

const INK = 0;
const BLANK = 1;
const INVISIBLE = 2;

/** White space of HTML and spaces that look alike to readers, or a character that shows nothing. */
function kindOf(code: number): number {
  if (isPlainInk(code)) return INK;
  if (code <= SPACE) return code === 0 ? INVISIBLE : isAsciiSpace(code) ? BLANK : INK;
  if (code === 0xa0 || code === 0x85 || code === 0x2028 || code === 0x2029) return BLANK;
  return code === 0xad || code === 0x200b || code === 0x2060 || code === 0xfeff ? INVISIBLE : INK;
}

const isPlainInk = (code: number): boolean => code > SPACE && code <= LAST_PLAIN;

function endOfRun(raw: string, start: number, kind: number): number {
  let end = start + 1;
  while (end < raw.length && kindOf(raw.charCodeAt(end)) === kind) end++;
  return end;
}

/** At most one space is left at either end; other scripts' spaces are content. */
export function trimSpaces(text: string): string {
  const start = text.charCodeAt(0) === SPACE ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** A link title for double quotes. */
export function escapeTitle(title: string): string {
  return title.replace(/["\\]/g, '\\$&').replace(/&(?=#?\w+;)/g, '&amp;');
}

/** A link target; parentheses need escapes only when they do not pair up. */
export function escapeTarget(target: string): string {
  if (!/[()\\<>\s&]/.test(target)) return target;
  const safe = target
    .replace(/[<>\s]/g, (character) => encodeURIComponent(character))
    .replace(/\\/g, '\\\\')
    .replace(/&(?=#?\w+;)/g, '&amp;');
  return hasPairedParentheses(safe) ? safe : safe.replace(/[()]/g, '\\$&');
}

function hasPairedParentheses(target: string): boolean {
  let depth = 0;
  for (const character of target) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) return false;
  }
  // CommonMark readers need not follow more than three levels.
  return depth === 0 && !/\([^)]*\([^)]*\([^)]*\(/.test(target);
}
