import { asideTextOf, type AsideText } from './aside-texts.js';
import { type Block, eachBlock, isLeaf, isPhrase } from './block-tree.js';
import { isHeading, valueAt, type Weights } from './weights.js';

/** One part of a text that a name calls furniture is smaller than this share of it. */
const MAX_FURNITURE_SHARE = 0.3;
/** All such parts together; above, their names mean something else on this page. */
const MAX_FURNITURE_SHARE_OF_ALL = 0.5;
/** Blocks with more of their text in links are lists of other pages… */
const MIN_LINK_SHARE = 0.6;
/** …unless there is running text beside the links. */
const MAX_PROSE_IN_LINK_LIST = 100;
/** A longer text is never judged by its phrases. */
const MAX_ASIDE_INK = 260;

const LINK_LISTS = new Set(['ul', 'ol', 'div', 'section', 'table']);
/** Elements whose name says more than their classes. */
const TEXT_ELEMENTS = /^(?:blockquote|pre|code|table|h[2-6])$/;
const DATA_ELEMENTS = /^(?:pre|code|td|th)$/;

/** Finds in an article what is not its text: captions, bylines, links to others, calls, labels. */
export class FurnitureFinder {
  readonly found: Block[] = [];
  private readonly isOut: Uint8Array;

  constructor(
    private readonly blocks: readonly Block[],
    private readonly root: Block,
    private readonly weights: Weights,
    isOut: Uint8Array,
  ) {
    this.isOut = isOut.slice();
  }

  find(): readonly Block[] {
    this.dropNamed();
    this.dropAsides();
    this.dropEmptiedHeadings();
    return this.found;
  }

  private dropNamed(): void {
    const named: Block[] = [];
    let prose = 0;
    this.eachKept((block) => {
      if (!this.isFurniture(block)) return true;
      named.push(block);
      prose += this.proseOf(block);
      return false;
    });
    const isTrusted = prose < this.proseOf(this.root) * MAX_FURNITURE_SHARE_OF_ALL;
    for (const block of named) if (isTrusted || this.proseOf(block) === 0) this.drop(block);
  }

  private isFurniture(block: Block): boolean {
    const { name, hint } = block;
    // The title is in the metadata; Readability, trafilatura and Defuddle leave it out as well.
    if (name === 'h1') return true;
    if (isLinkList(block)) return this.proseOf(block) < MAX_PROSE_IN_LINK_LIST;
    const isNamed = hint === 'furniture' || name === 'header' || isCaption(block);
    if (!isNamed || TEXT_ELEMENTS.test(name) || isPhrase(block)) return false;
    return this.proseOf(block) < this.proseOf(this.root) * MAX_FURNITURE_SHARE;
  }

  /** After a label or a pointer, what is only a link belongs to it. */
  private dropAsides(): void {
    let last: AsideText = 'none';
    this.eachKept((block) => {
      if (!isLeaf(block)) return true;
      const linkShare = block.ownLinkInk / block.ownInk;
      const isListed = (last === 'label' || last === 'pointer') && linkShare > 0.8;
      if (!isListed) last = asideOf(block, linkShare);
      if (!isListed && last === 'none') return true;
      this.drop(block);
      return false;
    });
  }

  /** Headings that nothing is left under because it was dropped, and those at the end. */
  private dropEmptiedHeadings(): void {
    let isEmpty = true;
    let hasLost = true;
    for (let at = this.root.end - 1; at > this.root.index; at--) {
      const block = this.blocks[at];
      if (block === undefined || block.ink + block.images === 0) continue;
      if (this.isOut[at] === 1) {
        hasLost ||= block.ownInk > 0;
      } else if (!isHeading(block.name)) {
        if (block.ownInk > 0 || isPicture(block)) [isEmpty, hasLost] = [false, false];
      } else if (isEmpty && hasLost && !block.isFollowed) {
        this.drop(block);
      } else {
        [isEmpty, hasLost] = [true, false];
      }
    }
  }

  private eachKept(visit: (block: Block) => boolean): void {
    const { blocks, root, isOut } = this;
    const visitKept = (block: Block): boolean => isOut[block.index] !== 1 && visit(block);
    eachBlock(blocks, visitKept, root.index + 1, root.end);
  }

  private drop(block: Block): void {
    this.found.push(block);
    this.isOut.fill(1, block.index, block.end);
  }

  private proseOf(block: Block): number {
    return valueAt(this.weights.prose, block.index);
  }
}

const isLinkList = ({ name, ink, linkInk }: Block): boolean =>
  LINK_LISTS.has(name) && ink > 0 && linkInk > ink * MIN_LINK_SHARE;

const isCaption = (block: Block): boolean =>
  block.isInFigure && block.images === 0 && isLeaf(block);

const isPicture = ({ images, index, end }: Block): boolean => images > 0 && end === index + 1;

function asideOf({ name, text, ink }: Block, linkShare: number): AsideText {
  if (ink > MAX_ASIDE_INK || DATA_ELEMENTS.test(name)) return 'none';
  return asideTextOf(text.replace(/\s+/g, ' ').trim(), linkShare, ink);
}
