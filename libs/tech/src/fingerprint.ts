/**
 * A pattern as it is written in fingerprint files: a regular expression (never case-sensitive),
 * then tags behind `\;`: `version:\1` (what a group says of the version; `version:\1?a:b` chooses
 * by whether the group matched) and `confidence:50` (percent, 100 without). The empty pattern
 * matches whatever is there. The same form as Wappalyzer's files.
 */
export type PatternText = string;
export type PatternTexts = PatternText | readonly PatternText[];

/** What an element found by a selector has to show; all that is given. */
export interface ElementTest {
  readonly exists?: PatternText;
  readonly text?: PatternText;
  /** By attribute name. */
  readonly attributes?: Readonly<Record<string, PatternText>>;
}

/** How a technology shows itself. Any one mark is enough, as far as its confidence goes. */
export interface Fingerprint {
  readonly name: string;
  readonly category: string;
  readonly website?: string;
  /** Response headers by name. */
  readonly headers?: Readonly<Record<string, PatternTexts>>;
  /** Cookies by name; a name may end in `*`. */
  readonly cookies?: Readonly<Record<string, PatternTexts>>;
  /** `<meta>` elements by `name` or `property`. */
  readonly meta?: Readonly<Record<string, PatternTexts>>;
  /** Addresses of scripts, as the page writes them. */
  readonly scriptSrc?: PatternTexts;
  /** Text of inline scripts. */
  readonly scripts?: PatternTexts;
  /** Source of the page, as far as it is sampled. */
  readonly html?: PatternTexts;
  /** Text of style elements. */
  readonly css?: PatternTexts;
  /** Address of the page. */
  readonly url?: PatternTexts;
  /** Addresses a rendered page requested (deep scan). */
  readonly network?: PatternTexts;
  /** Elements by CSS selector; a list asks only for their existence. */
  readonly dom?: readonly string[] | Readonly<Record<string, ElementTest>>;
  /** Globals of the rendered page by path (deep scan). */
  readonly js?: Readonly<Record<string, PatternTexts>>;
  /**
   * Names of technologies that come with it, each with a `\;confidence:` of its own where it is not
   * sure.
   */
  readonly implies?: readonly string[];
  /** Counts only beside one of these. */
  readonly requires?: readonly string[];
  /** Counts only beside one of these categories. */
  readonly requiresCategory?: readonly string[];
  /** Cannot be there together with it. */
  readonly excludes?: readonly string[];
}
