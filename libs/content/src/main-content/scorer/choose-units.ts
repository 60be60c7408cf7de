import { type Block } from '../block-tree.js';
import { scorerModel } from './tree-model.js';
import { featuresOf, type Ruled } from './unit-features.js';

/** What of a page is kept. */
export interface ScoredContent {
  /** The innermost block that holds all that is kept. */
  readonly root: Block;
  readonly dropped: readonly Block[];
}

/** A page with more texts is a data set; the rules do for it. */
const MAX_UNITS = 5_000;
/** With fewer texts or less of them a page has no structure to learn from. */
const MIN_UNITS = 12;
const MIN_INK = 600;
/** Of text that is likely content and missing beside text that is kept and likely is none. */
const RECALL_WEIGHT = 0.8;

/** The main content of a page by the scores of its texts; null: the page is too small or too large for them. */
export function chooseByScore(ruled: Ruled): ScoredContent | null {
  const { blocks } = ruled;
  const count = blocks.reduce((sum, { ownInk }) => sum + (ownInk > 0 ? 1 : 0), 0);
  const ink = blocks.reduce((sum, { ownInk }) => sum + ownInk, 0);
  if (count < MIN_UNITS || count > MAX_UNITS || ink < MIN_INK) return null;
  const { units, rows } = featuresOf(ruled);
  const model = scorerModel();
  const scores = Float64Array.from(units, (_, at) => model.score(rows, at * model.width));
  const least = bestThreshold(scores, units);
  const kept = new Float64Array(blocks.length);
  units.forEach(({ index }, at) => {
    if ((scores[at] ?? 0) >= least) kept[index] = 1;
  });
  return contentOf(blocks, kept);
}

/** Where the expected F1 is highest: for each page another, as lists are less certain than articles. */
function bestThreshold(scores: Float64Array, units: readonly Block[]): number {
  const order = Array.from(scores.keys()).sort(
    (one, other) => (scores[other] ?? 0) - (scores[one] ?? 0),
  );
  const inkOf = (at: number): number => units[at]?.ownInk ?? 0;
  const expected =
    order.reduce((sum, at) => sum + (scores[at] ?? 0) * inkOf(at), 0) * RECALL_WEIGHT;
  let [hits, ink, best, least] = [0, 0, -1, 0];
  for (const at of order) {
    hits += (scores[at] ?? 0) * inkOf(at);
    ink += inkOf(at);
    const value = hits / (ink + expected);
    if (value > best) [best, least] = [value, scores[at] ?? 0];
  }
  return least;
}

/** @param kept one for each block whose own text is kept */
function contentOf(blocks: readonly Block[], kept: Float64Array): ScoredContent | null {
  let total = 0;
  for (let at = blocks.length - 1; at >= 0; at--) {
    const parent = blocks[at]?.parent ?? null;
    const inside = kept[at] ?? 0;
    if (parent === null) total += inside;
    else kept[parent.index] = (kept[parent.index] ?? 0) + inside;
  }
  const root = blocks.findLast(({ index }) => total > 0 && kept[index] === total);
  if (root === undefined) return null;
  const dropped: Block[] = [];
  for (let at = root.index; at < root.end;) {
    const block = blocks[at];
    if (block === undefined) break;
    const isDropped = kept[at] === 0 && block.ink > 0;
    if (isDropped) dropped.push(block);
    at = isDropped ? block.end : at + 1;
  }
  return { root, dropped };
}
