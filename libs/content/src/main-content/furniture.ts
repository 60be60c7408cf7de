import { collapse } from '../dom/walk.js';
import { asideTextOf, type AsideText, leadsAway } from './aside-texts.js';
import { type Block, eachBlock, isLeaf, isPhrase } from './block-tree.js';
import { type PageTitles } from './page-titles.js';
import { isHeading, valueAt, type BlockWeights } from './weights.js';

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

const LISTS = /^(?:ul|ol|menu)$/;
const LINK_LISTS = new Set(['ul', 'ol', 'div', 'section', 'table']);
/** Elements whose name says more than their classes. */
const TEXT_ELEMENTS = /^(?:blockquote|pre|code|table|h[2-6])$/;
/** Elements that label what follows or hold rows of data; their words never make them furniture. */
const DATA_ELEMENTS = /^(?:pre|code|td|th|dt|dd)$/;
/** With more of its text in links, a heading is that of another page. */
const MAX_LINK_SHARE_OF_HEADING = 0.5;
/** Share of a list's links to files and other sites that makes them what the text is about. */
const MIN_AWAY_SHARE = 0.8;
/** A link is a text's own until it is most of it. */
const MIN_LISTED_SHARE = 0.8;

/** Finds in an article what is not its text: captions, bylines, links to others, calls, labels. */
export class FurnitureFinder {
  readonly found: Block[] = [];
  private readonly isOut: Uint8Array;
  /** For each block the first from it on that has text of its own. */
  private readonly nextInked: Int32Array;
  /** What was read last, as it may announce the list that comes next. */
  private lead: Block | null = null;
  /** Until there, all is of a list that stays. */
  private keptEnd = 0;
  /** One for each block of a list of links that stays. */
  private readonly isListed: Uint8Array;
  private isTitleAbove: boolean | null = null;
  private lastTitle: Block | null = null;
  private readonly mixedLists = new Set<Block>();

  constructor(
    private readonly blocks: readonly Block[],
    private readonly root: Block,
    private readonly weights: BlockWeights,
    private readonly titles: PageTitles,
    isOut: Uint8Array,
  ) {
    this.isOut = isOut.slice();
    this.isListed = new Uint8Array(blocks.length);
    this.nextInked = nextInkedOf(blocks);
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
      if (!this.isFurniture(block)) {
        if (block.ownInk > 0 && block.index >= this.keptEnd) this.lead = block;
        return true;
      }
      const { lead } = this;
      if (isLinkList(block) && lead !== null && isHeadingOfOthers(lead)) named.push(lead);
      named.push(block);
      prose += this.proseOf(block);
      return false;
    });
    const isTrusted = prose < this.proseOf(this.root) * MAX_FURNITURE_SHARE_OF_ALL;
    for (const block of named) if (isTrusted || this.proseOf(block) === 0) this.drop(block);
  }

  private isFurniture(block: Block): boolean {
    const { name, hint } = block;
    if (name === 'h1') return this.isTitle(block);
    if (isLinkList(block) && !this.isOfText(block))
      return this.proseOf(block) < MAX_PROSE_IN_LINK_LIST;
    const isNamed = hint === 'furniture' || name === 'header' || isCaption(block);
    if (!isNamed || TEXT_ELEMENTS.test(name) || isPhrase(block)) return false;
    return this.proseOf(block) < this.proseOf(this.root) * MAX_FURNITURE_SHARE;
  }

  /** The title is in the metadata; Readability, trafilatura and Defuddle leave it out as well. */
  private isTitle(block: Block): boolean {
    const { lastTitle } = this;
    if (block.ownInk === 0) return false;
    const isTitle =
      this.titles.has(block.text) ||
      (lastTitle === null ? !this.isTitleShown() : this.lead === null);
    if (isTitle) [this.lastTitle, this.lead] = [block, null];
    return isTitle;
  }

  /** Above the text; its own first heading is of a part then. */
  private isTitleShown(): boolean {
    this.isTitleAbove ??= this.titles.isShownBefore(this.blocks, this.root);
    return this.isTitleAbove;
  }

  /** Links that the text gives: under a heading of its own, announced, or files and other sites. */
  private isOfText(list: Block): boolean {
    const { lead } = this;
    const isAway = list.links > 1 && list.awayLinks >= list.links * MIN_AWAY_SHARE;
    if (list.index < this.keptEnd || this.isHeaded(list)) return true;
    if (lead === null || (!isAway && !isAnnouncement(lead))) return false;
    this.keptEnd = list.end;
    this.isListed.fill(1, list.index, list.end);
    return true;
  }

  /** Its first text is a heading: the content under it is examined separately. */
  private isHeaded(list: Block): boolean {
    const first = this.inkedFrom(list.index);
    return first !== null && first.index < list.end && isHeading(first.name) && isOwnHeading(first);
  }

  /** After a label or a pointer, what is only a link belongs to it. */
  private dropAsides(): void {
    let last: AsideText = 'none';
    let previous: Block | null = null;
    this.eachKept((block) => {
      if (LISTS.test(block.name) && this.isMixed(block, isLeading(last)))
        this.mixedLists.add(block);
      if (!isLeaf(block)) return true;
      const isListed = isLeading(last) && isListedLink(block) && this.isListed[block.index] !== 1;
      if (!isListed) last = this.asideOf(block, previous);
      previous = block;
      if (!isListed && last === 'none') return true;
      this.drop(block);
      return false;
    });
  }

  private asideOf(block: Block, previous: Block | null): AsideText {
    if (this.isListed[block.index] === 1 || this.isOfMixedList(block)) return 'none';
    const aside = asideOf(block);
    const isHeaded = previous !== null && isHeading(previous.name) && isOwnHeading(previous);
    const { name, text, ownInk, ownLinkInk, links, awayLinks } = block;
    const isDownload = aside === 'call' && links > 0 && awayLinks === links;
    if (isHeaded && (aside === 'shout' || isDownload)) return 'none';
    const isOpen = isHeading(name) || (aside === 'pointer' && text.trimEnd().endsWith(':'));
    if (aside === 'none' || !isOpen || ownLinkInk > ownInk * MAX_LINK_SHARE_OF_HEADING)
      return aside;
    return this.leadsToText(block) ? 'none' : aside;
  }

  /** What follows is of the text, and neither left out nor a link to elsewhere. */
  private leadsToText({ index, isFollowed }: Block): boolean {
    if (isFollowed) return true;
    const next = this.inkedFrom(index + 1);
    if (next === null || next.index >= this.root.end) return false;
    if (this.isOut[next.index] === 1) return false;
    return this.isListed[next.index] === 1 || !isListedLink(next);
  }

  private inkedFrom(index: number): Block | null {
    return this.blocks[this.nextInked[index] ?? -1] ?? null;
  }

  /** A list with items that stay: the others are steps or terms and no buttons. */
  private isMixed(list: Block, isLed: boolean): boolean {
    let at = list.index + 1;
    while (at < list.end) {
      const item = this.blocks[at];
      if (item === undefined) return false;
      const isKept = this.isOut[at] !== 1 && item.ink > 0 && item.name === 'li';
      if (isKept && !(isLed && isListedLink(item)) && this.asideOfItem(item) === 'none')
        return true;
      at = item.end;
    }
    return false;
  }

  private asideOfItem(item: Block): AsideText {
    const first = this.inkedFrom(item.index);
    return asideOf(first !== null && first.ink === item.ink ? first : item);
  }

  private isOfMixedList(block: Block): boolean {
    const { parent } = block;
    const isWhole = parent !== null && parent.name === 'li' && parent.ink === block.ink;
    const list = isWhole ? parent.parent : parent;
    return list !== null && this.mixedLists.has(list);
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

/** Links after it belong to it. */
const isLeading = (aside: AsideText): boolean => aside !== 'none' && aside !== 'call';

/** A heading, or "Downloads for your system:", that what follows is of the text. */
function isAnnouncement(lead: Block): boolean {
  if (isHeading(lead.name)) return !lead.isFollowed && isOwnHeading(lead);
  const text = collapse(lead.text);
  return lead.ownLinkInk === 0 && text.endsWith(':') && !leadsAway(text);
}

const isHeadingOfOthers = (lead: Block): boolean =>
  isHeading(lead.name) && !lead.isFollowed && !isOwnHeading(lead);

function nextInkedOf(blocks: readonly Block[]): Int32Array {
  const found = new Int32Array(blocks.length).fill(-1);
  let next = -1;
  for (let at = blocks.length - 1; at >= 0; at--) {
    if ((blocks[at]?.ownInk ?? 0) > 0) next = at;
    found[at] = next;
  }
  return found;
}

const isListedLink = ({ ink, linkInk }: Block): boolean => linkInk > ink * MIN_LISTED_SHARE;

const isOwnHeading = ({ text, ownInk, ownLinkInk }: Block): boolean =>
  ownLinkInk <= ownInk * MAX_LINK_SHARE_OF_HEADING && !leadsAway(collapse(text));

function asideOf({ name, text, ink, linkInk }: Block): AsideText {
  if (ink === 0 || ink > MAX_ASIDE_INK || DATA_ELEMENTS.test(name)) return 'none';
  return asideTextOf(collapse(text), linkInk / ink, ink);
}
