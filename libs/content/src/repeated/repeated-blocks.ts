import type { PageBlock } from './page-blocks.js';

/** A block is furniture once so many pages had it, and at least this share of all pages. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.6;
/** A shorter text, such as "Example:", says little by itself: it goes only with what stands beside it. */
const MIN_CHARS = 30;
/** Blocks that are remembered; when there are more, those of a single page are forgotten. */
const MAX_BLOCKS = 20_000;

/**
 * The blocks that pages of one host have in common, as far as its pages were read. A page keeps what fewer earlier pages had:
 * the first copies of a block always stay.
 */
export class RepeatedBlocks {
  private readonly pagesOf = new Map<number, number>();
  private pages = 0;

  /** Blocks that are remembered. */
  get size(): number {
    return this.pagesOf.size;
  }

  /** The blocks of a page that repeat those of earlier pages. Never all that have a text: no page loses everything. */
  repeatedIn(blocks: readonly PageBlock[]): ReadonlySet<PageBlock> {
    if (this.pages < MIN_PAGES) return new Set();
    const dropped = new Set(blocks.filter((block) => isFurniture(block) && this.isCommon(block)));
    for (const block of lonely(blocks, dropped)) dropped.delete(block);
    for (const heading of emptied(blocks, dropped))
      if (this.isCommon(heading)) dropped.add(heading);
    const isAll = blocks.every((block) => block.kind === 'heading' || dropped.has(block));
    return isAll ? new Set() : dropped;
  }

  /** Counts the blocks of a page that was stored. */
  learn(blocks: readonly PageBlock[]): void {
    this.pages++;
    for (const hash of new Set(blocks.map((block) => block.hash)))
      this.pagesOf.set(hash, (this.pagesOf.get(hash) ?? 0) + 1);
    if (this.pagesOf.size <= MAX_BLOCKS) return;
    for (const [hash, pages] of this.pagesOf) if (pages === 1) this.pagesOf.delete(hash);
    if (this.pagesOf.size > MAX_BLOCKS) this.pagesOf.clear();
  }

  private isCommon({ hash }: PageBlock): boolean {
    const pages = this.pagesOf.get(hash) ?? 0;
    return pages >= MIN_PAGES && pages >= MIN_SHARE * this.pages;
  }
}

/** Code is what such pages are about, and a heading goes with its section. */
function isFurniture({ kind }: PageBlock): boolean {
  return kind === 'text' || kind === 'table';
}

/** Short blocks among those dropped whose neighbors are kept. */
function lonely(
  blocks: readonly PageBlock[],
  dropped: ReadonlySet<PageBlock>,
): readonly PageBlock[] {
  const isLong = (block: PageBlock | undefined): boolean =>
    block !== undefined && dropped.has(block) && block.end - block.start >= MIN_CHARS;
  return blocks.filter((block, at) => {
    const isShort = dropped.has(block) && block.end - block.start < MIN_CHARS;
    return isShort && !isLong(blocks[at - 1]) && !isLong(blocks[at + 1]);
  });
}

const LEVELS = 6;

/** Headings of sections that had blocks, in subsections too, and keep none of them. */
function emptied(
  blocks: readonly PageBlock[],
  dropped: ReadonlySet<PageBlock>,
): readonly PageBlock[] {
  const found: PageBlock[] = [];
  /** By level: what the section holds of which the end was seen, and the beginning not yet. */
  const open = Array.from({ length: LEVELS + 1 }, () => ({ hasBlocks: false, isKept: false }));
  for (const block of blocks.toReversed()) {
    if (block.kind !== 'heading') {
      for (const section of open) {
        section.hasBlocks = true;
        section.isKept ||= !dropped.has(block);
      }
      continue;
    }
    const section = open[block.level];
    if (section?.hasBlocks === true && !section.isKept) found.push(block);
    for (const ended of open.slice(block.level)) [ended.hasBlocks, ended.isKept] = [false, false];
  }
  return found;
}

/** A text without some of its blocks, and how many characters it lost. */
export function withoutBlocks(
  markdown: string,
  blocks: readonly PageBlock[],
  dropped: ReadonlySet<PageBlock>,
): { readonly markdown: string; readonly characters: number } {
  if (dropped.size === 0) return { markdown, characters: 0 };
  const rest = blocks.at(-1)?.end ?? 0;
  const parts = blocks.flatMap((block) =>
    dropped.has(block) ? [] : [markdown.slice(block.start, block.end)],
  );
  const kept = `${parts.join('')}${markdown.slice(rest)}`.trimEnd();
  const text = markdown.endsWith('\n') ? `${kept}\n` : kept;
  return { markdown: text, characters: markdown.length - text.length };
}
