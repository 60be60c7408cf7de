/** What a tag says, and where the text after it starts. */
export interface TagAttributes {
  /** Names and values in lower case; of two equal names the first. */
  readonly attributes: ReadonlyMap<string, string>;
  /** Index after the tag's `>`. */
  readonly end: number;
}

/** Each matches at any place, with nothing if need be. */
const SPACES = /[\t\n\f\r ]*/y;
const SPACES_AND_SLASHES = /[\t\n\f\r /]*/y;
const NAME = /(?:[^\t\n\f\r />][^\t\n\f\r />=]*)?/y;
const BARE_VALUE = /[^\t\n\f\r >]*/y;

/**
 * The attributes of a tag whose name ends at `start`, by "get an attribute" of the HTML standard
 * (13.2.3.2). Null when the text ends inside the tag: then the tag says nothing.
 */
export function readAttributes(text: string, start: number): TagAttributes | null {
  const attributes = new Map<string, string>();
  let at = start;
  for (;;) {
    at = endOf(SPACES_AND_SLASHES, text, at);
    if (text[at] === '>') return { attributes, end: at + 1 };
    const attribute = readAttribute(text, at);
    if (attribute === null) return null;
    const { name, value, end } = attribute;
    if (!attributes.has(name)) attributes.set(name, value);
    at = end;
  }
}

interface Attribute {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function readAttribute(text: string, start: number): Attribute | null {
  const nameEnd = endOf(NAME, text, start);
  const name = text.slice(start, nameEnd).toLowerCase();
  const at = endOf(SPACES, text, nameEnd);
  if (at >= text.length) return null;
  if (text[at] !== '=') return { name, value: '', end: at };
  return readValue(text, name, endOf(SPACES, text, at + 1));
}

function readValue(text: string, name: string, start: number): Attribute | null {
  const quote = text[start];
  const isQuoted = quote === '"' || quote === "'";
  const from = isQuoted ? start + 1 : start;
  const to = isQuoted ? text.indexOf(quote, from) : endOf(BARE_VALUE, text, from);
  if (to < 0 || to >= text.length) return null;
  return { name, value: text.slice(from, to).toLowerCase(), end: isQuoted ? to + 1 : to };
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}
