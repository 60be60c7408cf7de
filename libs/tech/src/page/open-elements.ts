import type { PageElement } from './page-element.js';

/** Deeper elements are read, but never become a parent. */
const MAX_DEPTH = 512;

const VOID: ReadonlySet<string> = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
/** Elements that end where the next of their kind begins, unless one of these lies between. */
const ENDS_BEFORE_ITSELF: ReadonlySet<string> = new Set('p li dt dd option tr td th'.split(' '));
const KEEPS_OPEN: ReadonlySet<string> = new Set(
  'ul ol dl menu table div section article main nav select button'.split(' '),
);
/** So far up one is looked for. */
const MAX_LOOK_UP = 8;

/**
 * The elements that are open at a point of the page, the root first: what combinators are judged
 * by.
 */
export class ElementStack {
  private readonly stack: PageElement[] = [];
  private readonly counts = new Map<string, number>();
  /** Elements that were opened beyond the greatest depth and are not closed yet. */
  private beyond = 0;

  get ancestors(): readonly PageElement[] {
    return this.stack;
  }

  /** Ends what the element ends by beginning. */
  before(name: string): void {
    if (!ENDS_BEFORE_ITSELF.has(name) || this.beyond > 0) return;
    for (let up = 1; up <= Math.min(MAX_LOOK_UP, this.stack.length); up++) {
      const open = this.stack.at(-up)?.name ?? '';
      if (open === name) return this.close(name);
      if (KEEPS_OPEN.has(open)) return;
    }
  }

  open(element: PageElement): void {
    if (VOID.has(element.name)) return;
    if (this.stack.length >= MAX_DEPTH) {
      this.beyond++;
      return;
    }
    this.stack.push(element);
    this.counts.set(element.name, (this.counts.get(element.name) ?? 0) + 1);
  }

  /** Closes the nearest of that name with all within it; nothing when none is open. */
  close(name: string): void {
    if (this.beyond > 0) {
      this.beyond--;
      return;
    }
    if ((this.counts.get(name) ?? 0) === 0) return;
    for (let last = this.stack.pop(); last !== undefined; last = this.stack.pop()) {
      this.forget(last.name);
      if (last.name === name) return;
    }
  }

  private forget(name: string): void {
    const left = (this.counts.get(name) ?? 1) - 1;
    // Names a page makes up must not stay.
    if (left === 0) this.counts.delete(name);
    else this.counts.set(name, left);
  }
}
