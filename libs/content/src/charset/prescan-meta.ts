import { declaredEncoding } from './encoding-label.js';

/**
 * "Prescan a byte stream to determine its encoding" (HTML standard 13.2.3.2) as far as it examines
 * tags, over bytes read as Latin-1. Tags count that start in the first `maxBytes`: where to stop is
 * for the reader to choose, and browsers have agreed on this. Undefined also when `text` ends inside
 * a tag.
 *
 * To the letter but for one thing: like browsers it does not look into `<title>`.
 */
export function prescanMeta(
  text: string,
  maxBytes: number,
  read: ReadMeta = encodingOfMeta,
): string | undefined {
  let at = 0;
  while ((at = text.indexOf('<', at)) !== -1 && at < maxBytes) {
    const step = takeMarkup(text, at, read);
    if (step === null) return undefined;
    if (step.encoding !== undefined) return step.encoding;
    at = step.end;
  }
  return undefined;
}

interface Step {
  readonly end: number;
  readonly encoding?: string;
}

const META = /<meta(?=[\t\n\f\r /])/iy;
const TITLE = /<title(?=[\t\n\f\r />])/iy;
const TAG = /<\/?[a-z][^\t\n\f\r >]*/iy;
const BOGUS = /<[!/?]/y;

function takeMarkup(head: string, start: number, read: ReadMeta): Step | null {
  if (head.startsWith('<!--', start)) return skipTo(head, '-->', start + 2);
  if (matchesAt(META, head, start)) return takeMeta(head, start, read);
  if (matchesAt(TITLE, head, start)) return skipTitle(head, start);
  const name = matchAt(TAG, head, start);
  if (name !== undefined) return readAttributes(head, start + name.length);
  return matchesAt(BOGUS, head, start) ? skipTo(head, '>', start) : { end: start + 1 };
}

function takeMeta(head: string, start: number, read: ReadMeta): Step | null {
  const tag = readAttributes(head, start + '<meta'.length);
  return tag === null ? null : { end: tag.end, encoding: read(tag.attributes) };
}

const TITLE_END = /<\/title/gi;

function skipTitle(head: string, start: number): Step | null {
  const tag = readAttributes(head, start + '<title'.length);
  if (tag === null) return null;
  TITLE_END.lastIndex = tag.end;
  const end = TITLE_END.exec(head);
  return end === null ? null : { end: end.index };
}

/** `<!-->` is a whole comment: the closing dashes may be the opening ones, so callers look back. */
export function skipTo(head: string, what: string, start: number): Step | null {
  const at = head.indexOf(what, start);
  return at === -1 ? null : { end: at + what.length };
}

function matchAt(pattern: RegExp, text: string, start: number): string | undefined {
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0];
}

const matchesAt = (pattern: RegExp, text: string, start: number): boolean =>
  matchAt(pattern, text, start) !== undefined;

/** Reads the attributes of a meta element: the encoding it declares, if any. */
export type ReadMeta = (attributes: ReadonlyMap<string, string>) => string | undefined;

/** The encoding that a meta element with these attributes declares, if any (HTML 13.2.3.2). */
export function encodingOfMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  // An unknown charset still silences the element's content attribute.
  if (charset !== undefined) return declaredEncoding(charset);
  const content = attributes.get('content');
  if (content === undefined || attributes.get('http-equiv') !== 'content-type') return undefined;
  const label = charsetOfContent(content);
  return label === undefined ? undefined : declaredEncoding(label);
}

/**
 * The encoding that a meta element is meant to declare although browsers do not count it: an attribute or its value is
 * misspelled (`httpequiv="ContentType"`), or the label is (`windows1251`).
 */
export function encodingOfFaultyMeta(attributes: ReadonlyMap<string, string>): string | undefined {
  const charset = attributes.get('charset');
  const content = subjectOf(attributes) === undefined ? undefined : attributes.get('content');
  const labels = [charset, content].flatMap((text) => [text, charsetOfContent(text ?? '')]);
  return labels
    .flatMap((label = '') => [label, tidyLabel(label)])
    .map(declaredEncoding)
    .find((encoding) => encoding !== undefined);
}

/** What an element is about, if that is an encoding. */
const subjectOf = (attributes: ReadonlyMap<string, string>): string | undefined =>
  [...attributes].find(
    ([name, value]) =>
      /equiv|^name$|^property$/.test(name) && /^(?:content.?type|charset|encoding)$/.test(value),
  )?.[1];

const tidyLabel = (label: string): string =>
  label.replaceAll('_', '-').replace(/^(?:cp|win|windows)-?(?=\d)/, 'windows-');

const CHARSET = /charset[\t\n\f\r ]*=[\t\n\f\r ]*/gi;
const BARE_LABEL = /[^\t\n\f\r ;]+/y;

/** "Extracting a character encoding from a meta element" (HTML standard 2.4.1): the label alone. */
export function charsetOfContent(content: string): string | undefined {
  CHARSET.lastIndex = 0;
  if (!CHARSET.test(content)) return undefined;
  const start = CHARSET.lastIndex;
  const quote = content[start];
  if (quote === '"' || quote === "'") {
    const end = content.indexOf(quote, start + 1);
    return end === -1 ? undefined : content.slice(start + 1, end);
  }
  BARE_LABEL.lastIndex = start;
  return BARE_LABEL.exec(content)?.[0];
}

/** What a tag says, and where the text after it starts. */
interface TagAttributes {
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
