import { type Element } from 'domhandler';
import { type Block, isLeaf } from '../block-tree.js';
import { isSurelyClutter } from '../block-hints.js';
import { isHeading, proseOf } from '../weights.js';

/** Marks of a block and of those around it, as bits. */
export const AROUND = {
  clutter: 1,
  surelyClutter: 2,
  talk: 4,
  main: 8,
  body: 16,
  article: 32,
  header: 64,
  footer: 128,
  form: 256,
  table: 512,
  list: 1_024,
  furniture: 2_048,
  content: 4_096,
  figure: 8_192,
  aside: 16_384,
  menu: 32_768,
} as const;

const BIT_OF_HINT: Readonly<Record<string, number>> = {
  clutter: AROUND.clutter,
  talk: AROUND.talk,
  main: AROUND.main,
  body: AROUND.body,
  furniture: AROUND.furniture,
  content: AROUND.content,
};
const BIT_OF_NAME: Readonly<Record<string, number>> = {
  article: AROUND.article,
  header: AROUND.header,
  footer: AROUND.footer,
  form: AROUND.form,
  table: AROUND.table,
  li: AROUND.list,
  figure: AROUND.figure,
  aside: AROUND.aside,
  nav: AROUND.menu,
};

/** Blocks that look alike: by name and classes of themselves and of what is around them. */
export interface Likes {
  count: number;
  ink: number;
  linkInk: number;
  prose: number;
  first: number;
  last: number;
}

/** The texts of a page and what is known of the blocks that hold them. */
export interface PageUnits {
  /** Blocks with text of their own, in document order. */
  readonly units: readonly Block[];
  /** Bits of {@link AROUND}, by block. */
  readonly around: Int32Array;
  readonly depth: Int32Array;
  /** By block: texts inside, with running text among them. */
  readonly texts: Float64Array;
  readonly headings: Float64Array;
  /** Characters of all texts before, by block. */
  readonly inkBefore: Float64Array;
  readonly likes: readonly Likes[];
  /** Index into `likes` by block: of itself, and of the block around it. */
  readonly likeOf: Int32Array;
  readonly totalInk: number;
}

/** Classes beyond are data. */
const MAX_MARK_CHARS = 120;

/** Reads the texts of a page in two passes over its blocks. */
export function readUnits(blocks: readonly Block[]): PageUnits {
  const units: Block[] = [];
  const around = new Int32Array(blocks.length);
  const depth = new Int32Array(blocks.length);
  const texts = new Float64Array(blocks.length);
  const headings = new Float64Array(blocks.length);
  const inkBefore = new Float64Array(blocks.length);
  const likeOf = new Int32Array(blocks.length);
  const likes = new LikeReader();
  let totalInk = 0;
  for (const block of blocks) {
    const { index, parent, ownInk } = block;
    around[index] = bitsOf(block) | (parent === null ? 0 : (around[parent.index] ?? 0));
    depth[index] = parent === null ? 0 : (depth[parent.index] ?? 0) + 1;
    likeOf[index] = likes.read(block);
    inkBefore[index] = totalInk;
    totalInk += ownInk;
    if (ownInk > 0) units.push(block);
  }
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined) continue;
    if (block.ownInk > 0) texts[at] = (texts[at] ?? 0) + 1;
    if (isHeading(block.name)) headings[at] = (headings[at] ?? 0) + 1;
    const { parent } = block;
    if (parent === null) continue;
    texts[parent.index] = (texts[parent.index] ?? 0) + (texts[at] ?? 0);
    headings[parent.index] = (headings[parent.index] ?? 0) + (headings[at] ?? 0);
  }
  return {
    units,
    around,
    depth,
    texts,
    headings,
    inkBefore,
    likeOf,
    likes: likes.found,
    totalInk,
  };
}

function bitsOf({ name, hint, element }: Block): number {
  const bits = (BIT_OF_HINT[hint] ?? 0) | (BIT_OF_NAME[name] ?? 0);
  return isSurelyClutter(element) ? bits | AROUND.surelyClutter : bits;
}

class LikeReader {
  readonly found: Likes[] = [];
  private readonly known = new Map<string, number>();
  /** By block: a block comes after the one around it. */
  private readonly marks: string[] = [];

  read(block: Block): number {
    const own = markOf(block.element);
    this.marks[block.index] = own;
    const mark = `${own}<${block.parent === null ? '' : (this.marks[block.parent.index] ?? '')}`;
    let at = this.known.get(mark);
    if (at === undefined) {
      at = this.found.length;
      this.known.set(mark, at);
      this.found.push({ count: 0, ink: 0, linkInk: 0, prose: 0, first: block.index, last: 0 });
    }
    const likes = this.found[at];
    if (likes === undefined) return at;
    likes.count++;
    likes.ink += block.ink;
    likes.linkInk += block.linkInk;
    likes.prose += isLeaf(block) ? proseOf(block) : 0;
    likes.last = block.index;
    return at;
  }
}

/** Elements that look alike have the same name and classes. */
export const markOf = ({ name, attribs }: Element): string =>
  `${name}.${(attribs.class ?? '').slice(0, MAX_MARK_CHARS)}`;
