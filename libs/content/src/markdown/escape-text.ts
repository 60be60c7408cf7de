/**
 * Escapes what CommonMark and GFM would read as markup, and no more: every backslash is noise to a
 * reader, so characters that cannot start anything where they stand are left alone.
 */
export function escapeText(text: string, before: number, isInLink: boolean): string {
  if (!SUSPECT.test(text)) return text;
  // Pairs of brackets may stand in a link's text.
  const escapesBrackets = isInLink && !hasPairedBrackets(text);
  return text.replace(SUSPECTS, (character, at: number) => {
    const previous = at === 0 ? before : text.charCodeAt(at - 1);
    return needsEscape(character, text, at, previous, escapesBrackets)
      ? `\\${character}`
      : character;
  });
}

const SUSPECT = /[\\`*_[\]<&~]/;
const SUSPECTS = /[\\`*_[\]<&~]/g;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;
const SPACE = 32;

function needsEscape(
  character: string,
  text: string,
  at: number,
  previous: number,
  escapesBrackets: boolean,
): boolean {
  const isLast = at + 1 === text.length;
  const next = isLast ? SPACE : text.charCodeAt(at + 1);
  switch (character) {
    case '*':
      return isLast || at === 0 || previous !== SPACE || next !== SPACE;
    case '_':
      return isLast || !isWordCode(previous) || !isWordCode(next);
    case '[':
      return escapesBrackets;
    case ']':
      return escapesBrackets || next === 40 || next === 91 || next === 58;
    case '<':
      return isLast || TAG_START.test(text.charAt(at + 1));
    case '&':
      ENTITY.lastIndex = at;
      return isLast || ENTITY.test(text);
    case '~':
      // Single tildes strike through in GFM; without a possible closing one nothing happens.
      return at === 0 || isLast || previous !== SPACE;
    case '\\':
      return isLast || ASCII_PUNCTUATION.test(text.charAt(at + 1));
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

/** Letter, digit, underscore; beyond ASCII anything but spaces and common punctuation. */
function isWordCode(code: number): boolean {
  if (code < 128) return WORD.test(String.fromCharCode(code));
  return !PUNCTUATION.test(String.fromCharCode(code));
}

const WORD = /\w/;
const PUNCTUATION = /[\p{P}\p{S}\s]/u;

/** Unicode punctuation or symbol: what decides whether a `*` may open or close emphasis. */
export function isPunctuation(code: number): boolean {
  if (code < 128) return code > 32 && !/[0-9A-Za-z]/.test(String.fromCharCode(code));
  // Half of a pair beyond the BMP: mostly emoji, which are symbols; for a letter it does no harm.
  if (code >= 0xd800 && code <= 0xdfff) return true;
  return PUNCTUATION.test(String.fromCharCode(code));
}

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
