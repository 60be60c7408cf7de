/**
 * Bounds of one page's conversion. Each cut is named in `PageContent.truncatedBy`, so a caller
 * never mistakes a part for the whole.
 */

/** DOM nodes kept; what follows is not read. About 200 bytes of memory each. */
export const MAX_NODES = 1_000_000;

/**
 * Open elements. Deeper elements become siblings at this depth, as in Blink, so their text stays.
 * Also bounds every walk up the stack of open elements.
 */
export const MAX_DEPTH = 512;

/** Attributes kept per element. */
export const MAX_ATTRIBUTES = 1_000;

/** UTF-16 units of Markdown; the writer stops at the first block beyond. */
export const MAX_MARKDOWN_CHARS = 16_000_000;

/** Distinct links listed. */
export const MAX_LINKS = 50_000;

/** UTF-16 units over all listed links: short relative links under a long base multiply. */
export const MAX_LINKS_CHARS = 16_000_000;

/** A longer address is not a link anybody can follow; servers refuse far shorter ones. */
export const MAX_URL_CHARS = 8_192;

/** Quotes and list items indent their lines only to this level: prefixes repeat on every line. */
export const MAX_CONTAINER_DEPTH = 32;

/** Columns of a Markdown table; the text of further cells joins the last one. */
export const MAX_TABLE_COLUMNS = 1_000;

/** colspan as in the HTML standard; rowspan far below its 65,534. */
export const MAX_COLSPAN = 1_000;
export const MAX_ROWSPAN = 1_000;

/** Cells a table may gain by spans and padding beyond the ones in the source. */
export const MAX_FILLED_CELLS = 100_000;

/** UTF-16 units of one metadata value. */
export const MAX_METADATA_CHARS = 5_000;

/** Open Graph properties kept. */
export const MAX_OPEN_GRAPH = 50;

/** Selectors of one list (`includeTags`, `excludeTags`), and UTF-16 units of each. */
export const MAX_SELECTORS = 50;
export const MAX_SELECTOR_CHARS = 200;

/**
 * Looks at nodes that all selectors of a request may take on one page. What matched until then
 * counts. Plain selectors need one or two per element; the bound stops the quadratic ones.
 */
export const MAX_SELECTOR_STEPS = 100_000_000;

/** What was cut. */
export type TruncationReason =
  | 'body'
  | 'max_nodes'
  | 'max_depth'
  | 'max_attributes'
  | 'max_markdown_chars'
  | 'max_links'
  | 'max_selector_steps';
