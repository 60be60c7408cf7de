import { type ChildNode, Element, isText } from 'domhandler';

/** CommonMark reads at most nine digits as a list number. */
const MAX_NUMBER = 999_999_999;

/** Longer runs of items without content are a widget rather than a list. */
const MAX_SKIPPED = 20;

/** One list being written: its markers and the distance of its items. */
export class ListFrame {
  private next: number;
  private readonly step: 1 | -1;
  readonly isOrdered: boolean;
  /** Paragraphs in the items: a blank line between them, as their margins show. */
  readonly isLoose: boolean;
  /** Something was written for an item of this list. */
  hasItems = false;
  /** Markers of the items without content since the last one that had some. */
  skipped: string[] = [];
  /** Blank lines separate the last item's blocks, so one precedes the next item. */
  endsSpaced = false;
  /** Blocks written when the last item, or a list that belongs to it, ended. */
  endedAt = 0;

  /** @param isAlternate the other marker, so that two lists in a row stay two lists */
  constructor(
    list: Element,
    readonly isAlternate: boolean,
  ) {
    this.isOrdered = list.name === 'ol';
    this.isLoose = hasParagraphs(list);
    this.next = startOf(list);
    this.step = this.isOrdered && list.attribs.reversed !== undefined ? -1 : 1;
  }

  /** Marker of the next item, with the space after it. */
  marker(value: string | undefined): string {
    if (!this.isOrdered) return this.isAlternate ? '* ' : '- ';
    const number = parseNumber(value) ?? this.next;
    this.next = clamp(number + this.step);
    return `${number}${this.isAlternate ? ')' : '.'} `;
  }

  /** An item had no content. Bullets may be missed; numbers count, a few of them. */
  skip(marker: string): void {
    if (this.isOrdered && this.skipped.length < MAX_SKIPPED) this.skipped.push(marker);
  }

  /** Indentation of what belongs to an item. */
  get indent(): string {
    return this.isOrdered ? '   ' : '  ';
  }
}

/** Number of an ordered list's first item; a reversed one counts down to 1. */
export function startOf(list: Element): number {
  if (list.name !== 'ol') return 1;
  const own = parseNumber(list.attribs.start);
  if (own !== undefined || list.attribs.reversed === undefined) return own ?? 1;
  return Math.max(1, list.children.filter((child) => isItem(child)).length);
}

/** Documentation tools mark lists whose paragraphs are there for no more than their markup. */
const SIMPLE = /(?:^|\s)(?:simple|compact)(?:\s|$)/;

function hasParagraphs({ attribs, children }: Element): boolean {
  if (attribs.class !== undefined && SIMPLE.test(attribs.class)) return false;
  return children.some((child) => isItem(child) && isSpaced(child));
}

/** Kinds of content of an item, by what Markdown puts between them. */
type ItemPart = 'text' | 'container' | 'apart' | 'code' | 'table' | 'closed';

function partOf(node: ChildNode): ItemPart | 'spaced' | undefined {
  if (isText(node)) return node.data.trim() === '' ? undefined : 'text';
  if (!(node instanceof Element)) return undefined;
  if (/^(?:p|dl|details)$/.test(node.name)) return 'spaced';
  if (/^(?:ul|ol|blockquote)$/.test(node.name)) return needsRoom(node) ? 'apart' : 'container';
  if (node.name === 'pre') return 'code';
  if (/^(?:hr|h[1-6])$/.test(node.name)) return 'closed';
  return node.name === 'table' ? 'table' : 'text';
}

/** Levels of first children that are examined. */
const MAX_LEAD_LEVELS = 8;

/**
 * Whether a list or quote needs a blank line after the text above it: a number other than 1 would
 * be read as text there (CommonMark 5.3), and code inside loses its line breaks in some readers.
 */
export function needsRoom(block: Element): boolean {
  let node: Element | undefined = block;
  for (let level = 0; level < MAX_LEAD_LEVELS && node !== undefined; level++) {
    if (node.name === 'pre' || startOf(node) !== 1) return true;
    if (!/^(?:[uo]l|li|blockquote|div)$/.test(node.name)) return false;
    if (node.name === 'blockquote' && node.children.some((child) => isPre(child))) return true;
    const lead: ChildNode | undefined = node.children.find(
      (child) => !isText(child) || child.data.trim() !== '',
    );
    node = lead instanceof Element ? lead : undefined;
  }
  return false;
}

/** Whether an item holds a paragraph, or blocks that Markdown sets apart by a blank line. */
function isSpaced(item: Element): boolean {
  let before: ItemPart | undefined;
  for (const child of item.children) {
    const part = partOf(child);
    if (part === undefined) continue;
    if (part === 'spaced' || before === 'table') return true;
    if (before !== undefined && (part === 'apart' || part === 'code')) return true;
    if (part === 'table' && before !== undefined && before !== 'closed') return true;
    if (before === 'container' && part !== 'closed') return true;
    before = part === 'apart' ? 'container' : part;
  }
  return false;
}

const isPre = (node: ChildNode): boolean => node instanceof Element && node.name === 'pre';

const isItem = (node: unknown): node is Element => node instanceof Element && node.name === 'li';

const clamp = (number: number): number => Math.min(Math.max(number, 0), MAX_NUMBER);

function parseNumber(value: string | undefined): number | undefined {
  if (value === undefined || !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  return clamp(Number(value));
}
