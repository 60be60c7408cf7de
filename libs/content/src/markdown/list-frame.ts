import { type Element } from 'domhandler';

/** CommonMark reads at most nine digits as a list number. */
const MAX_NUMBER = 999_999_999;

/** One list being written: its markers and how far apart its items stand. */
export class ListFrame {
  private next: number;
  /** Something was written for an item of this list. */
  hasItems = false;
  /** The last item was one block: the next may follow without a blank line. */
  isTight = true;

  constructor(
    readonly isOrdered: boolean,
    start: number,
    /** The other marker, so that two lists in a row stay two lists. */
    readonly isAlternate: boolean,
  ) {
    this.next = start;
  }

  static of(list: Element, isAlternate: boolean): ListFrame {
    const isOrdered = list.name === 'ol';
    return new ListFrame(isOrdered, startOf(list), isAlternate);
  }

  /** Marker of the next item, with the space after it. */
  marker(value: string | undefined): string {
    if (!this.isOrdered) return this.isAlternate ? '* ' : '- ';
    const number = parseNumber(value) ?? this.next;
    this.next = Math.min(number + 1, MAX_NUMBER);
    return `${number}${this.isAlternate ? ')' : '.'} `;
  }

  /** Indentation of what belongs to an item. */
  get indent(): string {
    return this.isOrdered ? '   ' : '  ';
  }
}

/** Number of an ordered list's first item. */
export function startOf(list: Element): number {
  return list.name === 'ol' ? (parseNumber(list.attribs.start) ?? 1) : 1;
}

function parseNumber(value: string | undefined): number | undefined {
  if (value === undefined || !/^\s*[+-]?\d+\s*$/.test(value)) return undefined;
  return Math.min(Math.max(Number(value), 0), MAX_NUMBER);
}
