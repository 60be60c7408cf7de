import { Element } from 'domhandler';

/** Formatting elements waiting to be reopened; the standard keeps three of each, this eight in all. */
const MAX_WAITING = 8;

/**
 * Formatting (`<b>`, `<a>` …) whose block ended before its end tag came: browsers carry it on into
 * the next block, and so does the text that a reader sees as a link or as bold.
 */
export class WaitingFormatting {
  private waiting: Element[] = [];

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  add(element: Element): void {
    if (this.waiting.length < MAX_WAITING) this.waiting.push(element);
  }

  /** Its end tag came: forget the newest of that name. */
  drop(name: string): boolean {
    const index = this.waiting.findLastIndex((element) => element.name === name);
    if (index === -1) return false;
    this.waiting.splice(index, 1);
    return true;
  }

  clear(): void {
    if (this.waiting.length > 0) this.waiting = [];
  }

  /** Copies to open now, outermost first; nothing waits any more. */
  take(): Element[] {
    const copies = this.waiting.map((element) => new Element(element.name, element.attribs));
    this.waiting = [];
    return copies;
  }
}
