/** How a part of the content is announced that is not there; `bare`: there is little more than a heading. */
type HoleKind =
  | 'loading'
  | 'busy'
  | 'skeleton'
  | 'rows'
  | 'frame'
  | 'bound'
  | 'element'
  | 'named'
  | 'empty'
  | 'bare';

export interface PageHole {
  readonly kind: HoleKind;
  /** Its id with `#`, or the name of the element. */
  readonly name: string;
}

/**
 * Facts that assessing a page needs, read from its one parse. Counts are of the source as received;
 * texts are cut, so the object is small enough to cross a thread.
 */
export interface PageFacts {
  readonly title: string;
  /** Characters of text a reader would see, white space apart. */
  readonly visibleChars: number;
  /** Characters of visible text inside links; menus are mostly these. */
  readonly linkChars: number;
  /** First 4,000 characters of visible text, white space collapsed. */
  readonly text: string;
  /** First 1,000 characters of all `noscript` text. */
  readonly noscriptText: string;
  readonly scripts: number;
  /** `src` of the first 50 scripts, as written. */
  readonly scriptSrcs: readonly string[];
  /** Characters of inline script. */
  readonly inlineScriptChars: number;
  /** First 2,000 characters of each of the first 10 inline scripts. */
  readonly inlineScripts: readonly string[];
  /** `id` or `data-*` marks of elements where applications mount, that hold no visible text. */
  readonly emptyMounts: readonly string[];
  /** Characters of text a reader would see in the content: without menus, footers, asides and comments. */
  readonly contentChars: number;
  /** Parts of the content that scripts or frames are to fill, the first 20; none where the page has much text. */
  readonly holes: readonly PageHole[];
  /** `src` of the first 20 frames, as written. */
  readonly frameSrcs: readonly string[];
  /** `action` of the first 10 forms, as written. */
  readonly formActions: readonly string[];
  /** Fields for a password that exists, as far as they are seen; those for a new one are not among them. */
  readonly passwordFields: number;
  /** ids and classes of up to 200 elements, for signatures. */
  readonly marks: readonly string[];
  readonly images: number;
  /** Target of `<meta http-equiv=refresh>`, when it names another address or the page itself. */
  readonly metaRefresh: string | null;
}
