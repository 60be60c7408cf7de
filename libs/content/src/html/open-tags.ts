import { tagTraits } from '../dom/tag-traits.js';

const TABLE_PARTS = new Set(['caption', 'colgroup', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th']);
const ITEM_PASSES = new Set(['div', 'address', 'p']);
const ENDING_ITEMS: Readonly<Record<string, readonly string[]>> = {
  li: ['li'],
  dt: ['dt', 'dd'],
  dd: ['dt', 'dd'],
};

/** Names of the tags that are written and not closed; null for elements whose tags are left out. */
export class OpenTags {
  private readonly names: (string | null)[] = [];
  private mathAt = -1;

  get isInMath(): boolean {
    return this.mathAt >= 0;
  }

  push(name: string | null): void {
    if (name === 'math' && this.mathAt < 0) this.mathAt = this.names.length;
    this.names.push(name);
  }

  /** The name to close; null: none. */
  pop(): string | null {
    const name = this.names.pop() ?? null;
    if (this.names.length === this.mathAt) this.mathAt = -1;
    return name;
  }

  get isEmpty(): boolean {
    return this.names.length === 0;
  }

  /** The innermost written tag. */
  get parent(): string | null {
    for (let at = this.names.length - 1; at >= 0; at--) {
      const name = this.names[at];
      if (typeof name === 'string') return name;
    }
    return null;
  }

  /**
   * The tag with which an element can be written here so that a parser leaves it here; null: none.
   * Elements between an element and its ancestors were left out, so it may now end one of them.
   */
  fitting(wanted: string): string | null {
    const isLost = TABLE_PARTS.has(wanted) && !this.reaches(['table'], isNothing);
    const name = isLost ? 'div' : wanted;
    if (tagTraits(name).endsParagraph && this.reaches(['p'], isScope)) return null;
    if (name === 'a') return this.reaches(['a'], isScope) ? null : name;
    if (/^h[1-6]$/.test(name)) return /^h[1-6]$/.test(this.parent ?? '') ? null : name;
    const items = ENDING_ITEMS[name];
    return items !== undefined && this.reaches(items, isItemBarrier) ? null : name;
  }

  private reaches(targets: readonly string[], isBarrier: (name: string) => boolean): boolean {
    for (let at = this.names.length - 1; at >= 0; at--) {
      const name = this.names[at];
      if (typeof name !== 'string') continue;
      if (targets.includes(name)) return true;
      if (isBarrier(name)) return false;
    }
    return false;
  }
}

const isNothing = (): boolean => false;
const isScope = (name: string): boolean => tagTraits(name).isScopeBarrier;
const isItemBarrier = (name: string): boolean =>
  tagTraits(name).isSpecial && !ITEM_PASSES.has(name);
