import { bareAddresses, NO_ADDRESSES } from './bare-addresses.js';

/**
 * Escapes what CommonMark and GFM would read as markup, and no more: every backslash is noise to a
 * reader, so characters that cannot start anything in their position are left alone.
 *
 * @param before code of the character before the text; a space at the start of a block
 * @param after code of the character after it; a space at the end of a block
 * @param openBefore square brackets that text before it left open
 */
export function escapeText(
  text: string,
  before: number,
  after: number,
  isInLink: boolean,
  openBefore = 0,
): string {
  if (!SUSPECT.test(text) && !(after === BRACKET && text.endsWith('!'))) return text;
  // Pairs of brackets may be in a link's text, unless they make a link of their own.
  const escapesBrackets = isInLink && (!hasPairedBrackets(text) || LINK_LIKE.test(text));
  // In a link's text there are no links of their own.
  const bare = isInLink ? NO_ADDRESSES : bareAddresses(text, before, after, openBefore);
  return replaceInChunks(text, SUSPECTS, (character, at) => {
    if (bare.has(character, at)) return character;
    const previous = at === 0 ? before : text.charCodeAt(at - 1);
    const next = at + 1 === text.length ? after : text.charCodeAt(at + 1);
    const needs =
      character === '&'
        ? isEntity(text, at)
        : needsEscape(character, {
            previous,
            next,
            isLast: at + 1 === text.length,
            escapesBrackets,
          });
    return needs ? `\\${character}` : character;
  });
}

/**
 * Engines keep a list of all matches while a function replaces them, about 50 bytes for each: of a
 * long text only a part at a time. Matches are single characters.
 */
function replaceInChunks(
  text: string,
  pattern: RegExp,
  replace: (character: string, at: number) => string,
): string {
  let replaced = '';
  for (let from = 0; from < text.length; from += CHUNK_CHARS) {
    const chunk = text.slice(from, from + CHUNK_CHARS);
    replaced += chunk.replace(pattern, (character, at: number) => replace(character, from + at));
  }
  return replaced;
}

const CHUNK_CHARS = 1_000_000;

const LINK_LIKE = /\][([:]|\[\^/;
const SUSPECT = /[\\`*_[\]<&~]/;
const SUSPECTS = /[\\`*_[\]<&~!]/g;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
const SPACE = 32;
const BRACKET = 91;
const TILDE = 126;

function isEntity(text: string, at: number): boolean {
  ENTITY.lastIndex = at;
  return ENTITY.test(text);
}

interface Place {
  /** Codes of the characters before and after. */
  readonly previous: number;
  readonly next: number;
  /** The next piece is our own markup. */
  readonly isLast: boolean;
  readonly escapesBrackets: boolean;
}

function needsEscape(character: string, place: Place): boolean {
  const { previous, next, isLast, escapesBrackets } = place;
  switch (character) {
    case '*':
      return previous !== SPACE || next !== SPACE;
    case '_':
      return !isWordCode(previous) || !isWordCode(next);
    case '[':
      // "[^1]" would refer to a footnote.
      return escapesBrackets || next === 94;
    case ']':
      return escapesBrackets || next === 40 || next === BRACKET || next === 58;
    case '<':
      return TAG_START.test(String.fromCharCode(next));
    case '!':
      return next === BRACKET;
    case '~':
      // Single tildes strike through in GFM; without a possible closing one nothing happens.
      return previous !== SPACE || (isLast && next === TILDE);
    case '\\':
      return ASCII_PUNCTUATION.test(String.fromCharCode(next));
    default:
      return true;
  }
}

function hasPairedBrackets(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 91) depth++;
    else if (code === 93 && --depth < 0) return false;
  }
  return depth === 0;
}

const TAG_START = /[A-Za-z/!?]/;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;

/**
 * Letter or digit; beyond ASCII anything but spaces and common punctuation. No underscore: the one
 * before may be escaped, and then it is punctuation.
 */
function isWordCode(code: number): boolean {
  if (code < 128) return WORD.test(String.fromCharCode(code));
  return !PUNCTUATION.test(String.fromCharCode(code));
}

const WORD = /[0-9A-Za-z]/;
const PUNCTUATION = /[\p{P}\p{S}\s]/u;

/**
 * Punctuation to some reader of Markdown: whether a `*` may open or close emphasis depends on it.
 * Symbols beyond ASCII are punctuation since CommonMark 0.31 and were not before, so they are here
 * punctuation and {@link mayBeWord} at once, and nothing may depend on them.
 */
export function mayBePunctuation(code: number): boolean {
  if (code < 128) return isAsciiPunctuation(code);
  // Half of a pair beyond the BMP: mostly emoji, which are symbols; for a letter it does no harm.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return PUNCTUATION.test(String.fromCharCode(code));
}

/** Part of a word to some reader of Markdown; the rest is punctuation to all of them. */
export function mayBeWord(code: number): boolean {
  if (code < 128) return !isAsciiPunctuation(code);
  return !SURE_PUNCTUATION.test(String.fromCharCode(code));
}

function isAsciiPunctuation(code: number): boolean {
  return code > 32 && !/[0-9A-Za-z]/.test(String.fromCharCode(code));
}

const SURE_PUNCTUATION = /\p{P}/u;

/** Starts of a line that would make it a heading, list, quote, rule, table or underline. */
const LINE_STARTS =
  /^(?:(?=[-=:|][-=:| ]*$)|(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|\[[ xX]\](?:\s|$))|(\d{1,9})(?=[.)](?:\s|$)))/gm;

/** Escapes a paragraph's lines where only the start of a line gives characters a meaning. */
export function escapeLineStarts(paragraph: string): string {
  if (!LINE_START_SUSPECT.test(paragraph)) return paragraph;
  return paragraph.replace(LINE_STARTS, (_, digits?: string) =>
    digits === undefined ? '\\' : `${digits}\\`,
  );
}

const LINE_START_SUSPECT = /^[-+=:|#*>\d[]/m;

/** Closing hashes of a heading would vanish. */
export function escapeHeadingEnd(text: string): string {
  return text.replace(/(^|\s)(#+)$/, '$1\\$2');
}
