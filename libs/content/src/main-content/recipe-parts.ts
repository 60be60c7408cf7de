import { type Block, type BlockTree, isInsideBlock, isLeaf } from './block-tree.js';
import { type StatedArticle } from './stated-article.js';
import { flagsOf } from './site-clutter.js';
import { innermost, sumUp } from './structured-text.js';

/** Fewer words of ingredients are no list worth a look. */
const MIN_WORDS = 6;
/** Words of a cell or a line of a list of ingredients. */
const MAX_LINE_WORDS = 16;
/** The list is on the page when it has this share of the words of the ingredients. */
const MIN_SHARE_OF_INGREDIENTS = 0.6;
/** The block that holds it holds nearly all that was found, and little else. */
const MIN_SHARE_OF_FOUND = 0.9;
const MAX_TIMES_FOUND = 2.5;

/**
 * The ingredients of a recipe beside the text that tells how it is made: recipes have both, often in different parts of the
 * page. By the words that JSON-LD states of them.
 */
export function ingredientsBeside(
  { blocks }: BlockTree,
  { ingredients }: StatedArticle,
  roots: readonly Block[],
  isOut: Uint8Array,
): Block | null {
  const words = ingredients.flatMap(wordsOf);
  const known = new Set(words);
  if (words.length < MIN_WORDS || roots.length === 0) return null;
  const isKept = flagsOf(blocks, roots);
  const found = new Float64Array(blocks.length);
  const all = new Float64Array(blocks.length);
  for (const block of blocks) {
    if (block.ownInk === 0 || isOut[block.index] === 1 || !isLeaf(block)) continue;
    const line = wordsOf(block.text.slice(0, MAX_LINE_CHARS));
    all[block.index] = line.length;
    const isIngredient = line.length <= MAX_LINE_WORDS && line.every((word) => known.has(word));
    if (isIngredient && isKept[block.index] !== 1) found[block.index] = line.length;
  }
  const total = sumUp(blocks, found);
  sumUp(blocks, all);
  if (total < words.length * MIN_SHARE_OF_INGREDIENTS) return null;
  const list = innermost(blocks, found, total * MIN_SHARE_OF_FOUND);
  const isWhole = list !== null && roots.every((root) => !isInsideBlock(root, list));
  return isWhole && (all[list.index] ?? 0) <= total * MAX_TIMES_FOUND ? list : null;
}

const MAX_LINE_CHARS = 300;

const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/\p{L}+|[\p{N}½¼¾⅓⅔]+/gu) ?? [];
