/**
 * Document types that are turned into text. The type is detected from the content, never from the
 * name.
 */
type FileFormat = 'pdf' | 'docx';

/** A PDF or DOCX as text. */
export interface ParsedFile {
  readonly format: FileFormat;
  readonly markdown: string;
  readonly text: string;
  /** PDF only. */
  readonly pages?: number;
  readonly title?: string;
  /** Absolute http(s) addresses, unique, in reading order. */
  readonly links?: readonly string[];
  /** The text was read off the pages' pictures by a vision model. */
  readonly isScanned?: boolean;
  /** The limit that cut it: pages, characters or time. */
  readonly truncatedBy?: string;
}

/** Why a file is no text. */
export type FileProblem =
  /** Neither PDF nor DOCX. */
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
  /** SHA-256 of `text`, hexadecimal: unchanged text need not be embedded again. */
  readonly contentHash: string;
}
