import { openBrackets } from './bare-addresses.js';
import { codeSpan } from './code-text.js';
import { escapeText, mayBeWord } from './escape-text.js';
import { startOfTrailingPunctuation } from './inline-text.js';

/** `label`: text in a link. Both are kept as in the source and escaped when all of it is there. */
type PieceKind = 'text' | 'label' | 'code' | 'atom' | 'break' | 'opening' | 'closing' | 'linkEnd';

const LINE_START = 0;
const NEWLINE = 10;
const SPACE = 32;

/**
 * Pieces of Markdown of one block, and what is known about their end. Earlier pieces can still be
 * taken back, because a delimiter may turn out to be one that CommonMark would not see.
 */
export class InlineBuffer {
  /** UTF-16 units of content. */
  chars = 0;
  private parts: string[] = [];
  private kinds: PieceKind[] = [];
  /** Last character apart from emphasis: the character before a run of delimiters decides on it. */
  private lastCharacter = LINE_START;
  private lastKind: PieceKind = 'atom';
  /** Bodies of the code span that is last; it is written when something else comes. */
  private openCode: string[] = [];
  private hasClosingEnd = false;
  /** Where the link that was last was opened; -1: something else was last. */
  private lastLinkAt = -1;

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  get isAtLineStart(): boolean {
    return this.lastCharacter === LINE_START;
  }

  /** Code of the last character, delimiters apart. */
  get last(): number {
    return this.lastCharacter;
  }

  /** A closing delimiter was last: an opening one of the same character makes one run with it. */
  endsWithClosing(opening: string, minChars = 1): boolean {
    const closing = this.hasClosingEnd ? (this.parts.at(-1) ?? '') : '';
    return closing.length >= minChars && closing.endsWith(opening.charAt(0));
  }

  /** A letter or digit is last. */
  get endsInWord(): boolean {
    const { lastCharacter: last } = this;
    return last !== LINE_START && last !== SPACE && mayBeWord(last);
  }

  push(piece: string, kind: PieceKind): void {
    this.put(piece, kind);
    this.chars += piece.length;
    this.setLast(piece.charCodeAt(piece.length - 1), kind);
  }

  pushCode(body: string): void {
    this.push(codeSpan(body), 'code');
    this.openCode = [body];
  }

  /** Two code spans side by side would read as one broken one; false when none is last. */
  joinCode(body: string): boolean {
    if (this.lastKind !== 'code') return false;
    this.openCode.push(body);
    this.chars += body.length;
    return true;
  }

  /** Written once, whatever number of spans it was in the source. */
  private settleCode(): void {
    if (this.openCode.length < 2) return;
    this.openCode = [this.openCode.join('')];
    this.parts[this.parts.length - 1] = codeSpan(this.openCode[0] ?? '');
  }

  /** A space that belongs to the text around it. */
  pushSpace(kind: 'text' | 'label'): void {
    this.put(' ', kind);
    this.setLast(SPACE, 'atom');
  }

  pushBreak(syntax: string): void {
    this.put(syntax, 'break');
    this.setLast(LINE_START, 'atom');
  }

  /** An opening delimiter; answers its place, for {@link takeBack} and {@link since}. */
  pushOpening(delimiter: string): number {
    this.put(delimiter, 'opening');
    this.lastKind = 'opening';
    if (delimiter === '[') {
      this.lastCharacter = delimiter.charCodeAt(0);
      this.hasClosingEnd = false;
    }
    return this.parts.length - 1;
  }

  pushClosing(delimiters: string): void {
    this.put(delimiters, 'closing');
    this.lastKind = 'closing';
    this.hasClosingEnd = true;
  }

  /** The end of a link that was opened at a place. */
  pushLinkEnd(markdown: string, openedAt: number): void {
    this.push(markdown, 'linkEnd');
    this.lastLinkAt = openedAt;
  }

  /**
   * `**a [b](c)**d` closes nothing in CommonMark; `**a** [**b**](c)d` does. False when no link is
   * last, or it was not opened inside the emphasis.
   */
  closeInLink(delimiter: string, openedAt: number): boolean {
    const { parts, kinds, lastLinkAt } = this;
    if (delimiter === '' || lastLinkAt <= openedAt) return false;
    this.insert(parts.length - 1, delimiter, 'closing');
    this.insert(lastLinkAt + 1, delimiter, 'opening');
    let end = lastLinkAt;
    while (kinds[end - 1] === 'break' || parts[end - 1] === ' ') end--;
    if (end === openedAt + 1) parts[openedAt] = '';
    else this.insert(end, delimiter, 'closing');
    this.lastLinkAt = -1;
    return true;
  }

  private insert(index: number, piece: string, kind: PieceKind): void {
    this.settleCode();
    this.parts.splice(index, 0, piece);
    this.kinds.splice(index, 0, kind);
  }

  takeBack(place: number): void {
    this.parts[place] = '';
  }

  /** What was written after an opening delimiter, not escaped. */
  since(place: number): string {
    this.settleCode();
    return this.parts.slice(place + 1).join('');
  }

  /**
   * `**a:**b` and `**a![](c)**b` close nothing in CommonMark; `**a**:b` and `**a**![](c)b` do.
   * False when nothing after the opening delimiter can be closed after.
   */
  closeEarlier(delimiters: string, openedAt: number): boolean {
    for (let index = this.parts.length - 1; index > openedAt; index--) {
      const kind = this.kinds[index];
      if (kind === 'opening' || kind === 'linkEnd') return false;
      if (kind === 'closing') {
        this.insert(index + 1, delimiters, 'closing');
        return true;
      }
      if ((kind === 'text' || kind === 'label') && this.closeInText(index, delimiters)) return true;
    }
    return false;
  }

  private closeInText(index: number, delimiters: string): boolean {
    const part = this.parts[index] ?? '';
    const tailAt = startOfTrailingPunctuation(part);
    if (tailAt === 0) return false;
    this.parts[index] = part.slice(tailAt);
    this.insert(index, delimiters, 'closing');
    this.insert(index, part.slice(0, tailAt), this.kinds[index + 1] ?? 'text');
    return true;
  }

  /** All of it; the buffer is empty again. */
  take(): string {
    this.settleCode();
    const { parts, kinds } = this;
    this.parts = [];
    this.kinds = [];
    this.chars = 0;
    this.setLast(LINE_START, 'atom');
    return parts.length === 1 && kinds[0] === 'text'
      ? escapeText(parts[0] ?? '', SPACE, SPACE, false)
      : joinEscaped(parts, kinds);
  }

  private put(piece: string, kind: PieceKind): void {
    this.settleCode();
    this.parts.push(piece);
    this.kinds.push(kind);
  }

  private setLast(code: number, kind: PieceKind): void {
    this.lastCharacter = code;
    this.lastKind = kind;
    this.hasClosingEnd = false;
    this.lastLinkAt = -1;
  }
}

/** Joins pieces; text is escaped by its final neighbours. */
function joinEscaped(parts: readonly string[], kinds: readonly PieceKind[]): string {
  const out: string[] = [];
  let before = SPACE;
  let open = 0;
  const put = (piece: string): void => {
    out.push(piece);
    if (piece !== '') before = lastOf(piece);
  };
  for (let index = 0; index < parts.length;) {
    const kind = kinds[index];
    const start = index++;
    if (kind !== 'text' && kind !== 'label') {
      put(parts[start] ?? '');
      continue;
    }
    while (index < parts.length && (kinds[index] === kind || parts[index] === '')) index++;
    const run = index === start + 1 ? (parts[start] ?? '') : parts.slice(start, index).join('');
    const after = index < parts.length ? (parts[index]?.charCodeAt(0) ?? SPACE) : SPACE;
    put(escapeText(run, before, after, kind === 'label', open));
    if (kind === 'text') open = openBrackets(run, open);
  }
  return out.join('');
}

/** The start of a line is as good as a space. */
function lastOf(piece: string): number {
  const last = piece.charCodeAt(piece.length - 1);
  return last === NEWLINE ? SPACE : last;
}
