const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * The members of a JSON object as slices of its text, which must be valid and without white space between its parts, as
 * `JSON.stringify` writes it. Parsing a page-sized text would occupy the event loop for as long as the page is large;
 * this looks at its quotes only.
 */
export function membersOf(json: Buffer): ReadonlyMap<string, Buffer> {
  const members = new Map<string, Buffer>();
  let at = 1;
  while (json[at] === QUOTE) {
    const nameEnd = endOfString(json, at);
    const valueEnd = endOfValue(json, nameEnd + 1);
    members.set(json.toString('utf8', at + 1, nameEnd - 1), json.subarray(nameEnd + 1, valueEnd));
    at = json[valueEnd] === COMMA ? valueEnd + 1 : valueEnd;
  }
  return members;
}

/** @param start of the opening quote @returns the position after the closing one */
function endOfString(json: Buffer, start: number): number {
  let quote = json.indexOf(QUOTE, start + 1);
  while (quote >= 0 && isEscaped(json, quote)) quote = json.indexOf(QUOTE, quote + 1);
  return quote < 0 ? json.length : quote + 1;
}

/** Whether an odd number of backslashes comes before. */
function isEscaped(json: Buffer, at: number): boolean {
  let first = at;
  while (json[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

function endOfValue(json: Buffer, start: number): number {
  let depth = 0;
  let at = start;
  while (at < json.length) {
    const byte = json[at] ?? 0;
    if (depth === 0 && (byte === COMMA || CLOSING.has(byte))) return at;
    if (byte === QUOTE) at = endOfString(json, at);
    else at++;
    if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
  }
  return at;
}
