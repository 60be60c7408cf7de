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

/** Attributes kept per page: about 100 bytes of memory each. */
export const MAX_PAGE_ATTRIBUTES = 3_000_000;

/** UTF-16 units of Markdown, prefixes of lines among them; the first block beyond ends there. */
export const MAX_MARKDOWN_CHARS = 16_000_000;

/** UTF-16 units of cleaned HTML; the first tag or step of a text beyond ends there. */
export const MAX_HTML_CHARS = 16_000_000;

/** UTF-16 units of one inlined image (data URI) that Markdown keeps, and of all of a page: 750 KB and 3 MB of pictures. */
export const MAX_INLINED_IMAGE_CHARS = 1_000_000;
export const MAX_INLINED_IMAGES_CHARS = 4_000_000;

/** Distinct links listed. */
export const MAX_LINKS = 50_000;

/** UTF-16 units over all listed links: short relative links under a long base multiply. */
export const MAX_LINKS_CHARS = 16_000_000;

/** A longer address cannot be followed; servers refuse far shorter ones. */
export const MAX_LINK_URL_CHARS = 8_192;

/** Quotes and list items indent their lines only to this level: prefixes repeat on every line. */
export const MAX_CONTAINER_DEPTH = 32;

/** Columns of a Markdown table; the text of further cells joins the last one. */
export const MAX_TABLE_COLUMNS = 1_000;

/** colspan as in the HTML standard; rowspan far below its 65,534. */
export const MAX_COLSPAN = 1_000;
export const MAX_ROWSPAN = 1_000;

/** Cells the tables of a page may gain by spans and padding beyond the ones in the source. */
export const MAX_FILLED_CELLS = 100_000;

/** UTF-16 units that cells of spans may repeat in all tables of a page. */
export const MAX_FILLED_CHARS = 1_000_000;

/** UTF-16 units of one metadata value. */
export const MAX_METADATA_CHARS = 5_000;

/** Open Graph properties kept. */
export const MAX_OPEN_GRAPH = 50;

/** Selectors of one list (`includeTags`, `excludeTags`), and UTF-16 units of each. */
export const MAX_SELECTORS = 50;
export const MAX_SELECTOR_CHARS = 200;

/**
 * Node visits that all selectors of a request may use on one page. What matched until then
 * counts. Plain selectors need one or two per element; the bound stops the quadratic ones.
 */
export const MAX_SELECTOR_STEPS = 100_000_000;

/**
 * A schema of a request: bytes of its JSON, nesting, and sub-schemas once references are written
 * out.
 */
export const MAX_SCHEMA_BYTES = 32_768;
export const MAX_SCHEMA_DEPTH = 24;
export const MAX_SCHEMA_NODES = 500;
/** Bytes that the references of a schema add when they are written out. */
export const MAX_WRITTEN_OUT_BYTES = 4 * MAX_SCHEMA_BYTES;

/** UTF-16 units of a page that a model is shown; about 150,000 tokens. */
export const MAX_MODEL_CHARS = 600_000;

/** A model's answer: UTF-16 units, nesting, and values of all kinds in it. */
export const MAX_ANSWER_CHARS = 1_000_000;
export const MAX_ANSWER_DEPTH = 64;
export const MAX_ANSWER_VALUES = 50_000;

/** Quotes given along with an answer, and UTF-16 units of one. */
export const MAX_QUOTES = 2_000;
export const MAX_QUOTE_CHARS = 240;

/** Pages and UTF-16 units of text read of one document file. */
export const MAX_FILE_PAGES = 1_000;
export const MAX_FILE_CHARS = 16_000_000;

/** Pieces of text and links of one page of a PDF; a dense newspaper page has 10,000 pieces. */
export const MAX_PDF_PAGE_ITEMS = 50_000;
export const MAX_PDF_PAGE_LINKS = 2_000;

/** Unreadable pages in a row after which a PDF has no more. */
export const MAX_PDF_BAD_PAGES = 50;

/**
 * Bytes that one stream of a PDF may unpack to, pictures apart, and all well-packed ones together:
 * buffers are outside of a thread's heap limit, so nothing else would stop them. Streams of real
 * pages stay below 20 MB and unpack to ten times their size; one of a few megabytes that unpacks
 * to more than the ratio is made to harm.
 */
export const MAX_PDF_STREAM_BYTES = 64_000_000;
export const MAX_PDF_PACKED_BYTES = 256_000_000;
export const MAX_PDF_STREAM_RATIO = 200;

/** Rows of one table of a PDF; a longer one goes on as another. */
export const MAX_PDF_TABLE_ROWS = 1_000;

/** Longer edge of a drawn page: 4,096 px of both are 64 MB of memory. */
export const MAX_PICTURE_EDGE_PX = 4_096;

/** An archive, as a DOCX is one: its entries, bytes of its parts when inflated, and nesting of their XML. */
export const MAX_ZIP_ENTRIES = 10_000;
export const MAX_ZIP_PART_BYTES = 64_000_000;
export const MAX_ZIP_BYTES = 100_000_000;
export const MAX_XML_DEPTH = 400;

/** How far a part may inflate; text of one repeated paragraph reaches 200. */
export const MAX_ZIP_RATIO = 400;

/** Tables of one file (sheets, CSV): cells in all of them, merged cells, and comments of one sheet. */
export const MAX_SHEET_CELLS = 1_000_000;
export const MAX_SHEETS = 1_000;
export const MAX_MERGED_CELLS = 10_000;
export const MAX_SHEET_COMMENTS = 5_000;
/** Parts of a mail and how deep they nest; fields of its header, and UTF-16 units of one. */
export const MAX_MAIL_PARTS = 1_000;
export const MAX_MAIL_DEPTH = 20;
export const MAX_MAIL_FIELDS = 1_000;
export const MAX_MAIL_FIELD_CHARS = 10_000;
/** Open groups of an RTF, and cells of one of its rows. */
export const MAX_RTF_DEPTH = 1_000;
/** Chapters of a book. */
export const MAX_EPUB_CHAPTERS = 5_000;
/** Slides of a presentation. */
export const MAX_SLIDES = 5_000;
/** Chunks of a document: tokens of one by default and at most, and shared with the one before. */
export const DEFAULT_CHUNK_TOKENS = 512;
export const DEFAULT_CHUNK_OVERLAP_TOKENS = 64;
export const MIN_CHUNK_TOKENS = 32;
export const MAX_CHUNK_TOKENS = 8_192;

/** Properties kept whose names start with `twitter:`. */
export const MAX_TWITTER = 50;

/** Meta and link elements examined for metadata, and feeds, languages and JSON-LD types listed. */
export const MAX_META_ELEMENTS = 2_000;
export const MAX_FEEDS = 20;
export const MAX_ALTERNATES = 200;
export const MAX_JSON_LD_TYPES = 50;

/** JSON-LD of one page: blocks, UTF-16 units over all of them, and items read from them. */
export const MAX_JSON_LD_BLOCKS = 200;
export const MAX_JSON_LD_CHARS = 2_000_000;
export const MAX_JSON_LD_ITEMS = 500;

/**
 * How a page presents itself, as the specification bounds it (`brand_meta`): UTF-16 units of CSS,
 * `var()` substitutions, how deep they may nest, length of a value and of a custom property, and
 * buttons examined.
 */
export const MAX_CSS_CHARS = 3_000_000;
export const MAX_VAR_SUBSTITUTIONS = 5_000;
export const MAX_VAR_DEPTH = 7;
export const MAX_CSS_VALUE_CHARS = 2_048;
export const MAX_CUSTOM_PROPERTY_CHARS = 500;
export const MAX_BUTTONS = 500;
/** Beyond the specification: style rules kept, and steps of matching them with elements. */
export const MAX_CSS_RULES = 50_000;
export const MAX_CSS_MATCH_STEPS = 2_000_000;

/** JSON-LD that is read whole: objects and arrays visited, and how deep they may lie. */
export const MAX_JSON_LD_NODES = 50_000;
export const MAX_JSON_LD_DEPTH = 64;

/** Items of microdata and RDFa, and their properties, that a listing is read from. */
export const MAX_MARKED_ITEMS = 1_000;
export const MAX_MARKED_PROPERTIES = 10_000;

/**
 * Lines of visible text searched for a listing (the first and the last half of them), and their
 * length.
 */
export const MAX_LISTING_LINES = 20_000;
export const MAX_LISTING_LINE_CHARS = 2_000;

/**
 * Text of a page for full text search, UTF-16 units: a tsvector of PostgreSQL distinguishes 16,383 positions, which
 * is about as much text, and holds 1 MB.
 */
export const MAX_FULL_TEXT_CHARS = 100_000;
/** Different words of it: each is an entry of an index. A manual's longest chapter has 5,000. */
export const MAX_FULL_TEXT_WORDS = 10_000;
/** A longer run of visible ASCII is encoded data. */
export const MAX_FULL_TEXT_WORD_CHARS = 500;

/** What was cut. */
export type TruncationReason =
  | 'body'
  | 'max_nodes'
  | 'max_depth'
  | 'max_attributes'
  | 'max_markdown_chars'
  | 'max_html_chars'
  | 'max_links'
  | 'max_selector_steps'
  /** Of what a listing is read from. */
  | 'max_listing'
  /** The CPU time of the page was used up: what follows was not read, or outputs are missing. */
  | 'max_cpu';
