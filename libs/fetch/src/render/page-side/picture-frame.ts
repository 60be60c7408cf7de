import type { PageDom, DomElement } from './page-dom.js';

export interface PictureTerms {
  /** The element to take alone; null: the page. */
  readonly selector: string | null;
  /** Longest wait for pictures and fonts. */
  readonly maxMs: number;
}

/** CSS pixels from the top left of the page. */
export interface PictureFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Image pixels per CSS pixel. */
  readonly scale: number;
}

interface Picture extends DomElement {
  loading: string;
  readonly complete: boolean;
  addEventListener(name: string, listener: () => void): void;
}
declare const scrollX: number;
declare const scrollY: number;
declare const innerWidth: number;
declare const innerHeight: number;
declare const devicePixelRatio: number;

/** Waits until pictures and fonts are there, and measures what is to be taken. */
export class PictureFramer {
  constructor(
    private readonly terms: PictureTerms,
    private readonly dom: PageDom,
  ) {}

  async run(): Promise<PictureFrame | 'no_match' | 'bad_selector'> {
    const late = new Promise((resolve) => setTimeout(resolve, this.terms.maxMs));
    await Promise.race([late, Promise.all([...this.pictures(), this.fonts()])]);
    const { selector } = this.terms;
    if (selector === null) return this.whole();
    const element = this.first(selector);
    if (typeof element === 'string') return element;
    const { left, top, width, height } = this.dom.box(element);
    return { x: left + scrollX, y: top + scrollY, width, height, scale: devicePixelRatio };
  }

  private first(selector: string): DomElement | 'no_match' | 'bad_selector' {
    try {
      return this.dom.queryDocument(this.dom.document, selector)[0] ?? 'no_match';
    } catch {
      return 'bad_selector';
    }
  }

  private whole(): PictureFrame {
    const root = this.dom.root(this.dom.document);
    const body = this.dom.body(this.dom.document);
    const height = Math.max(
      innerHeight,
      root ? this.dom.scrollHeight(root) : 0,
      body ? this.dom.scrollHeight(body) : 0,
    );
    return { x: 0, y: 0, width: innerWidth, height, scale: devicePixelRatio };
  }

  /** Also those that would load only when scrolled to: the picture shows them. */
  private pictures(): Promise<void>[] {
    const images = Array.from(this.dom.queryDocument(this.dom.document, 'img')) as Picture[];
    return images.slice(0, 1_000).map((image) => {
      image.loading = 'eager';
      if (image.complete) return Promise.resolve();
      return new Promise((resolve) => {
        image.addEventListener('load', () => resolve());
        image.addEventListener('error', () => resolve());
      });
    });
  }

  private fonts(): Promise<unknown> {
    const { fonts } = this.dom.document as unknown as {
      readonly fonts?: { readonly ready?: Promise<unknown> };
    };
    return fonts?.ready ?? Promise.resolve();
  }
}
