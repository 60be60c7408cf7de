import { isForDesktop } from './media-query.js';

/**
 * Where an `@import` leads, as written; null: not one, or one for other than a desktop's screen.
 */
export function importOf(statement: string): string | null {
  const [, address, rest = ''] = IMPORT.exec(statement) ?? [];
  if (address === undefined) return null;
  const condition = rest.replace(/\b(?:layer|supports)\b(?:\([^)]{0,1000}\))?/gi, ' ').trim();
  return isForDesktop(condition) ? address : null;
}

const IMPORT = /^@import\s*(?:url\(\s*)?["']?([^"')\s]+)["']?\s*\)?([^;]*)/i;

/** Allowed before an import (CSS Cascade 5, 2); imports anywhere else are none. */
const BLANK = /(?:\s|<!--|-->)+/y;
const COMMENT_START = '/*';
const STATEMENT =
  /@(?:import|charset|layer)\b[^;{}"'(]*(?:(?:"[^"\n]*"|'[^'\n]*'|\([^)]*\))[^;{}"'(]*)*;/iy;
/** Imports come first; no real sheet has more of them, or a longer licence, before its rules. */
const MAX_HEAD_CHARS = 65_536;
const MAX_IMPORTS = 50;

/**
 * Addresses that a sheet imports for a desktop's screen, as written, in order. Reads its head only.
 *
 */
export function importsOf(css: string): readonly string[] {
  const head = css.slice(0, MAX_HEAD_CHARS);
  const addresses: string[] = [];
  for (let at = 0; at < head.length && addresses.length < MAX_IMPORTS;) {
    const end = endOfBlank(head, at);
    if (end > at) {
      at = end;
      continue;
    }
    STATEMENT.lastIndex = at;
    const statement = STATEMENT.exec(head)?.[0];
    if (statement === undefined) break;
    const address = importOf(statement);
    if (address !== null) addresses.push(address);
    at += statement.length;
  }
  return addresses;
}

function endOfBlank(head: string, at: number): number {
  if (head.startsWith(COMMENT_START, at)) {
    const end = head.indexOf('*/', at + 2);
    return end === -1 ? head.length : end + 2;
  }
  BLANK.lastIndex = at;
  return BLANK.test(head) ? BLANK.lastIndex : at;
}
