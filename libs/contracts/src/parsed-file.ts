/** Kinds of documents that are turned into text. Told by content, never by name. */
export type FileFormat = 'pdf' | 'docx';

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
  /** What was cut: pages, characters or time beyond the limit. */
  readonly truncatedBy?: string;
}

/** Why a file is no text. */
export type FileProblem =
  /** Neither PDF nor DOCX. */
  | 'unknown_kind'
  /** The component for DOCX is not installed. */
  | 'docx_unavailable'
  | 'encrypted'
  | 'malformed'
  /** Pictures of text, and no vision model is configured or it failed. */
  | 'no_text'
  /** Time, memory or size limit before anything was read. */
  | 'too_large'
  /** Nobody was free to read it in its time. */
  | 'busy';

/** A piece of a document for an index of embeddings. */
export interface Chunk {
  /** Of its document and place: the same document gives the same ids. */
  readonly id: string;
  readonly index: number;
  /** Markdown. */
  readonly text: string;
  /** Titles of the sections it stands in, outermost first. */
  readonly headings: readonly string[];
  readonly tokens: number;
  /** SHA-256 of `text`, hexadecimal: unchanged text need not be embedded again. */
  readonly contentHash: string;
}
