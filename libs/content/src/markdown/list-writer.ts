import { Element } from 'domhandler';
import { type BlockWriter } from './block-writer.js';
import { ListFrame, needsRoom } from './list-frame.js';

/** Lists and items around the current block: markers, indentation and the distance of items. */
export class ListWriter {
  private readonly lists: ListFrame[] = [];
  private readonly items: { readonly list: ListFrame; readonly marker: string }[] = [];
  private lastList: { readonly endedAt: number; readonly list: ListFrame } | undefined;

  constructor(private readonly blocks: BlockWriter) {}

  enterList(element: Element): void {
    const parent = this.lists.at(-1);
    if (parent !== undefined && this.items.at(-1)?.list !== parent) this.enterStrayList(parent);
    else this.blocks.approach(needsRoom(element) ? 'apart' : 'list');
    this.lists.push(new ListFrame(element, this.followsItsLike(element)));
  }

  leaveList(): void {
    this.blocks.loosen();
    const list = this.lists.pop();
    if (list?.hasItems) {
      this.lastList = { endedAt: this.blocks.blocks, list };
      this.blocks.lastKind = 'list';
    }
    const parent = this.lists.at(-1);
    if (parent === undefined || this.items.at(-1)?.list === parent) return;
    this.blocks.leave();
    parent.endedAt = this.blocks.blocks;
  }

  enterItem(element: Element): void {
    // An item without a list is one of an unordered list; it never gets further than itself.
    const list = this.lists.at(-1) ?? new ListFrame(NO_LIST, false);
    const marker = list.marker(element.attribs.value);
    // After a stray block the list starts anew: its item would be text of a paragraph before it.
    const isNext = list.endedAt === this.blocks.blocks;
    const isTight = !list.isLoose && !list.endsSpaced && isNext;
    if (list.hasItems && isTight) this.blocks.tighten();
    this.blocks.enter({
      prefix: ' '.repeat(marker.length),
      marker: this.skippedMarkers(list, isTight) + marker,
      isNextItem: list.hasItems,
      isTight: !list.isLoose,
    });
    this.items.push({ list, marker });
  }

  leaveItem(): void {
    const item = this.items.pop();
    const { isEmpty, hasBlankLine } = this.blocks.leave();
    this.blocks.loosen();
    if (item === undefined) return;
    if (isEmpty) return item.list.skip(item.marker);
    item.list.hasItems = true;
    item.list.endsSpaced = hasBlankLine;
    item.list.endedAt = this.blocks.blocks;
    item.list.skipped = [];
  }

  /** Items without content before one that has some: without them it would take another number. */
  private skippedMarkers({ skipped, hasItems }: ListFrame, isTight: boolean): string {
    if (skipped.length === 0 || !hasItems) return '';
    const end = (isTight ? '\n' : `\n${this.blocks.prefix.trimEnd()}\n`) + this.blocks.prefix;
    return skipped.map((marker) => marker.trimEnd() + end).join('');
  }

  /** A box to tick at the start of an item makes a task of it (GFM 5.3); elsewhere it is a control. */
  tick(isChecked: boolean): void {
    if (this.items.length > 0 && this.blocks.isAtMarker) {
      this.blocks.extendMarker(isChecked ? '[x] ' : '[ ] ');
    }
  }

  /** `<ul><ul>`: authors mean a sublist of the item before. */
  private enterStrayList(parent: ListFrame): void {
    if (parent.hasItems) this.blocks.tighten();
    this.blocks.enter({ prefix: parent.hasItems ? parent.indent : '' });
  }

  /** Two lists of a kind in a row would read as one; the second takes the other marker. */
  private followsItsLike(element: Element): boolean {
    const { lastList } = this;
    if (lastList === undefined || lastList.endedAt !== this.blocks.blocks) return false;
    return lastList.list.isOrdered === (element.name === 'ol') && !lastList.list.isAlternate;
  }
}

const NO_LIST = new Element('ul', {});
