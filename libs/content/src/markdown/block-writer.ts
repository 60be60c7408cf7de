import { MAX_CONTAINER_DEPTH } from '../limits.js';

/** What was written last, for those whose distance depends on it. */
export type BlockKind = 'paragraph' | 'term' | 'definition' | 'other';

interface Container {
  /** Before each line but the first. */
  readonly prefix: string;
  /** Before its first line, until that is written. */
  marker: string | undefined;
  /** Prefixes of this container and those around it. */
  readonly full: string;
  readonly isDefinition: boolean;
}

/**
 * Puts blocks under one another: exactly one blank line between them (none where lists are tight),
 * each line after the prefixes of the quotes and list items around it, no space at line ends.
 */
export class BlockWriter {
  lastKind: BlockKind = 'other';
  private readonly out: string[] = [];
  private readonly containers: Container[] = [];
  private flattened = 0;
  private sharedDepth = 0;
  private isTight = false;
  private length = 0;
  private hasFlattened = false;

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

  /** The next block follows on the next line, without a blank one. */
  tighten(): void {
    this.isTight = true;
  }

  /** Takes {@link tighten} back: what should have followed was empty. */
  loosen(): void {
    this.isTight = false;
  }

  enter(prefix: string, marker = prefix, isDefinition = false): void {
    if (this.containers.length >= MAX_CONTAINER_DEPTH) {
      this.flattened++;
      this.hasFlattened = true;
      return;
    }
    const full = (this.containers.at(-1)?.full ?? '') + prefix;
    this.containers.push({ prefix, marker, full, isDefinition });
  }

  leave(): void {
    if (this.flattened > 0) {
      this.flattened--;
      return;
    }
    this.containers.pop();
    this.sharedDepth = Math.min(this.sharedDepth, this.containers.length);
  }

  /** True while a list item's or quote's first line is still to come. */
  get isAtMarker(): boolean {
    return this.containers.at(-1)?.marker !== undefined;
  }

  /** True when the next paragraph is the first of a definition. */
  get isAtDefinition(): boolean {
    return this.isAtMarker && this.containers.at(-1)?.isDefinition === true;
  }

  write(markdown: string, kind: BlockKind): void {
    const prefix = this.containers.at(-1)?.full ?? '';
    const block = this.firstPrefix(kind) + indentLines(markdown, prefix);
    this.put(this.out.length === 0 ? block : this.separator() + block);
    this.sharedDepth = this.containers.length;
    this.isTight = false;
    this.lastKind = kind;
  }

  finish(): string {
    return this.out.length === 0 ? '' : `${this.out.join('')}\n`;
  }

  private put(text: string): void {
    this.out.push(text);
    this.length += text.length;
  }

  private separator(): string {
    if (this.isTight) return '\n';
    return `\n${this.containers[this.sharedDepth - 1]?.full.trimEnd() ?? ''}\n`;
  }

  private firstPrefix(kind: BlockKind): string {
    let line = '';
    for (const container of this.containers) {
      // ": " is no container in CommonMark, so it may stand before a paragraph only.
      const isOut = container.isDefinition && kind !== 'paragraph' && kind !== 'definition';
      line += isOut ? container.prefix : (container.marker ?? container.prefix);
      container.marker = undefined;
    }
    return line;
  }
}

function indentLines(markdown: string, prefix: string): string {
  if (prefix === '' || !markdown.includes('\n')) return markdown;
  const blank = prefix.trimEnd();
  return markdown
    .split('\n')
    .map((line, index) => (index === 0 ? line : line === '' ? blank : prefix + line))
    .join('\n');
}
