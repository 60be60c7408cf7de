/**
 * A compiled path pattern of robots.txt (RFC 9309 2.2.3): a prefix in which `*` matches any
 * characters and a final `$` the end. Matching takes time linear in the path.
 */
export interface RobotsPattern {
  /** Literal parts between the stars; the first must match at the start. */
  readonly parts: readonly Literal[];
  readonly isAnchoredAtEnd: boolean;
  /** Length of the pattern as written: the longest matching rule wins. */
  readonly length: number;
}

/** A literal with its Knuth-Morris-Pratt table, absent for short ones. */
interface Literal {
  readonly text: string;
  readonly table: Uint16Array | null;
}

/** Up to here the plain search costs no more than the table's. */
const SHORT_LITERAL = 16;

/** @param pattern already normalised by {@link normalizeEscapes} */
export function compileRobotsPattern(pattern: string): RobotsPattern {
  const isAnchoredAtEnd = pattern.endsWith('$');
  const body = isAnchoredAtEnd ? pattern.slice(0, -1) : pattern;
  // A run of stars says the same as one; keeping them would only cost steps.
  const parts = escapeDollars(body).replace(/\*+/g, '*').split('*').map(compileLiteral);
  return { parts, isAnchoredAtEnd, length: pattern.length };
}

function compileLiteral(text: string): Literal {
  return { text, table: text.length > SHORT_LITERAL ? failureTable(text) : null };
}

export function matchesPath({ parts, isAnchoredAtEnd }: RobotsPattern, path: string): boolean {
  const [head, ...rest] = parts;
  if (head === undefined || !path.startsWith(head.text)) return false;
  let at = head.text.length;
  const last = rest.pop();
  if (last === undefined) return !isAnchoredAtEnd || at === path.length;
  // The leftmost place of each part leaves the most room for the parts after it.
  for (const part of rest) {
    const found = find(path, part, at);
    if (found < 0) return false;
    at = found + part.text.length;
  }
  if (!isAnchoredAtEnd) return find(path, last, at) >= 0;
  return path.length - last.text.length >= at && path.endsWith(last.text);
}

/** How much of the path {@link matchesPath} may look through: all of it behind a star. */
export function scanLength({ parts }: RobotsPattern, path: string): number {
  return parts.length > 1 && path.startsWith(parts[0]?.text ?? '') ? path.length : 1;
}

function find(path: string, { text, table }: Literal, from: number): number {
  if (table === null) return path.indexOf(text, from);
  let matched = 0;
  for (let i = from; i < path.length; i++) {
    const code = path.charCodeAt(i);
    while (matched > 0 && text.charCodeAt(matched) !== code) matched = table[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === code) matched++;
    if (matched === text.length) return i - matched + 1;
  }
  return -1;
}

function failureTable(text: string): Uint16Array {
  const table = new Uint16Array(text.length);
  let matched = 0;
  for (let i = 1; i < text.length; i++) {
    while (matched > 0 && text.charCodeAt(i) !== text.charCodeAt(matched)) {
      matched = table[matched - 1] ?? 0;
    }
    if (text.charCodeAt(i) === text.charCodeAt(matched)) matched++;
    table[i] = matched;
  }
  return table;
}

const NON_ASCII = /[\u0080-\u00ff]/g;
const ESCAPE = /%[0-9a-f]{2}/gi;

/** Letters, digits, `-`, `.`, `_` and `~`: escaped or not they are the same (RFC 3986, 2.3). */
const ESCAPED_UNRESERVED = /%(?:2D|2E|3\d|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/g;

/**
 * One spelling for paths and patterns: escapes in upper case, bytes above ASCII escaped. Escaped
 * ASCII stays as it is; see {@link decodeUnreserved}.
 * @param latin1 text with one character per byte
 */
export function normalizeEscapes(latin1: string): string {
  return latin1
    .replace(NON_ASCII, (char) => `%${char.charCodeAt(0).toString(16)}`)
    .replace(ESCAPE, (escape) => escape.toUpperCase());
}

/**
 * A path's spelling: a `*` or `$` in it is what a rule writes as `%2A` or `%24` (RFC 9309 2.2.3).
 */
export function normalizePath(path: string): string {
  return escapeDollars(normalizeEscapes(path)).replaceAll('*', '%2A');
}

/** The spelling in which RFC 9309 2.2.2 compares: `/%62` is `/b`, while `/%2F` stays what it is. */
export function decodeUnreserved(normalized: string): string {
  return normalized.replace(ESCAPED_UNRESERVED, (escape) => decodeURIComponent(escape));
}

function escapeDollars(text: string): string {
  return text.replaceAll('$', '%24');
}
