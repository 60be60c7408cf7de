import { ATTRIBUTE_NAMES, TAG_NAMES } from './names.js';

/** Takes tags and texts in the order of the source; texts and values as positions in it. */
export interface TagReader {
  /** Nothing more is wanted. */
  readonly isEnded: boolean;
  /** Inside SVG or MathML. */
  readonly isInForeignContent: boolean;
  /** Whether the tag that begins is never one of raw text. */
  readonly isInForeignContext: boolean;
  /** `isVerbatim`: its ampersands begin no references. */
  text(start: number, end: number, isVerbatim: boolean): void;
  startTag(name: string): void;
  /** Of the latest start tag; without a value both positions are the same. */
  attribute(name: string, start: number, end: number): void;
  /** The latest start tag is complete; one that the source ends within never is. */
  startTagEnd(isSelfClosing: boolean): void;
  endTag(name: string): void;
}

const TAB = 9;
const LINE_FEED = 10;
const FORM_FEED = 12;
const RETURN = 13;
const SPACE = 32;
const BANG = 33;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;
const DASH = 45;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;

/** Elements that hold nothing but text up to their end tag, and whether it has no references. */
const TEXT_ONLY: ReadonlyMap<string, boolean> = new Map([
  ...['title', 'textarea'].map((name) => [name, false] as const),
  ...['script', 'style', 'iframe', 'noembed', 'noframes', 'xmp', 'plaintext'].map(
    (name) => [name, true] as const,
  ),
]);

/** ASCII white space (Infra standard). Most characters are letters: one comparison tells them apart. */
export const isAsciiSpace = (code: number): boolean =>
  code <= SPACE &&
  (code === SPACE || code === LINE_FEED || code === TAB || code === RETURN || code === FORM_FEED);

const isLetter = (code: number): boolean => {
  const lower = code | 0x20;
  return lower >= 97 && lower <= 122;
};

const endsName = (code: number): boolean =>
  code <= GREATER && (code === GREATER || code === SLASH || isAsciiSpace(code));

/**
 * Tokenization of the HTML standard (13.2.5) over a text that is there as a whole, in time linear in it: what lies between
 * marks is skipped, not read. References are not decoded. Unlike the standard's, scripts know no escaped comments.
 */
export function tokenize(source: string, reader: TagReader): void {
  new Tokenizer(source, reader).run();
}

class Tokenizer {
  /** What is next to be read. */
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly reader: TagReader,
  ) {}

  run(): void {
    const { source, reader } = this;
    let textStart = 0;
    let open = source.indexOf('<');
    while (open !== -1) {
      if (open > textStart) reader.text(textStart, open, false);
      if (reader.isEnded) return;
      textStart = open;
      this.at = open + 1;
      if (this.readMarkup(source.charCodeAt(open + 1))) textStart = this.at;
      open = source.indexOf('<', this.at);
    }
    if (textStart < source.length) reader.text(textStart, source.length, false);
  }

  /** After a `<`; false: it is text. */
  private readMarkup(next: number): boolean {
    if (isLetter(next)) this.readStartTag();
    else if (next === SLASH) return this.readEndTag();
    else if (next === BANG) this.readDeclaration();
    else if (next === QUESTION) this.skipPast('>');
    else return false;
    return true;
  }

  private readEndTag(): boolean {
    const start = this.at + 1;
    if (start >= this.source.length) return false;
    this.at = start;
    if (!isLetter(this.source.charCodeAt(start))) {
      // `</>` is nothing, all else a comment.
      this.skipPast('>');
      return true;
    }
    const end = this.endOfName(start);
    if (end === -1) this.at = this.source.length;
    else this.endTag(start, end);
    return true;
  }

  private endTag(start: number, end: number): void {
    this.reader.endTag(TAG_NAMES.at(this.source, start, end));
    this.at = end;
    this.skipPast('>');
  }

  private readDeclaration(): void {
    const { source } = this;
    const start = ++this.at;
    if (source.charCodeAt(start) === DASH && source.charCodeAt(start + 1) === DASH) {
      this.at = endOfComment(source, start + 2);
    } else if (this.reader.isInForeignContent && source.startsWith('[CDATA[', start)) {
      const end = source.indexOf(']]>', start + 7);
      this.reader.text(start + 7, end === -1 ? source.length : end, true);
      this.at = end === -1 ? source.length : end + 3;
    } else {
      this.skipPast('>');
    }
  }

  private skipPast(mark: string): void {
    const found = this.source.indexOf(mark, this.at);
    this.at = found === -1 ? this.source.length : found + mark.length;
  }

  /** Of a tag; -1: the source ends within it. */
  private endOfName(start: number): number {
    const { source } = this;
    for (let at = start; at < source.length; at++) if (endsName(source.charCodeAt(at))) return at;
    return -1;
  }

  private readStartTag(): void {
    const { source, reader } = this;
    const start = this.at;
    const end = this.endOfName(start);
    if (end === -1) {
      this.at = source.length;
      return;
    }
    const name = TAG_NAMES.at(source, start, end);
    const isVerbatim = TEXT_ONLY.get(name);
    const isTextOnly = isVerbatim !== undefined && !reader.isInForeignContext;
    reader.startTag(name);
    this.at = end;
    const isComplete = this.readAttributes();
    if (isComplete && isTextOnly && !reader.isEnded) this.readTextOnly(name, isVerbatim);
  }

  /** False: the source ends within the tag. */
  private readAttributes(): boolean {
    const { source, reader } = this;
    const { length } = source;
    let { at } = this;
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code === GREATER) {
        this.at = at + 1;
        reader.startTagEnd(false);
        return true;
      }
      if (isAsciiSpace(code)) {
        at++;
      } else if (code === SLASH) {
        at = this.afterSpace(at + 1);
        if (source.charCodeAt(at) !== GREATER) continue;
        this.at = at + 1;
        reader.startTagEnd(true);
        return true;
      } else {
        at = this.readAttribute(at);
      }
    }
    this.at = length;
    return false;
  }

  /** Answers where to go on. */
  private readAttribute(start: number): number {
    const { source, reader } = this;
    const { length } = source;
    let end = start + 1;
    while (end < length && source.charCodeAt(end) !== EQUALS && !endsName(source.charCodeAt(end)))
      end++;
    const sign = this.afterSpace(end);
    if (sign >= length) return length;
    const name = ATTRIBUTE_NAMES.at(source, start, end);
    if (source.charCodeAt(sign) !== EQUALS) {
      reader.attribute(name, end, end);
      return sign;
    }
    const from = this.afterSpace(sign + 1);
    const quote = source.charCodeAt(from);
    if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
      const close = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", from + 1);
      if (close === -1) return length;
      reader.attribute(name, from + 1, close);
      return close + 1;
    }
    let to = from;
    while (to < length && source.charCodeAt(to) !== GREATER && !isAsciiSpace(source.charCodeAt(to)))
      to++;
    if (to < length) reader.attribute(name, from, to);
    return to;
  }

  private afterSpace(start: number): number {
    let at = start;
    while (isAsciiSpace(this.source.charCodeAt(at))) at++;
    return at;
  }

  private readTextOnly(name: string, isVerbatim: boolean): void {
    const { source, reader } = this;
    const start = this.at;
    const close = name === 'plaintext' ? -1 : this.endOfTextOnly(name);
    const end = close === -1 ? source.length : close;
    if (end > start) reader.text(start, end, isVerbatim);
    this.at = end;
    if (close !== -1) this.endTag(close + 2, close + 2 + name.length);
  }

  private endOfTextOnly(name: string): number {
    const { source } = this;
    for (let at = source.indexOf('</', this.at); at !== -1; at = source.indexOf('</', at + 2)) {
      const end = at + 2 + name.length;
      if (end < source.length && endsName(source.charCodeAt(end))) {
        if (source.slice(at + 2, end).toLowerCase() === name) return at;
      }
    }
    return -1;
  }
}

/** `-->` or `--!>`; `<!-->` and `<!--->` are complete. */
function endOfComment(source: string, start: number): number {
  if (source.charCodeAt(start) === GREATER) return start + 1;
  if (source.startsWith('->', start)) return start + 2;
  for (let at = source.indexOf('--', start); at !== -1; at = source.indexOf('--', at + 1)) {
    if (source.charCodeAt(at + 2) === GREATER) return at + 3;
    if (source.charCodeAt(at + 2) === BANG && source.charCodeAt(at + 3) === GREATER) return at + 4;
  }
  return source.length;
}
