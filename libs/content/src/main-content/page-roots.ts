import { type Block, eachBlock, isLeaf } from './block-tree.js';
import { isHeading, proseOf, valueAt, type BlockWeights } from './weights.js';

/** A main part with less of the text outside clutter is a teaser or a mistake. */
const MIN_SHARE_OF_MAIN = 0.25;
/**
 * Articles are the page when they hold this share of it; else it is a page with some articles on
 * it.
 */
const MIN_SHARE_OF_ARTICLES = 0.5;
/** A block is the page when it holds this share of the text around it. */
const MIN_SHARE_OF_PARENT = 0.8;

/** A block above the first heading with this share of text in links leads to other pages. */
const MIN_LINK_SHARE_ABOVE = 0.5;

const HOLDS_TEXT = /^(?:html|body|div|section|article|main|td|tr|tbody|table|form|center)$/;

/** Roots of a page, and what in them is left out. */
export interface PageRoots {
  readonly roots: readonly Block[];
  readonly dropped: readonly Block[];
}

/** What a page that is no article is about: its landmark, its articles, or where its text is. */
export function rootsOfPage(
  blocks: readonly Block[],
  weights: BlockWeights,
  isOut: Uint8Array,
): PageRoots {
  const inkOf = (found: readonly Block[]): number =>
    found.reduce((sum, { index }) => sum + valueAt(weights.ink, index), 0);
  const holds = (found: readonly Block[], share: number): boolean =>
    inkOf(found) >= Math.max(1, weights.totalInk * share);
  const mains = outermost(blocks, isOut, ({ hint }) => hint === 'main');
  if (holds(mains, MIN_SHARE_OF_MAIN)) return rootsOf(mains);
  const articles = outermost(blocks, isOut, ({ name }) => name === 'article');
  if (holds(articles, MIN_SHARE_OF_ARTICLES)) return rootsOf(articles);
  const fullest = descend(blocks, weights, isOut);
  if (fullest === null) return rootsOf([]);
  return { roots: [fullest], dropped: linksAbove(fullest, blocks, isOut) };
}

const rootsOf = (roots: readonly Block[]): PageRoots => ({ roots, dropped: [] });

function outermost(
  blocks: readonly Block[],
  isOut: Uint8Array,
  matches: (block: Block) => boolean,
): readonly Block[] {
  const found: Block[] = [];
  eachBlock(blocks, (block) => {
    if (isOut[block.index] === 1) return false;
    if (!matches(block)) return true;
    found.push(block);
    return false;
  });
  return found;
}

/** From the whole page inwards, as long as one block holds nearly all of the text. */
function descend(blocks: readonly Block[], weights: BlockWeights, isOut: Uint8Array): Block | null {
  const { ink, linkInk } = weights;
  const weightOf = ({ index }: Block): number => valueAt(ink, index) - valueAt(linkInk, index) / 2;
  let at: Block | null = null;
  for (;;) {
    let best: Block | null = null;
    const consider = (block: Block): boolean => {
      if (isOut[block.index] !== 1 && (best === null || weightOf(block) > weightOf(best)))
        best = block;
      return false;
    };
    eachBlock(blocks, consider, at === null ? 0 : at.index + 1, at?.end);
    const next = best as Block | null;
    if (next === null || weightOf(next) === 0 || !HOLDS_TEXT.test(next.name)) return at;
    if (at !== null && weightOf(next) < weightOf(at) * MIN_SHARE_OF_PARENT) return at;
    if (hasTextBefore(next, at, blocks, isOut)) return at;
    at = next;
  }
}

/** A heading or an introduction that would be left behind. */
function hasTextBefore(
  { index }: Block,
  around: Block | null,
  blocks: readonly Block[],
  isOut: Uint8Array,
): boolean {
  for (let at = around === null ? 0 : around.index + 1; at < index; at++) {
    const block = blocks[at];
    if (block !== undefined && isOut[at] !== 1 && isText(block)) return true;
  }
  return false;
}

const isText = (block: Block): boolean =>
  (isHeading(block.name) && block.ownInk > 0) || proseOf(block) > 0;

/** "Next: …, Up: …" above the first heading of a manual's page. */
function linksAbove(root: Block, blocks: readonly Block[], isOut: Uint8Array): readonly Block[] {
  const found: Block[] = [];
  for (let at = root.index + 1; at < root.end; at++) {
    const block = blocks[at];
    if (block === undefined || isOut[at] === 1 || block.ownInk === 0) continue;
    if (isHeading(block.name)) return found;
    const isLinks = isLeaf(block) && block.ownLinkInk > block.ownInk * MIN_LINK_SHARE_ABOVE;
    if (!isLinks) return [];
    found.push(block);
  }
  return [];
}
