import { type Element, isTag } from 'domhandler';
import { isHidden } from '../dom/visibility.js';
import { type BlockWriter } from './block-writer.js';
import { type InlineWriter } from './inline-writer.js';
import { type ListWriter } from './list-writer.js';
import { type BlockFlow } from './table-elements.js';

type ListPart = 'list' | 'item' | 'term' | 'summary' | 'definition';

/** Lists and definition lists. In a table cell an item is a line with a dash. */
export class ListElements {
  constructor(
    private readonly lists: ListWriter,
    private readonly blocks: BlockWriter,
    private readonly inline: InlineWriter,
    private readonly flow: BlockFlow,
  ) {}

  enter(role: ListPart, element: Element): true {
    const isInCell = this.flow.breakInCell();
    if (!isInCell) this.flow.startBlock();
    if (role === 'term' || role === 'summary') this.inline.openEmphasis('**');
    else if (!isInCell) this.open(role, element);
    else if (role === 'item') this.inline.marker('-');
    return true;
  }

  leave(role: ListPart): void {
    if (role === 'term' || role === 'summary') this.inline.closeEmphasis();
    if (this.flow.breakInCell()) return;
    this.flow.startBlock();
    if (role === 'list') this.lists.leaveList();
    if (role === 'item') this.lists.leaveItem();
    if (role === 'definition') this.blocks.leave();
  }

  private open(role: 'list' | 'item' | 'definition', element: Element): void {
    if (role === 'list') this.lists.enterList(element);
    if (role === 'item') this.lists.enterItem(element);
    if (role === 'definition') this.blocks.enter({ prefix: '', isDefinition: true });
  }
}

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'nav', 'menu']);
/** Nodes after a box among which the list that it opens is looked for. */
const MAX_AFTER = 6;

/** The box of a task; not the hidden switch of a menu, nor a field of a form. */
export function isTaskBox(input: Element): boolean {
  const { type, name, id, disabled } = input.attribs;
  if (type !== 'checkbox' || name !== undefined || isHidden(input)) return false;
  return disabled !== undefined || id === undefined || !opensList(input);
}

function opensList(input: Element): boolean {
  let node = input.next;
  for (let seen = 0; node !== null && seen < MAX_AFTER; seen++, node = node.next) {
    if (isTag(node) && LISTS.has(node.name)) return true;
  }
  return false;
}
