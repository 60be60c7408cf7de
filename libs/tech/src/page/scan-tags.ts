import { PageElement } from './page-element.js';

/** Of one tag so many attributes are read; a browser's pages have a dozen. */
const MAX_ATTRIBUTES = 100;
/** Names of tags are cut to this. */
const MAX_NAME_CHARS = 64;
/** Tags read between two checks of the clock. */
const TAGS_PER_LOOK = 512;

/** What happens on the way through a page. */
export interface TagSink {
  /** A start tag: whether its attributes are worth reading. */
  wants(name: string): boolean;
  open(element: PageElement): void;
  close(name: string): void;
  /** Text of an element whose content is no markup. */
  raw(element: PageElement, text: string): void;
  /** Whether to stop here. */
  isOver(): boolean;
}

const RAW_TEXT: ReadonlySet<string> = new Set([
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
  'iframe',
  'noembed',
  'noframes',
]);

const GREATER = 0x3e;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/**
 * Reads the tags of a page from left to right, each character once, without a tree and without
 * recursion. As in HTML, a comment or tag that does not end takes the rest of the page, and what
 * scripts and styles hold is no markup; unlike there, the content of `<noscript>` is. False when
 * the sink stopped it.
 */
export function scanTags(html: string, sink: TagSink): boolean {
  return new TagScan(html, sink).run();
}

class TagScan {
  private at = 0;
  private tags = 0;

  constructor(
    private readonly html: string,
    private readonly sink: TagSink,
  ) {}

  run(): boolean {
    for (;;) {
      this.at = this.html.indexOf('<', this.at);
      if (this.at === -1) return true;
      if (++this.tags % TAGS_PER_LOOK === 0 && this.sink.isOver()) return false;
      if (!this.markup(this.html.charCodeAt(this.at + 1))) return true;
    }
  }

  /** Reads what a `<` begins; false when it takes the rest of the page. */
  private markup(next: number): boolean {
    if (isLetter(next)) return this.startTag();
    if (next === SLASH && isLetter(this.html.charCodeAt(this.at + 2))) return this.endTag();
    if (next === EXCLAMATION && this.html.startsWith('--', this.at + 2)) return this.comment();
    if (next === EXCLAMATION || next === QUESTION || next === SLASH) return this.skipTo('>', 2);
    this.at++;
    return true;
  }

  private comment(): boolean {
    // `<!-->` and `<!--->` are whole comments.
    return this.skipTo('-->', 2);
  }

  private skipTo(text: string, from: number): boolean {
    const end = this.html.indexOf(text, this.at + from);
    this.at = end + text.length;
    return end !== -1;
  }

  private endTag(): boolean {
    this.sink.close(this.nameAt(this.at + 2));
    return this.skipTo('>', 2);
  }

  private nameAt(from: number): string {
    let end = from;
    while (end < this.html.length && !endsName(this.html.charCodeAt(end))) end++;
    return this.html.slice(from, Math.min(end, from + MAX_NAME_CHARS)).toLowerCase();
  }

  private startTag(): boolean {
    const name = this.nameAt(this.at + 1);
    const isWanted = this.sink.wants(name);
    const attributes = isWanted ? new Map<string, string>() : null;
    this.at += 1 + name.length;
    if (!this.attributes(attributes)) return false;
    const element = new PageElement(name, attributes ?? NO_ATTRIBUTES, this.at);
    this.sink.open(element);
    if (RAW_TEXT.has(name)) this.rawText(element);
    return true;
  }

  /** Reads to behind the tag's `>`; false without one. */
  private attributes(into: Map<string, string> | null): boolean {
    const { html } = this;
    let at = this.at;
    for (;;) {
      let code = html.charCodeAt(at);
      while (isSpace(code) || code === SLASH) code = html.charCodeAt(++at);
      if (at >= html.length) return false;
      if (code === GREATER) break;
      const nameFrom = at++;
      while (at < html.length && !endsAttribute(html.charCodeAt(at))) at++;
      const nameTo = at;
      const value = this.valueAt(at);
      if (value === null) return false;
      at = value.next;
      if (into !== null && into.size < MAX_ATTRIBUTES)
        keep(into, html.slice(nameFrom, Math.min(nameTo, nameFrom + MAX_NAME_CHARS)), () =>
          html.slice(value.from, value.to),
        );
    }
    this.at = at + 1;
    return true;
  }

  /** The value behind an attribute's name; empty without `=`, null when it does not end. */
  private valueAt(
    from: number,
  ): { readonly from: number; readonly to: number; readonly next: number } | null {
    const { html } = this;
    let at = from;
    while (isSpace(html.charCodeAt(at))) at++;
    if (html.charCodeAt(at) !== EQUALS) return { from: at, to: at, next: at };
    do at++;
    while (isSpace(html.charCodeAt(at)));
    const quote = html[at];
    if (quote === '"' || quote === "'") {
      const to = html.indexOf(quote, at + 1);
      return to === -1 ? null : { from: at + 1, to, next: to + 1 };
    }
    const start = at;
    while (at < html.length && !isSpace(html.charCodeAt(at)) && html.charCodeAt(at) !== GREATER)
      at++;
    return { from: start, to: at, next: at };
  }

  private rawText(element: PageElement): void {
    const end = this.rawTextEnd(element.name);
    this.sink.raw(element, this.html.slice(this.at, end));
    this.at = end;
  }

  private rawTextEnd(name: string): number {
    const { html } = this;
    for (let at = html.indexOf('</', this.at); at !== -1; at = html.indexOf('</', at + 2)) {
      const end = at + 2 + name.length;
      const isName = html.slice(at + 2, end).toLowerCase() === name;
      if (isName && (end >= html.length || endsName(html.charCodeAt(end)))) return at;
    }
    return html.length;
  }
}

/** As in HTML, the first of equal names counts. */
function keep(into: Map<string, string>, name: string, value: () => string): void {
  const lower = name.toLowerCase();
  if (!into.has(lower)) into.set(lower, decodeEntities(value()));
}

function isLetter(code: number): boolean {
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

function endsName(code: number): boolean {
  return isSpace(code) || code === GREATER || code === SLASH;
}

function endsAttribute(code: number): boolean {
  return endsName(code) || code === EQUALS;
}

/** Those that addresses and names in attributes are written with; others stay as they are. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  sol: '/',
  colon: ':',
  period: '.',
  nbsp: '\u00a0',
};

/** Replaces the entities of an attribute's value that a pattern could stumble over. */
function decodeEntities(value: string): string {
  if (!value.includes('&')) return value;
  return value.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]{2,6}));/g,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
