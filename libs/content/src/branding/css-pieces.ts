import { tokenize, tokenTypes } from 'css-tree/tokenizer';
import { MAX_CSS_CHARS } from '../limits.js';
import { isForDesktop } from './media-query.js';

/** What is done with the pieces that a sheet is cut into. */
export interface PieceSink {
  /** Whole style rules and `@font-face` rules, one after another. */
  takeRules(css: string): void;
  /** A statement without a block, such as `@import`. */
  takeStatement(text: string): void;
}

/**
 * A parser's tree takes some hundred times the memory of its text, and its time for an error grows
 * with the text it is in: pieces of this length keep both small.
 */
const PIECE_CHARS = 8_192;
/** The rest of a longer rule is left out. */
const MAX_RULE_CHARS = 262_144;
/** The rest of a longer selector or condition is left out; it would not be read. */
const MAX_PRELUDE_CHARS = 8_192;
/** Groups in groups; deeper ones are passed over with what they hold. */
const MAX_GROUPS = 100;
/**
 * Blocks in a style rule (`a{@media x{…}}`) that reach the parser, which goes into them by
 * recursion.
 */
const MAX_NESTED = 3;

/**
 * Cuts a sheet into pieces that css-tree can parse in bounded memory and stack, by the tokens of
 * css-tree: groups (`@media`, `@layer`) are opened or passed over, comments are left out. One pass,
 * whatever the nesting. Answers whether something was left out.
 */
export function cutToPieces(css: string, sink: PieceSink): boolean {
  const cutter = new Cutter(css.slice(0, MAX_CSS_CHARS), sink);
  cutter.run();
  return cutter.isCut || css.length > MAX_CSS_CHARS;
}

/** What an open block is: rules inside count, nothing does, or it is one that the parser gets. */
type Block = 'group' | 'skipped' | 'rule';

class Cutter {
  isCut = false;
  /** Open groups; all are ones whose rules count. */
  private groups = 0;
  /** Braces open in the block that is passed over; 0: none is. */
  private skipping = 0;
  /** Braces open in the rule that is taken; 0: none is. */
  private nesting = 0;
  /** The statement so far. */
  private text = '';
  /** Where what is taken and not yet in `text` begins; -1: nothing is taken. */
  private from = 0;
  private piece = '';

  constructor(
    private readonly css: string,
    private readonly sink: PieceSink,
  ) {}

  run(): void {
    tokenize(this.css, (type, start, end) => this.take(type, start, end));
    // What is open at the end counts, as in browsers.
    this.keepTo(this.css.length);
    if (this.nesting > 0) this.endRule();
    else this.endStatement();
    this.flush();
  }

  private take(type: number, start: number, end: number): void {
    switch (type) {
      case tokenTypes.Comment:
      case tokenTypes.CDO:
      case tokenTypes.CDC:
        if (this.skipping === 0) this.leaveOut(start, end);
        return;
      case tokenTypes.LeftCurlyBracket:
        return this.open(start, end);
      case tokenTypes.RightCurlyBracket:
        return this.close(start, end);
      case tokenTypes.Semicolon:
        if (this.skipping > 0 || this.nesting > 0) return;
        this.keepTo(start);
        this.endStatement();
        this.from = end;
        return;
      default:
    }
  }

  private open(start: number, end: number): void {
    if (this.skipping > 0) this.skipping++;
    else if (this.nesting > 0) this.openNested(end);
    else this.openBlock(start, end);
  }

  private openNested(end: number): void {
    this.nesting++;
    if (this.nesting === MAX_NESTED + 1) {
      this.keepTo(end);
      this.from = -1;
    }
  }

  private openBlock(start: number, end: number): void {
    this.keepTo(start);
    const prelude = this.text.trim();
    const block = this.groups >= MAX_GROUPS ? 'skipped' : blockOf(prelude);
    switch (block) {
      case 'group':
        this.groups++;
        this.begin(end);
        return;
      case 'skipped':
        this.skipping = 1;
        this.begin(-1);
        return;
      case 'rule':
        this.nesting = 1;
        this.from = start;
    }
  }

  private close(start: number, end: number): void {
    if (this.skipping > 0) {
      this.skipping--;
      if (this.skipping === 0) this.begin(end);
      return;
    }
    if (this.nesting > 0) return this.closeNested(start, end);
    this.keepTo(start);
    this.endStatement();
    this.groups = Math.max(0, this.groups - 1);
    this.from = end;
  }

  private closeNested(start: number, end: number): void {
    if (this.nesting === MAX_NESTED + 1) this.from = start;
    if (this.nesting > 1) {
      this.nesting--;
      return;
    }
    this.keepTo(end);
    this.endRule();
    this.from = end;
  }

  private begin(from: number): void {
    this.text = '';
    this.from = from;
  }

  private leaveOut(start: number, end: number): void {
    if (this.from === -1) return;
    this.keepTo(start);
    this.from = end;
  }

  private keepTo(end: number): void {
    if (this.from === -1 || end <= this.from) return;
    const room = (this.nesting > 0 ? MAX_RULE_CHARS : MAX_PRELUDE_CHARS) - this.text.length;
    this.text += this.css.slice(this.from, Math.min(end, this.from + Math.max(0, room)));
    if (end - this.from > room && this.nesting > 0) this.isCut = true;
    this.from = end;
  }

  private endRule(): void {
    this.piece += this.text;
    this.nesting = 0;
    this.text = '';
    if (this.piece.length >= PIECE_CHARS) this.flush();
  }

  private endStatement(): void {
    const text = this.text.trim();
    this.text = '';
    if (text !== '') this.sink.takeStatement(text);
  }

  private flush(): void {
    if (this.piece !== '') this.sink.takeRules(this.piece);
    this.piece = '';
  }
}

/** What an at-rule's block is by its name and condition. */
export function isGroup(name: string, condition: string): boolean {
  switch (name.toLowerCase()) {
    case 'media':
      return isForDesktop(condition);
    case 'supports':
    case 'layer':
    case 'container':
    case 'scope':
      return true;
    default:
      return false;
  }
}

function blockOf(prelude: string): Block {
  if (!prelude.startsWith('@')) return 'rule';
  const name = /^@([\w-]+)/.exec(prelude)?.[1] ?? '';
  const condition = prelude.slice(name.length + 1).trimStart();
  if (name.toLowerCase() === 'font-face') return 'rule';
  return isGroup(name, condition) ? 'group' : 'skipped';
}
