import { isPunctuation } from './escape-text.js';

const SPACE = 32;

/** White space of HTML, spaces that readers cannot tell apart, and invisible characters. */
const FOLDED = /[\t\n\f\r\u00a0\u0085\u2028\u2029]| {2}|[\0\u00ad\u200b\ufeff]/;
const INVISIBLE = /[\0\u00ad\u200b\ufeff]+/g;
const SPACES = /[ \t\n\f\r\u00a0\u0085\u2028\u2029]+/g;

const LEADING_PUNCTUATION = /^(?:\\?[\p{P}\p{S}])+/u;

/** UTF-16 units of punctuation, escaped or not, that a text starts with. */
export function leadingPunctuation(text: string): number {
  return LEADING_PUNCTUATION.exec(text)?.[0].length ?? 0;
}

/** True when the last backslash would escape what comes next. */
export function endsInBackslash(text: string): boolean {
  let count = 0;
  while (text.charCodeAt(text.length - 1 - count) === 92) count++;
  return count % 2 === 1;
}

/**
 * Where the punctuation and spaces at a text's end start. By hand from the end: an anchored pattern would be tried at
 * every character of a long text.
 */
export function startOfTrailingPunctuation(text: string): number {
  let start = text.length;
  while (start > 0 && isSpaceOrPunctuation(text.charCodeAt(start - 1))) start--;
  return start;
}

const isSpaceOrPunctuation = (code: number): boolean => code === SPACE || isPunctuation(code);

/** Collapses white space to single spaces and drops invisible characters. */
export function fold(raw: string): string {
  return FOLDED.test(raw) ? raw.replace(INVISIBLE, '').replace(SPACES, ' ') : raw;
}

/** At most one space is left at either end; other scripts' spaces are content. */
export function trimSpaces(text: string): string {
  const start = text.charCodeAt(0) === SPACE ? 1 : 0;
  const end = text.charCodeAt(text.length - 1) === SPACE ? text.length - 1 : text.length;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

/** A link title for double quotes. */
export function escapeTitle(title: string): string {
  return title.replace(/["\\]/g, '\\$&');
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
