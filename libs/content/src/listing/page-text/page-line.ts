import { type Element } from 'domhandler';

/** Where on a page something is; `other` is about other businesses (reviews, similar ones). */
export type PageRegion = 'head' | 'nav' | 'body' | 'foot' | 'other';

/** A line as a reader sees it. Cells of a table row are divided by tabs. */
export interface PageLine {
  readonly text: string;
  /** The nearest block. */
  readonly element: Element;
  readonly region: PageRegion;
  /** A heading, or a short line all in bold. */
  readonly isHeading: boolean;
  /** In a list. */
  readonly isItem: boolean;
  /** The outermost `<address>` element around it. */
  readonly addressElement: Element | null;
}

export interface PagePicture {
  readonly src: string;
  readonly alt: string;
  readonly element: Element;
  readonly region: PageRegion;
  readonly isInGallery: boolean;
  readonly isHero: boolean;
}

export interface PageLink {
  readonly href: string;
  readonly element: Element;
  readonly region: PageRegion;
}
