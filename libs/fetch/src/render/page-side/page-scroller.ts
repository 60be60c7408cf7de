import type { PageDom, DomElement } from './page-dom.js';

export type Scroll =
  /** Not moved. */
  | { readonly to: 'here' }
  | { readonly to: 'next' }
  | { readonly to: 'position'; readonly px: number }
  | { readonly to: 'by'; readonly px: number; readonly selector: string | null };

export interface ScrollState {
  /** False: nothing matched the selector. */
  readonly isFound: boolean;
  readonly isAtEnd: boolean;
  readonly height: number;
  /** Pixels above what is shown. */
  readonly position: number;
}

interface Scrollable extends DomElement {
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}
declare const innerWidth: number;
declare const innerHeight: number;
declare const requestAnimationFrame: (next: () => void) => void;
declare const getComputedStyle: (element: DomElement) => { readonly overflowY: string };

/** Scrolls the page, or the box in it that scrolls in the page's place. */
export class PageScroller {
  constructor(
    private readonly scroll: Scroll,
    private readonly dom: PageDom,
  ) {}

  async run(): Promise<ScrollState> {
    const box = this.scroller();
    if (box === null) return { isFound: false, isAtEnd: true, height: 0, position: 0 };
    const { scroll } = this;
    if (scroll.to === 'position') box.scrollTop = scroll.px;
    else if (scroll.to === 'by') box.scrollTop += scroll.px;
    else if (scroll.to === 'next') box.scrollTop += Math.max(1, 0.9 * this.windowHeight(box));
    if (scroll.to === 'next') await this.noticed();
    const position = box.scrollTop;
    const isAtEnd = position + this.windowHeight(box) >= box.scrollHeight - 2;
    return { isFound: true, isAtEnd, height: box.scrollHeight, position };
  }

  /** Intersection observers run with the next frame; a page in the background may have none, so the wait is bounded. */
  private noticed(): Promise<void> {
    return new Promise((resolve) => {
      setTimeout(resolve, 500);
      requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
    });
  }

  private scroller(): Scrollable | null {
    const { document } = this.dom;
    if (this.scroll.to === 'by' && this.scroll.selector !== null) {
      const first = this.dom.queryDocument(document, this.scroll.selector)[0];
      return (first as Scrollable | undefined) ?? null;
    }
    const root = this.root();
    if (root !== null && root.scrollHeight > this.windowHeight(root) + 2) return root;
    return this.innerScroller() ?? root;
  }

  private root(): Scrollable | null {
    return this.dom.scrollingElement(this.dom.document) as Scrollable | null;
  }

  private windowHeight(box: Scrollable): number {
    return box === this.root() ? innerHeight : box.clientHeight;
  }

  private innerScroller(): Scrollable | null {
    const { document } = this.dom;
    const hits = this.dom.elementsFromPoint(document, innerWidth / 2, innerHeight / 2) ?? [];
    const found = hits.find(
      (hit) => this.scrolls(hit) && this.dom.scrollHeight(hit) > this.dom.clientHeight(hit) + 2,
    );
    return (found as Scrollable | undefined) ?? null;
  }

  private scrolls(element: DomElement): boolean {
    return /auto|scroll|overlay/.test(getComputedStyle(element).overflowY);
  }
}
