/** Deeper or larger bodies cost far more time and memory than their size suggests. */
const MAX_DEPTH = 100;
const MAX_VALUES = 100_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/**
 * Returns the problem of a JSON text's structure, or null. Runs before parsing, in linear time: ten
 * million empty arrays are 30 MB of text and a gigabyte of memory.
 */
export function structureProblem(json: string): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (CLOSING.has(code)) depth--;
    else if (OPENING.has(code)) {
      values++;
      if (++depth > MAX_DEPTH) return `The body is nested deeper than ${MAX_DEPTH} levels`;
    } else if (code === COMMA) values++;
    if (values > MAX_VALUES) return `The body holds more than ${MAX_VALUES} values`;
  }
  return null;
}

/** Index of the closing quote, or the length of the text if there is none. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    if (!isEscaped(json, at)) return at;
  }
  return json.length;
}

/** Runs of backslashes cannot overlap, so each is read once. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}
