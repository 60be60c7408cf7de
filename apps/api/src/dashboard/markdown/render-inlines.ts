import { html, type Html, type Piece } from '../html/html.js';
import { webLink } from '../html/web-link.js';
import { EmphasisPairs } from './emphasis.js';
import { closingBrackets, readTarget, type Target } from './link-target.js';

/** Longest run of backticks that may start code; a longer one is text. */
const MAX_TICKS = 32;
const AUTOLINK = /<(https?:\/\/[^\s<>]{1,2000})>/y;
const ENTITY = /&(amp|lt|gt|quot|nbsp|#39|#x27);/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
  '#39': "'",
  '#x27': "'",
};
const PUNCTUATION = /[!-/:-@[-`{-~]/;

/** Inline text of one block: code, emphasis, links, breaks. Images become links, or their text alone. */
export function renderInlines(text: string): Html {
  return new Inlines(text, false).render();
}

class Inlines {
  private at = 0;
  private readonly out = new EmphasisPairs();
  private readonly closing: ReadonlyMap<number, number>;
  /** Lengths of backtick runs without a partner in the rest of the text. */
  private readonly unpaired = new Set<number>();

  constructor(
    private readonly text: string,
    private readonly isInLink: boolean,
  ) {
    this.closing = closingBrackets(text);
  }

  render(): Html {
    while (this.at < this.text.length) this.step();
    return this.out.end();
  }

  private step(): void {
    switch (this.text.charAt(this.at)) {
      case '\\':
        return this.escape();
      case '`':
        return this.code();
      case '!':
        return this.image();
      case '[':
        return this.link();
      case '<':
        return this.autolink();
      case '&':
        return this.entity();
      case '\n':
        return this.lineEnd();
      case '*':
      case '_':
      case '~':
        return this.emphasis();
      default:
        return this.plain();
    }
  }

  /** Up to the next special character. */
  private plain(): void {
    const from = this.at;
    while (this.at < this.text.length && !/[\\`![<&\n*_~]/.test(this.text.charAt(this.at)))
      this.at++;
    this.out.push(this.text.slice(from, this.at));
  }

  private literal(chars = 1): void {
    this.out.push(this.text.slice(this.at, this.at + chars));
    this.at += chars;
  }

  private escape(): void {
    const next = this.text.charAt(this.at + 1);
    if (next === '\n') return this.node(html`<br />`, 2);
    if (!PUNCTUATION.test(next)) return this.literal();
    this.at++;
    this.literal();
  }

  private node(node: Piece, chars: number): void {
    this.out.push(node);
    this.at += chars;
  }

  private code(): void {
    const length = this.runOf('`');
    const end = length > MAX_TICKS ? -1 : this.closingTicks(length);
    if (end < 0) return this.literal(length);
    const content = this.text.slice(this.at + length, end).replaceAll('\n', ' ');
    this.node(html`<code>${unpadded(content)}</code>`, end + length - this.at);
  }

  private closingTicks(length: number): number {
    if (this.unpaired.has(length)) return -1;
    for (let from = this.at + length; ;) {
      const start = this.text.indexOf('`', from);
      if (start < 0) break;
      let end = start;
      while (this.text[end] === '`') end++;
      if (end - start === length) return start;
      from = end;
    }
    this.unpaired.add(length);
    return -1;
  }

  private runOf(char: string): number {
    let length = 0;
    while (this.text[this.at + length] === char) length++;
    return length;
  }

  private image(): void {
    const target = this.text[this.at + 1] === '[' ? this.targetAt(this.at + 1) : null;
    if (!target) return this.literal();
    const shown = html`<span class="image">${target.label || 'Image'}</span>`;
    const node = this.isInLink ? shown : webLink(target.address, shown);
    this.node(node, target.end - this.at);
  }

  private link(): void {
    const target = this.isInLink ? null : this.targetAt(this.at);
    if (!target) return this.literal();
    const content = new Inlines(target.label, true).render();
    this.node(webLink(target.address, content), target.end - this.at);
  }

  private targetAt(bracket: number): Target | null {
    const close = this.closing.get(bracket);
    return close === undefined ? null : readTarget(this.text, bracket, close);
  }

  private autolink(): void {
    AUTOLINK.lastIndex = this.at;
    const match = this.isInLink ? null : AUTOLINK.exec(this.text);
    if (!match?.[1]) return this.literal();
    this.node(webLink(match[1]), match[0].length);
  }

  private entity(): void {
    ENTITY.lastIndex = this.at;
    const match = ENTITY.exec(this.text);
    if (!match?.[1]) return this.literal();
    this.node(ENTITIES[match[1]], match[0].length);
  }

  private lineEnd(): void {
    const isBreak = this.text.slice(this.at - 2, this.at) === '  ';
    this.node(isBreak ? html`<br />` : '\n', 1);
  }

  private emphasis(): void {
    const char = this.text.charAt(this.at);
    const length = Math.min(2, this.runOf(char));
    if (char === '~' && length < 2) return this.literal();
    const before = this.text.charAt(this.at - 1);
    const after = this.text.charAt(this.at + length);
    const isWithinWord = char === '_' && /\w/.test(before) && /\w/.test(after);
    if (isWithinWord) return this.literal(length);
    this.out.mark(char.repeat(length), { mayOpen: /\S/.test(after), mayClose: /\S/.test(before) });
    this.at += length;
  }
}

/** One space at either end separates code from its backticks. */
function unpadded(code: string): string {
  const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
  return isPadded ? code.slice(1, -1) : code;
}
