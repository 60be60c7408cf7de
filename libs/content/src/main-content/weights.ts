import { type Block } from './block-tree.js';

/** Text of blocks with those inside them, without what is left out; by number of block. */
export interface BlockWeights {
  /** Characters of running text. */
  readonly prose: Float64Array;
  readonly ink: Float64Array;
  readonly linkInk: Float64Array;
  /** Of the whole page. */
  readonly totalProse: number;
  readonly totalInk: number;
  readonly totalLinkInk: number;
}

/** Weighs all blocks, or those that are not `isOut`. */
export function weigh(blocks: readonly Block[], isOut?: Uint8Array): BlockWeights {
  const prose = new Float64Array(blocks.length);
  const ink = new Float64Array(blocks.length);
  const linkInk = new Float64Array(blocks.length);
  const total = { prose: 0, ink: 0, linkInk: 0 };
  // Backwards, so that a block is complete before it is added to the one around it.
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at];
    if (block === undefined) continue;
    if (isOut?.[at] !== 1) {
      add(prose, at, proseOf(block));
      add(ink, at, block.ownInk);
      add(linkInk, at, block.ownLinkInk);
    }
    const { parent } = block;
    if (parent === null) {
      total.prose += valueAt(prose, at);
      total.ink += valueAt(ink, at);
      total.linkInk += valueAt(linkInk, at);
    } else {
      add(prose, parent.index, valueAt(prose, at));
      add(ink, parent.index, valueAt(ink, at));
      add(linkInk, parent.index, valueAt(linkInk, at));
    }
  }
  const totals = { totalProse: total.prose, totalInk: total.ink, totalLinkInk: total.linkInk };
  return { prose, ink, linkInk, ...totals };
}

/** Below, text is a label; of writing without spaces, half of it. */
const MIN_PROSE_INK = 50;

const IDEOGRAPHS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{12}/;

/** A mark at the end of a sentence or a part of one; not the point in an address or a number. */
const SENTENCE_MARK = /[.!?…]['"’”»)\]]*(?:\s|$)|[,;:،؟।]\s|[。！？、，；：]/;

/** Running text of a block itself: not of headings, not links, and with a sentence's punctuation. */
export function proseOf({ name, text, ownInk, ownLinkInk }: Block): number {
  const ink = ownInk - ownLinkInk;
  if (ink < ownInk / 2 || ink < MIN_PROSE_INK / 2 || isHeading(name)) return 0;
  if (ink < MIN_PROSE_INK && !IDEOGRAPHS.test(text)) return 0;
  return SENTENCE_MARK.test(text) ? ink : 0;
}

export const isHeading = (name: string): boolean => /^h[1-6]$/.test(name);

export const valueAt = (values: Float64Array, at: number): number => values[at] ?? 0;

function add(values: Float64Array, at: number, value: number): void {
  values[at] = valueAt(values, at) + value;
}
