import { MAX_CONTAINER_DEPTH, MAX_MARKDOWN_CHARS } from '../limits.js';
import { clipText } from './clip-text.js';

/** What a block is to those that follow it. */
export type BlockKind = 'paragraph' | 'heading' | 'code' | 'rule' | 'table' | 'quote' | 'list';

/** A quote, a list item, a definition or a footnote. */
export interface ContainerStyle {
  /** Before each line but the first. */
  readonly prefix: string;
  /** Before the first line. @default prefix */
  readonly marker?: string;
  readonly isDefinition?: boolean;
  /** An item after others: a blank line before it is none between blocks of the item around. */
  readonly isNextItem?: boolean;
  /** An item of a tight list: a blank line inside would put space between all its items. */
  readonly isTight?: boolean;
}

interface Container {
  readonly style: ContainerStyle;
  /** Until its first line is written. */
  marker: string | undefined;
  /** Prefixes of this container and those around it. */
  readonly full: string;
  readonly startedAt: number;
  hasBlankLine: boolean;
}

/** How a container ended. */
export interface LeftContainer {
  readonly isEmpty: boolean;
  /** Two of its own blocks are separated by a blank line. */
  readonly hasBlankLine: boolean;
}

/** After these the next block may start on the next line, whatever it is. */
const CLOSED: ReadonlySet<BlockKind> = new Set<BlockKind>(['heading', 'code', 'rule']);

/** @param next `apart`: a list or quote whose first line would be misread under text */
function mayFollow(before: BlockKind, next: BlockKind | 'apart'): boolean {
  if (CLOSED.has(before)) return true;
  if (before === 'table') return false;
  if (next === 'heading' || next === 'rule') return true;
  // A list after a list would go on with it, a quote after a quote likewise.
  if (next === 'list') return before === 'paragraph' || before === 'quote';
  return next === 'quote' && before !== 'quote';
}

/**
 * Puts blocks under one another: one blank line between them (none where lists are tight), each
 * line after the prefixes of the quotes and list items around it.
 */
export class BlockWriter {
  /** What was written last in the current container. */
  lastKind: BlockKind = 'paragraph';
  private readonly out: string[] = [];
  private readonly containers: Container[] = [];
  private flattened = 0;
  private sharedDepth = 0;
  private isNextTight = false;
  private length = 0;
  private hasFlattened = false;
  private hasClipped = false;

  /** UTF-16 units written so far. */
  get chars(): number {
    return this.length;
  }

  /** Blocks written so far. */
  get blocks(): number {
    return this.out.length;
  }

  /** True when nesting was deeper than quotes and lists can show. */
  get isFlattened(): boolean {
    return this.hasFlattened;
  }

  /** True when something was too long to be written: the rest of it was dropped. */
  get isClipped(): boolean {
    return this.hasClipped;
  }

  /** Part of what comes next was dropped before it came here. */
  clip(): void {
    this.hasClipped = true;
  }

  /** The next block follows on the next line, without a blank one. */
  tighten(): void {
    this.isNextTight = true;
  }

  /** Takes {@link tighten} back: what should have followed was empty. */
  loosen(): void {
    this.isNextTight = false;
  }

  /** A block of other blocks starts; what is first written in it may have to follow tightly. */
  approach(kind: 'list' | 'quote' | 'apart'): void {
    if (this.followsTightly(kind)) this.isNextTight = true;
  }

  enter(style: ContainerStyle): void {
    if (this.containers.length >= MAX_CONTAINER_DEPTH) {
      this.flattened++;
      this.hasFlattened = true;
      return;
    }
    const full = (this.containers.at(-1)?.full ?? '') + style.prefix;
    const marker = style.isDefinition ? undefined : (style.marker ?? style.prefix);
    this.containers.push({ style, marker, full, startedAt: this.blocks, hasBlankLine: false });
  }

  leave(kind?: BlockKind): LeftContainer {
    if (this.flattened > 0) {
      this.flattened--;
      return { isEmpty: false, hasBlankLine: false };
    }
    const container = this.containers.pop();
    this.sharedDepth = Math.min(this.sharedDepth, this.containers.length);
    const isEmpty = container === undefined || container.startedAt === this.blocks;
    if (!isEmpty && kind !== undefined) this.lastKind = kind;
    return { isEmpty, hasBlankLine: container?.hasBlankLine ?? false };
  }

  /** True while a list item's or quote's first line is still to come. */
  get isAtMarker(): boolean {
    return this.containers.at(-1)?.marker !== undefined;
  }

  /** True when the next block is the first of a definition. */
  get isAtDefinition(): boolean {
    const container = this.containers.at(-1);
    return container?.style.isDefinition === true && container.startedAt === this.blocks;
  }

  /** True where blocks are without blank lines between them. */
  get isInTightItem(): boolean {
    return this.containers.at(-1)?.style.isTight === true;
  }

  /** Prefix of the lines of the current container. */
  get prefix(): string {
    return this.containers.at(-1)?.full ?? '';
  }

  /** More of the marker of an item whose first line is still to come. */
  extendMarker(more: string): void {
    const container = this.containers.at(-1);
    if (container?.marker !== undefined) container.marker += more;
  }

  write(markdown: string, kind: BlockKind): void {
    const isTight = this.isNextTight || this.followsTightly(kind);
    const separator = this.out.length === 0 ? '' : this.separator(isTight);
    const start = separator + this.firstPrefix();
    const body = this.indented(markdown, MAX_MARKDOWN_CHARS - this.length - start.length);
    if (body === '' && markdown !== '') return;
    this.put(start + body);
    this.sharedDepth = this.containers.length;
    this.isNextTight = false;
    this.lastKind = kind;
  }

  finish(): string {
    return this.out.length === 0 ? '' : `${this.out.join('')}\n`;
  }

  /** Prefixes repeat on every line, so they count before they are written. */
  private indented(markdown: string, maxChars: number): string {
    const { prefix } = this;
    const fitting = fittingChars(markdown, prefix.length, maxChars);
    if (fitting === markdown.length) return indentLines(markdown, prefix);
    this.hasClipped = true;
    return indentLines(clipText(markdown, fitting), prefix);
  }

  private put(text: string): void {
    this.out.push(text);
    this.length += text.length;
  }

  private followsTightly(kind: BlockKind | 'apart'): boolean {
    return this.isInTightItem && !this.isAtMarker && mayFollow(this.lastKind, kind);
  }

  private separator(isTight: boolean): string {
    if (isTight) return '\n';
    const shared = this.containers[this.sharedDepth - 1];
    if (shared === undefined) return '\n\n';
    if (this.containers[this.sharedDepth]?.style.isNextItem !== true) shared.hasBlankLine = true;
    return `\n${shared.full.trimEnd()}\n`;
  }

  private firstPrefix(): string {
    let line = '';
    for (const container of this.containers) {
      line += container.marker ?? container.style.prefix;
      container.marker = undefined;
    }
    return line;
  }
}

/** How much of a block there is room for when each of its lines but the first gets a prefix. */
function fittingChars(markdown: string, prefixChars: number, maxChars: number): number {
  if (markdown.length * (1 + prefixChars) <= maxChars) return markdown.length;
  let room = maxChars;
  for (let from = 0; room > 0;) {
    const lineEnd = markdown.indexOf('\n', from);
    const end = lineEnd === -1 ? markdown.length : lineEnd + 1;
    if (end - from > room) return from + room;
    if (lineEnd === -1) return end;
    room -= end - from + prefixChars;
    from = end;
    if (room <= 0) return from;
  }
  return 0;
}

function indentLines(markdown: string, prefix: string): string {
  if (prefix === '' || !markdown.includes('\n')) return markdown;
  const blank = prefix.trimEnd();
  return markdown
    .split('\n')
    .map((line, index) => (index === 0 ? line : line === '' ? blank : prefix + line))
    .join('\n');
}
