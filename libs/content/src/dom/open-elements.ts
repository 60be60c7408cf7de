import { Document, Element, Text, type ChildNode } from 'domhandler';
import { MAX_DEPTH } from '../limits.js';
import { type TagTraits } from './tag-traits.js';

type Parent = Document | Element;

/**
 * The stack of open elements with what keeps every question about it cheap: how many of each name
 * are open (an end tag without a start costs one look-up, however deep the page is), and how many
 * elements beyond {@link MAX_DEPTH} are pretended to be open.
 */
export class OpenElements {
  readonly elements: Element[] = [];
  private readonly traits: TagTraits[] = [];
  private readonly counts = new Map<string, number>();
  private overflow = 0;

  constructor(readonly document: Document) {}

  get top(): Parent {
    return this.elements[this.elements.length - 1] ?? this.document;
  }

  get length(): number {
    return this.elements.length;
  }

  traitsAt(index: number): TagTraits | undefined {
    return this.traits[index];
  }

  has(name: string): boolean {
    return (this.counts.get(name) ?? 0) > 0;
  }

  get isFull(): boolean {
    return this.elements.length >= MAX_DEPTH;
  }

  push(element: Element, traits: TagTraits): void {
    this.elements.push(element);
    this.traits.push(traits);
    this.counts.set(element.name, (this.counts.get(element.name) ?? 0) + 1);
  }

  /** An element beyond the depth limit: only its end tag is waited for. */
  pretend(): void {
    this.overflow++;
  }

  pop(): Element | undefined {
    this.traits.pop();
    const element = this.elements.pop();
    if (element !== undefined) {
      this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
    }
    return element;
  }

  /** Takes one element out of the middle: it ends, those above it go on. */
  removeAt(index: number): void {
    const [element] = this.elements.splice(index, 1);
    this.traits.splice(index, 1);
    if (element !== undefined) {
      this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
    }
  }

  /** True when an end tag belongs to an element that was never pushed. */
  closeOverflow(): boolean {
    if (this.overflow === 0) return false;
    this.overflow--;
    return true;
  }

  /** Index of the nearest open element of a name, unless `stop` says so first; -1 if none. */
  find(name: string, stop: (traits: TagTraits, name: string) => boolean): number {
    if (!this.has(name)) return -1;
    for (let index = this.elements.length - 1; index >= 0; index--) {
      const element = this.elements[index];
      const traits = this.traits[index];
      if (element === undefined || traits === undefined) break;
      if (element.name === name) return index;
      if (stop(traits, element.name)) return -1;
    }
    return -1;
  }
}

/** Appends and keeps the sibling links that selectors rely on. */
export function appendChild(parent: Parent, child: ChildNode): void {
  const { children } = parent;
  const last = children[children.length - 1];
  child.parent = parent;
  if (last === undefined) {
    // Room for one: that of an array which grows is for seventeen, and most elements hold one node.
    parent.children = [child];
    return;
  }
  last.next = child;
  child.prev = last;
  children.push(child);
}

/**
 * Ends the formatting element at `index` while the block at `blockIndex` stays open: the heart of
 * the standard's adoption agency. What the block holds so far keeps the formatting, by a copy
 * inside the block; the block itself moves out of it.
 */
export function adopt(open: OpenElements, index: number, blockIndex: number): void {
  const formatting = open.elements[index];
  const block = open.elements[blockIndex];
  if (formatting === undefined || block === undefined) return;
  const copy = new Element(formatting.name, formatting.attribs);
  for (const child of block.children.splice(0)) {
    detachSiblings(child);
    appendChild(copy, child);
  }
  detach(block);
  let host = open.elements[index - 1] ?? open.document;
  const cloned = cloneBetween(open, index, blockIndex);
  for (const clone of cloned) {
    appendChild(host, clone);
    host = clone;
  }
  appendChild(host, block);
  if (copy.children.length > 0) appendChild(block, copy);
}

/** Formatting that the standard carries on between the two: the three nearest to the block. */
const MAX_CARRIED = 3;

/**
 * Takes the elements from `index` up to the block off the stack, but for copies of formatting among
 * them that goes on around the block; answers those copies, outermost first.
 */
function cloneBetween(open: OpenElements, index: number, blockIndex: number): Element[] {
  const clones: Element[] = [];
  for (let between = blockIndex - 1; between > index; between--) {
    const element = open.elements[between];
    if (element === undefined) continue;
    if (open.traitsAt(between)?.isFormatting && clones.length < MAX_CARRIED) {
      const clone = new Element(element.name, element.attribs);
      open.elements[between] = clone;
      clones.unshift(clone);
    } else {
      open.removeAt(between);
    }
  }
  open.removeAt(index);
  return clones;
}

function detach(node: ChildNode): void {
  const siblings = node.parent?.children;
  // The element on the stack is always its parent's last child, so this is a pop.
  if (siblings !== undefined && siblings[siblings.length - 1] === node) siblings.pop();
  detachSiblings(node);
}

function detachSiblings(node: ChildNode): void {
  if (node.prev !== null) node.prev.next = null;
  node.prev = null;
  node.next = null;
}

/** The text node new text joins, if the last child is one. */
export function lastText(parent: Parent): Text | undefined {
  const last = parent.children[parent.children.length - 1];
  return last instanceof Text ? last : undefined;
}
