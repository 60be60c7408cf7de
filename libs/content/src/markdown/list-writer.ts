import { type Element } from 'domhandler';
import { type BlockWriter } from './block-writer.js';
import { ListFrame, startOf } from './list-frame.js';

interface ItemFrame {
  readonly list: ListFrame;
  /** Blocks in it, nested lists apart. */
  blocks: number;
}

/** Lists and items around the current block: markers, indentation and the distance of items. */
export class ListWriter {
  private readonly lists: ListFrame[] = [];
  private readonly items: ItemFrame[] = [];
  private lastList: { readonly endedAt: number; readonly list: ListFrame } | undefined;

  constructor(private readonly blocks: BlockWriter) {}

  /** A block was written; it belongs to the innermost item. */
  noteBlock(): void {
    const item = this.items.at(-1);
    if (item !== undefined) item.blocks++;
  }

  enterList(element: Element): void {
    const parent = this.lists.at(-1);
    const item = this.items.at(-1);
    const isInItem = item !== undefined && item.list === parent;
    if (parent !== undefined && !isInItem) this.enterStrayList(parent);
    else if (item?.blocks === 1 && startOf(element) === 1 && this.blocks.lastKind === 'paragraph') {
      this.blocks.tighten();
    }
    this.lists.push(ListFrame.of(element, this.followsItsLike(element)));
  }

  leaveList(): void {
    this.blocks.loosen();
    const list = this.lists.pop();
    if (list?.hasItems) this.lastList = { endedAt: this.blocks.blocks, list };
    const parent = this.lists.at(-1);
    if (parent !== undefined && this.items.at(-1)?.list !== parent) this.blocks.leave();
  }

  enterItem(element: Element): void {
    // An item without a list is one of an unordered list; it never gets further than itself.
    const list = this.lists.at(-1) ?? new ListFrame(false, 1, false);
    const marker = list.marker(element.attribs.value);
    if (list.hasItems && list.isTight) this.blocks.tighten();
    this.blocks.enter(' '.repeat(marker.length), marker);
    this.items.push({ list, blocks: 0 });
  }

  leaveItem(): void {
    const item = this.items.pop();
    if (item !== undefined && !this.blocks.isAtMarker) {
      item.list.hasItems = true;
      item.list.isTight = item.blocks <= 1;
    }
    this.blocks.leave();
    this.blocks.loosen();
  }

  /** `<ul><ul>`: authors mean a sublist of the item before. */
  private enterStrayList(parent: ListFrame): void {
    if (parent.hasItems) this.blocks.tighten();
    this.blocks.enter(parent.hasItems ? parent.indent : '');
  }

  /** Two lists of a kind in a row would read as one; the second takes the other marker. */
  private followsItsLike(element: Element): boolean {
    const { lastList } = this;
    if (lastList === undefined || lastList.endedAt !== this.blocks.blocks) return false;
    return lastList.list.isOrdered === (element.name === 'ol') && !lastList.list.isAlternate;
  }
}
