import { type Block } from './block-tree.js';
import { proseOf, valueAt, type BlockWeights } from './weights.js';

/** Elements that hold a text; votes pass by others, such as lists and quotations. */
const HOLDS_TEXT =
  /^(?:body|div|section|article|main|td|tr|tbody|table|form|center|span|header|details|fieldset)$/;

/**
 * The vote of Readability: text counts for the block that holds it, half for the one around that,
 * and ever less further out. Here characters of running text vote instead of paragraphs and commas.
 */
const SHARES_BY_DISTANCE = [1, 1 / 2, 1 / 6, 1 / 9, 1 / 12];

/** How much its own name adds to the votes of a block. */
const BODY_BONUS = 1.5;
const CONTENT_BONUS = 1.2;

/** The block that holds most of the text, with little around it that is none. */
export function electRoot(
  blocks: readonly Block[],
  weights: BlockWeights,
  isOut: Uint8Array,
): Block | null {
  const votes = votesOf(blocks, isOut);
  let best: Block | null = null;
  let most = 0;
  for (const block of blocks) {
    const ink = valueAt(weights.ink, block.index);
    if (ink === 0) continue;
    const linkShare = valueAt(weights.linkInk, block.index) / ink;
    const value = valueAt(votes, block.index) * (1 - linkShare) * bonusOf(block);
    if (value > most) [best, most] = [block, value];
  }
  return best;
}

function votesOf(blocks: readonly Block[], isOut: Uint8Array): Float64Array {
  const votes = new Float64Array(blocks.length);
  for (const block of blocks) {
    const prose = isOut[block.index] === 1 ? 0 : proseOf(block);
    if (prose === 0) continue;
    let holder = holderOf(block);
    for (const share of SHARES_BY_DISTANCE) {
      if (holder === null) break;
      votes[holder.index] = valueAt(votes, holder.index) + prose * share;
      holder = holderOf(holder.parent);
    }
  }
  return votes;
}

function holderOf(from: Block | null): Block | null {
  let block = from;
  while (block !== null && !HOLDS_TEXT.test(block.name)) block = block.parent;
  return block;
}

function bonusOf({ hint }: Block): number {
  if (hint === 'body') return BODY_BONUS;
  return hint === 'main' || hint === 'content' ? CONTENT_BONUS : 1;
}

/** A block around the elected one must add this share of running text to be worth its rest. */
const MIN_GAIN = 0.15;
/**
 * And this share of what it adds must be running text: less where its name says that it is the
 * article, more when the way there leaves a part that is named so, as what follows it is teasers.
 */
const MIN_PURITY_INTO_ARTICLE = 0.3;
const MIN_PURITY = 0.5;
const MIN_PURITY_OUT_OF_BODY = 0.6;
const MIN_PURITY_OUT_OF_ARTICLE = 0.8;

/** From the elected block to the one that holds the other parts of the same text. */
export function climb(elected: Block, { prose, ink }: BlockWeights): Block {
  let root = elected;
  let least = purityOutOf(elected);
  for (let up = elected.parent; up !== null && up.name !== 'html'; up = up.parent) {
    const gain = valueAt(prose, up.index) - valueAt(prose, root.index);
    const added = valueAt(ink, up.index) - valueAt(ink, root.index);
    const isArticle = up.hint === 'body' || up.name === 'article';
    const purity = isArticle ? Math.min(least, MIN_PURITY_INTO_ARTICLE) : least;
    if (gain > valueAt(prose, root.index) * MIN_GAIN && gain > added * purity) root = up;
    least = Math.max(least, purityOutOf(up));
  }
  return root;
}

function purityOutOf({ name, hint }: Block): number {
  if (name === 'article' || hint === 'main') return MIN_PURITY_OUT_OF_ARTICLE;
  return hint === 'body' ? MIN_PURITY_OUT_OF_BODY : MIN_PURITY;
}
