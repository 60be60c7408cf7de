import { type Block, isLeaf } from './block-tree.js';
import { isSurelyClutter } from './block-hints.js';
import { type PageTitles } from './page-titles.js';
import { proseOf } from './weights.js';

/** Names of first lines in ids, classes and `itemprop`, in the main languages. */
const LEAD =
  /(?:^|[\s_-])(?:lead|lede|teaser|intro|introduction|abstract|standfirst|dek|sub-?(?:title|head(?:line|ing)?)|summary|excerpt|deck|vorspann|anriss|chapo|chapeau|entradilla|bajada|ingress|zajawka)(?:$|[\s_-]|text)/i;

/** More is a text of its own. */
const MAX_LEAD_INK = 900;
const MAX_LEADS = 3;
const MAX_MARK_CHARS = 200;

/**
 * The first lines of an article that are between its title and the block that holds its text: those named so, else the
 * first sentence.
 */
export function leadsOf(
  blocks: readonly Block[],
  root: Block,
  isOut: Uint8Array,
  titles: PageTitles,
): readonly Block[] {
  const title = titleBefore(blocks, root, titles);
  if (title === null) return [];
  const named: Block[] = [];
  let sentence: Block | null = null;
  for (let at = title.end; at < root.index; at++) {
    const block = blocks[at];
    if (block === undefined || !isLeaf(block) || block.ownInk > MAX_LEAD_INK) continue;
    if (block.ownLinkInk > block.ownInk / 2 || isInClutter(block, root)) continue;
    if (isNamedLead(block) && block.ownInk > 20) named.push(block);
    else if (isOut[at] !== 1 && isSentence(block)) sentence ??= block;
  }
  if (named.length > 0) return named.slice(0, MAX_LEADS);
  return sentence === null ? [] : [sentence];
}

/** The last main heading above a text, as far as it is one of its titles. */
function titleBefore(blocks: readonly Block[], root: Block, titles: PageTitles): Block | null {
  for (let at = root.index - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined || block.ownInk === 0) continue;
    if (block.name === 'h1' || (/^h[2-4]$/.test(block.name) && titles.has(block.text)))
      return block;
  }
  return null;
}

/** Not a caption: pictures have a block with theirs. */
function isSentence(block: Block): boolean {
  const { hint, isInFigure, parent } = block;
  if (hint !== 'none' || isInFigure || proseOf(block) === 0) return false;
  return parent === null || parent.images === 0 || parent.ink > 3 * block.ink;
}

function isNamedLead(block: Block): boolean {
  for (let at: Block | null = block, up = 0; at !== null && up < 2; at = at.parent, up++) {
    const { id = '', class: marks = '', itemprop = '' } = at.element.attribs;
    if (LEAD.test(`${id} ${marks} ${itemprop}`.slice(0, MAX_MARK_CHARS)))
      return at.ink <= MAX_LEAD_INK;
  }
  return false;
}

/** In a menu or an aside that the text itself is not in. */
function isInClutter(block: Block, root: Block): boolean {
  for (let at = block.parent; at !== null; at = at.parent) {
    if (at.index <= root.index && at.end >= root.end) return false;
    if (isSurelyClutter(at.element)) return true;
  }
  return false;
}
