import type { MarkdownParts } from './passages.js';

/**
 * Document types that are turned into text. The type is detected from the content; where text alone does not say what
 * it is (tables, mails, Markdown), the declared type or the name does.
 */
type FileFormat =
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'epub'
  | 'rtf'
  | 'eml'
  | 'csv'
  | 'tsv'
  | 'md'
  | 'txt';

/** A document file as text. */
export interface ParsedFile extends Pick<MarkdownParts, 'passages' | 'markdownCut'> {
  readonly format: FileFormat;
  readonly markdown: string;
  readonly text: string;
  /** PDF only. */
  readonly pages?: number;
  /** The pages of a PDF that were read, if requested. */
  readonly pageList?: readonly FilePage[];
  readonly title?: string;
  /** Absolute http(s) addresses, unique, in reading order. */
  readonly links?: readonly string[];
  /** The text was read off the pages' pictures by a vision model. */
  readonly isScanned?: boolean;
  /** The limit that cut it: pages, characters or time. */
  readonly truncatedBy?: string;
}

/** One page of a PDF by itself. */
interface FilePage {
  /** From 1. */
  readonly page: number;
  readonly markdown: string;
  /** In points (1/72 inch), as it is shown. */
  readonly width: number;
  readonly height: number;
  /** Its blocks in the order of reading, if requested. */
  readonly sources?: readonly PageSource[];
}

interface PageSource {
  readonly kind: 'heading' | 'paragraph' | 'item' | 'table' | 'code' | 'running';
  readonly text: string;
  /** Left, top, right and bottom, in points from the upper left of the page; absent for text askew. */
  readonly box?: readonly [number, number, number, number];
}

/** Why a file is no text. */
export type FileProblem =
  /** None of the formats of {@link ParsedFile}. */
  | 'unknown_kind'
  /** DOCX cannot be read there: a fetcher of the version before may lack the component. */
  | 'docx_unavailable'
  | 'encrypted'
  | 'malformed'
  /** Pictures of text, and no vision model is configured or it failed. */
  | 'no_text'
  /** Time, memory or size limit before anything was read. */
  | 'too_large'
  /** It took all the CPU time that a document may take before anything was read. */
  | 'max_cpu'
  /** No worker became free in time. */
  | 'busy';

/** A piece of a document for an index of embeddings. */
export interface Chunk {
  /** Derived from document and place: the same document has the same ids. */
  readonly id: string;
  readonly index: number;
  /** Markdown. */
  readonly text: string;
  /** Titles of the enclosing sections, outermost first. */
  readonly headings: readonly string[];
  readonly tokens: number;
  /** Of a PDF: the first and the last page that it has text of. */
  readonly pages?: readonly [first: number, last: number];
  /** SHA-256 of `text`, hexadecimal: unchanged text need not be embedded again. */
  readonly contentHash: string;
}
