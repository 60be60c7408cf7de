import { codeSpan } from './code-text.js';
import { isPunctuation } from './escape-text.js';
import { startOfTrailingPunctuation } from './inline-text.js';

type PieceKind = 'text' | 'code' | 'other';

const LINE_START = 0;
const SPACE = 32;

/**
 * Pieces of Markdown of one block, and what is known about their end. Earlier pieces can still be
 * taken back, because a delimiter may turn out to be one that CommonMark would not see.
 */
export class InlineBuffer {
  /** UTF-16 units of content. */
  chars = 0;
  private parts: string[] = [];
  /** Last character apart from emphasis: what stands before a run of delimiters decides on it. */
  private lastCharacter = LINE_START;
  private lastKind: PieceKind = 'other';
  private lastCode = '';
  private hasClosingEnd = false;

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

  /** A closing delimiter was last: an opening one would make one run with it. */
  get endsWithClosing(): boolean {
    return this.hasClosingEnd;
  }

  /** A letter or digit is last. */
  get endsInWord(): boolean {
    const { lastCharacter: last } = this;
    return last !== LINE_START && last !== SPACE && !isPunctuation(last);
  }

  push(markdown: string, kind: PieceKind): void {
    this.parts.push(markdown);
    this.chars += markdown.length;
    this.setLast(markdown.charCodeAt(markdown.length - 1), kind);
  }

  pushCode(body: string): void {
    this.push(codeSpan(body), 'code');
    this.lastCode = body;
  }

  /** Two code spans side by side would read as one broken one; false when none is last. */
  joinCode(body: string): boolean {
    if (this.lastKind !== 'code') return false;
    this.lastCode += body;
    this.parts[this.parts.length - 1] = codeSpan(this.lastCode);
    return true;
  }

  pushSpace(): void {
    this.parts.push(' ');
    this.setLast(SPACE, 'other');
  }

  pushBreak(syntax: string): void {
    this.parts.push(syntax);
    this.setLast(LINE_START, 'other');
  }

  /** An opening delimiter; answers its place, for {@link takeBack} and {@link since}. */
  pushOpening(delimiter: string): number {
    this.parts.push(delimiter);
    this.lastKind = 'other';
    if (delimiter === '[') this.lastCharacter = delimiter.charCodeAt(0);
    return this.parts.length - 1;
  }

  pushClosing(delimiters: string): void {
    this.parts.push(delimiters);
    this.lastKind = 'other';
    this.hasClosingEnd = true;
  }

  takeBack(place: number): void {
    this.parts[place] = '';
  }

  /** What was written after an opening delimiter. */
  since(place: number): string {
    return this.parts.slice(place + 1).join('');
  }

  /** `**a:**b` closes nothing in CommonMark; `**a**:b` does. False when there is nothing but that. */
  closeBeforePunctuation(delimiters: string): boolean {
    if (this.lastKind !== 'text') return false;
    const index = this.parts.length - 1;
    const part = this.parts[index] ?? '';
    const tailAt = startOfTrailingPunctuation(part);
    if (tailAt === 0) return false;
    this.parts[index] = part.slice(0, tailAt) + delimiters + part.slice(tailAt);
    return true;
  }

  /** `]` before `(`, `[` or `:` and `!` before `[` would make links and images of plain text. */
  protectBrackets(first: number, opensLink: boolean): void {
    if (this.lastKind !== 'text') return;
    const meetsBracket = opensLink || first === 91;
    const isLabel = this.lastCharacter === 93 && (meetsBracket || first === 40 || first === 58);
    if (!isLabel && !(this.lastCharacter === 33 && meetsBracket)) return;
    const index = this.parts.length - 1;
    const part = this.parts[index] ?? '';
    if (part.charAt(part.length - 2) === '\\') return;
    this.parts[index] = `${part.slice(0, -1)}\\${part.slice(-1)}`;
  }

  /** All of it; the buffer is empty again. */
  take(): string {
    const markdown = this.parts.length === 1 ? (this.parts[0] ?? '') : this.parts.join('');
    this.parts = [];
    this.chars = 0;
    this.setLast(LINE_START, 'other');
    return markdown;
  }

  private setLast(code: number, kind: PieceKind): void {
    this.lastCharacter = code;
    this.lastKind = kind;
    this.hasClosingEnd = false;
  }
}
