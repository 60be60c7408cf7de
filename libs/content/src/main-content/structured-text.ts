import { eachBlock, isLeaf, type Block, type BlockTree } from './block-tree.js';
import type { StatedArticle } from './stated-article.js';
import { valueAt, type BlockWeights } from './weights.js';

/** A paragraph is one of the article when this share of its words is. */
const MIN_SHARE_OF_PARAGRAPH = 0.6;
/** The article is on the page when this share of its words is. */
const MIN_SHARE_OF_BODY = 0.5;
/** The block that holds it holds nearly all that was found. */
const MIN_SHARE_OF_FOUND = 0.95;
/** With less of the running text on the page, JSON-LD has only the start of the article. */
const MIN_SHARE_OF_PAGE = 0.6;

/** Where the article is that the page's JSON-LD gives as text. */
export interface StructuredText {
  readonly root: Block;
  /** Numbers of the blocks whose own text is in it, in document order. */
  readonly confirmed: readonly number[];
}

/** Null when JSON-LD has no text of an article, or another one than the page shows. */
export function findStructuredText(
  tree: BlockTree,
  stated: StatedArticle,
  isOut: Uint8Array,
): StructuredText | null {
  const body = StructuredBody.of(stated.body);
  if (body === null) return null;
  const confirmed: number[] = [];
  const found = new Float64Array(tree.blocks.length);
  for (const { index, text, ownInk } of tree.blocks) {
    if (isOut[index] === 1 || ownInk === 0) continue;
    const { share, words } = body.compare(text);
    if (share < MIN_SHARE_OF_PARAGRAPH) continue;
    confirmed.push(index);
    found[index] = words;
  }
  const total = sumUp(tree.blocks, found);
  if (total < body.wordCount * MIN_SHARE_OF_BODY) return null;
  const root = innermost(tree.blocks, found, total * MIN_SHARE_OF_FOUND);
  return root === null ? null : { root, confirmed };
}

/** Blocks before the first and after the last paragraph of the article. */
export function beyondText(
  { confirmed }: StructuredText,
  root: Block,
  { blocks }: BlockTree,
  { prose }: BlockWeights,
): readonly Block[] {
  const first = confirmed[0] ?? 0;
  const last = confirmed.at(-1) ?? blocks.length;
  const ink = confirmed.reduce((sum, index) => sum + (blocks[index]?.ownInk ?? 0), 0);
  if (ink < valueAt(prose, root.index) * MIN_SHARE_OF_PAGE) return [];
  return blocks
    .slice(root.index + 1, root.end)
    .filter((block) => isLeaf(block) && (block.index < first || block.index > last));
}

/** Adds to each block what is in it; the sum of all. */
export function sumUp(blocks: readonly Block[], found: Float64Array): number {
  let total = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const parent = blocks[at]?.parent ?? null;
    if (parent === null) total += valueAt(found, at);
    else found[parent.index] = valueAt(found, parent.index) + valueAt(found, at);
  }
  return total;
}

/** The innermost block with so much. */
export function innermost(
  blocks: readonly Block[],
  found: Float64Array,
  least: number,
): Block | null {
  let root: Block | null = null;
  eachBlock(blocks, (block) => {
    if (valueAt(found, block.index) < least) return false;
    root = block;
    return true;
  });
  return root;
}

/** Words of an article's text that are compared. */
const MAX_BODY_WORDS = 50_000;
/** An `articleBody` with fewer is a teaser, as some sites have it. */
const MIN_BODY_WORDS = 50;
/** As many words in a row do not meet by chance. */
const WORDS_IN_A_ROW = 3;

/** The text of the article as the page's JSON-LD gives it. */
class StructuredBody {
  private constructor(
    private readonly rows: ReadonlySet<string>,
    readonly wordCount: number,
  ) {}

  /** Null when there is none worth reading. */
  static of(text: string): StructuredBody | null {
    const words = wordsOf(text.replace(/<[^<>]*>/g, ' ')).slice(0, MAX_BODY_WORDS);
    return words.length < MIN_BODY_WORDS
      ? null
      : new StructuredBody(new Set(rowsOf(words)), words.length);
  }

  /** How many words a text has, and what share of its rows of words is in the article. */
  compare(text: string): { readonly share: number; readonly words: number } {
    const words = wordsOf(text);
    const rows = rowsOf(words);
    const known = rows.filter((row) => this.rows.has(row)).length;
    return { share: known / Math.max(1, rows.length), words: words.length };
  }
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function rowsOf(words: readonly string[]): string[] {
  const rows: string[] = [];
  for (let end = WORDS_IN_A_ROW; end <= words.length; end++) {
    rows.push(words.slice(end - WORDS_IN_A_ROW, end).join(' '));
  }
  return rows;
}
