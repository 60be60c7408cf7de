/** Places in a text that readers of GFM take for an address and show unchanged (GFM 6.9). */
export interface BareAddresses {
  /** Whether a character needs no escape there, and would show one. */
  has(character: string, at: number): boolean;
}

export const NO_ADDRESSES: BareAddresses = { has: () => false };

/**
 * An address with a path: a host without underscores, then all up to white space, `<`
 * or a bracket. It is none after a letter, or (without a scheme) after anything but white space and
 * a parenthesis.
 */
const ADDRESS =
  /(?:(?<![A-Za-z])https?:\/\/|(?<![^\s(])www\.)[A-Za-z\d][A-Za-z\d.-]*[/?#:][^\s<[\]]*/gi;

/** Characters that end an address only together with what follows: they are not part of it. */
const TRAIL = /[!"'),.:;?_*~\]]/;

interface Range {
  readonly from: number;
  /** Where the punctuation begins that is no part of the address. */
  readonly tail: number;
  readonly to: number;
  /** No underscore in the tail could open emphasis. */
  readonly endsMute: boolean;
}

/**
 * After a letter or digit an underscore opens nothing, and before white space neither.
 *
 * @param tail with the character before it
 */
function opensNothing(tail: string, next: number): boolean {
  for (const { 0: run, index } of tail.matchAll(/_+/g)) {
    const isAtEnd = index + run.length === tail.length;
    if (isAtEnd && next <= SPACE) continue;
    if (!/[A-Za-z\d]/.test(tail.charAt(index - 1))) return false;
  }
  return true;
}

const SPACE = 32;

/** What may be before a text that starts with an address. */
function mayPrecede(before: number, address: string): boolean {
  const previous = String.fromCharCode(before);
  return /^w/i.test(address) ? /[\s(*]/.test(previous) : !/[A-Za-z]/.test(previous);
}

/**
 * Brackets left open after a text: in them, readers look for a link's text and for no addresses.
 */
export function openBrackets(text: string, openBefore: number): number {
  if (openBefore === 0 && !text.includes('[')) return 0;
  let open = openBefore;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 91) open++;
    else if (code === 93 && open > 0) open--;
  }
  return open;
}

/**
 * Addresses in a text.
 *
 * @param before code of the character before the text
 * @param after code of the character after it
 * @param openBefore brackets open before the text
 */
export function bareAddresses(
  text: string,
  before: number,
  after: number,
  openBefore: number,
): BareAddresses {
  if (!text.includes('://') && !text.includes('www.')) return NO_ADDRESSES;
  const ranges: Range[] = [];
  let open = openBefore;
  let seen = 0;
  for (const { 0: address, index: from } of text.matchAll(ADDRESS)) {
    open = openBrackets(text.slice(seen, from), open);
    seen = from;
    if (open > 0 || (from === 0 && !mayPrecede(before, address))) continue;
    const to = from + address.length;
    const tail = from + withoutTrail(address);
    const next = to < text.length ? text.charCodeAt(to) : after;
    ranges.push({ from, tail, to, endsMute: opensNothing(text.slice(tail - 1, to), next) });
  }
  let current = 0;
  return {
    has(character, at) {
      if (!/[_*~]/.test(character)) return false;
      let range = ranges[current];
      while (range !== undefined && range.to <= at) range = ranges[++current];
      if (range === undefined || at < range.from) return false;
      // At the end of an address they could close emphasis; this writer uses no underscores.
      return at < range.tail || (character === '_' && range.endsMute);
    },
  };
}

function withoutTrail(address: string): number {
  let end = address.length;
  while (end > 0 && TRAIL.test(address.charAt(end - 1))) end--;
  return end;
}
