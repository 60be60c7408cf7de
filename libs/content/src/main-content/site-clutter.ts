import { isSurelyClutter } from './block-hints.js';
import { type Block, eachBlock, isPhrase } from './block-tree.js';
import { valueAt, weigh, type BlockWeights } from './weights.js';

/** Never clutter, whatever their classes say: pages and parts of a text carry "has-sidebar" and "menu". */
const NEVER_CLUTTER = /^(?:html|body|main|article|h[1-6]|p|pre|code|td|th|tr|table|tbody|img)$/;

/** With this share of a page's running text, a block is its content whatever its name. */
const MIN_SHARE_TO_SPARE = 0.6;
/** Unless articles elsewhere hold this much of the block's own: then they are the content. */
const MAX_SHARE_ELSEWHERE = 0.3;
/** Each look goes over the page; blocks that hold most of it can only lie one inside another. */
const MAX_LOOKS = 20;

/**
 * The outermost blocks that are about the site and not about this page: menus, footers, consent,
 * lists of other pages. `withTalk`: what readers say counts as such.
 */
export function clutterOf(blocks: readonly Block[], withTalk: boolean): readonly Block[] {
  const found: Block[] = [];
  const weights = weigh(blocks);
  let looks = 0;
  eachBlock(blocks, (block) => {
    if (!isClutter(block, withTalk) || isTabbed(block, weights)) return true;
    if (
      isMostOf(block, weights) &&
      looks++ < MAX_LOOKS &&
      !isArticleElsewhere(block, blocks, weights)
    )
      return true;
    found.push(block);
    return false;
  });
  return found;
}

/** One for each block that is in one of `outer`, else zero. */
export function flagsOf(blocks: readonly Block[], outer: readonly Block[]): Uint8Array {
  const flags = new Uint8Array(blocks.length);
  for (const { index, end } of outer) flags.fill(1, index, end);
  return flags;
}

function isClutter(block: Block, withTalk: boolean): boolean {
  const { name, hint, isInContent } = block;
  // The header of an article holds its title, that of a page its logo and menu.
  if (name === 'header') return !isInContent;
  const isHinted = hint === 'clutter' || (withTalk && hint === 'talk');
  return isHinted && !NEVER_CLUTTER.test(name) && !isPhrase(block);
}

/** Tabs with what they show: panels are the text of many products. */
const isTabbed = ({ element, index }: Block, { prose }: BlockWeights): boolean =>
  element.attribs.role === 'tablist' && valueAt(prose, index) > 0;

/** The menu of a restaurant, the comments of a forum: the page, though its name says clutter. */
function isMostOf(block: Block, { prose, totalProse }: BlockWeights): boolean {
  const own = valueAt(prose, block.index);
  return own > 0 && own >= totalProse * MIN_SHARE_TO_SPARE && !isSurelyClutter(block.element);
}

function isArticleElsewhere(
  block: Block,
  blocks: readonly Block[],
  { prose }: BlockWeights,
): boolean {
  let elsewhere = 0;
  eachBlock(blocks, (other) => {
    if (other === block) return false;
    const isAround = other.index < block.index && other.end >= block.end;
    const isArticle = !isAround && (other.hint === 'body' || other.name === 'article');
    if (isArticle) elsewhere += valueAt(prose, other.index);
    return !isArticle;
  });
  return elsewhere >= valueAt(prose, block.index) * MAX_SHARE_ELSEWHERE;
}
