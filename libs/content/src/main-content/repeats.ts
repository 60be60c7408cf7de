import { collapse } from '../dom/walk.js';
import { type Block } from './block-tree.js';

/** Parts of a page that stand by themselves: the rows of a table or the lines of a song may be alike. */
const PARTS = /^(?:div|section|article|figure|ul|ol|aside|header|blockquote)$/;
/** Slides that a script copies, so that a carousel has no end. */
const CLONE = /(?:^|[\s_-])(?:cloned?|duplicate)(?:$|\s)/i;
/** A shorter text is a label, which two parts may have. */
const MIN_INK = 40;

/**
 * Parts that say again what the part right before them says: copies for other screens, and clones of slides.
 * Costs the text of the page at most twice for each level of parts that are alike.
 */
export function repeatsOf(blocks: readonly Block[], isKept: Uint8Array): readonly Block[] {
  const repeats: Block[] = [];
  const last = new Map<Block | null, Block>();
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at];
    if (block === undefined || block.ink === 0) continue;
    const before = last.get(block.parent);
    last.set(block.parent, block);
    if (isKept[at] !== 1 || !PARTS.test(block.name) || block.ink < MIN_INK) continue;
    const isCopy = before !== undefined && isSame(before, block, blocks);
    if (!isCopy && !isClone(block)) continue;
    repeats.push(block);
    at = block.end - 1;
  }
  return repeats;
}

const isClone = ({ element }: Block): boolean =>
  CLONE.test((element.attribs.class ?? '').slice(0, 300));

function isSame(one: Block, other: Block, blocks: readonly Block[]): boolean {
  const size = one.end - one.index;
  if (one.name !== other.name || one.ink !== other.ink || one.links !== other.links) return false;
  if (size !== other.end - other.index) return false;
  for (let at = 0; at < size; at++) {
    const [a, b] = [blocks[one.index + at], blocks[other.index + at]];
    if (a === undefined || b === undefined || a.name !== b.name || a.ownInk !== b.ownInk)
      return false;
    if (a.text !== b.text && collapse(a.text) !== collapse(b.text)) return false;
  }
  return true;
}
