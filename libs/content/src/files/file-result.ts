import type { FileProblem, ParsedFile } from '@app/contracts';

/** A page of a document as a picture. */
export interface PageImage {
  /** From 1. */
  readonly page: number;
  readonly png: Uint8Array;
}

/** Bounds of pictures of pages. */
export interface PictureOptions {
  readonly maxPages: number;
  /** Longer edge of a picture, in pixels. */
  readonly maxEdgePx: number;
}

/** What is known of a file beside its bytes. Only kinds of text without a signature go by it. */
export interface FileHint {
  /** As its sender declares it. */
  readonly contentType?: string | null | undefined;
  /** Of the file, or the path of its URL. */
  readonly name?: string | undefined;
}

export interface FileOptions {
  /** @default the bytes alone count */
  readonly hint?: FileHint;
  /** Pages read; the rest is cut. @default MAX_FILE_PAGES */
  readonly maxPages?: number;
  /** UTF-16 units of text read; the rest is cut. @default MAX_FILE_CHARS */
  readonly maxChars?: number;
  /** Asked between pages: what was read until then is the answer. */
  readonly signal?: AbortSignal;
  /** Time for the text, in milliseconds, checked between pages. @default none */
  readonly budgetMs?: number;
  /** CPU time of this thread for the text, in milliseconds, checked between pages. @default unbounded */
  readonly maxCpuMs?: number;
  /** Adds `ParsedFile.pageList`. @default false */
  readonly pages?: boolean;
  /** With `pages`: the blocks of each page and where they are. @default false */
  readonly sources?: boolean;
  /** A comment before each page of a PDF names it: `<!-- page 2 -->`. @default false */
  readonly pageMarkers?: boolean;
  /** Draws the pages of a PDF without text, for a model that sees. @default not drawn */
  readonly pictures?: PictureOptions;
}

/** What cut a file's text short, as named in `ParsedFile.truncatedBy`, beside the reasons that pages have, too. */
export type FileCut =
  | 'max_pages'
  | 'max_chars'
  | 'max_page_items'
  | 'max_table_cells'
  /** Sheets, slides, chapters or parts of a mail. */
  | 'max_parts'
  | 'time'
  | 'unreadable_pages'
  | 'unreadable_parts';

export interface FailedFile {
  readonly ok: false;
  readonly problem: FileProblem;
  /** For people; says nothing about the machine. */
  readonly message: string;
  /** With `no_text`, when pictures were requested and could be drawn. */
  readonly pageImages?: readonly PageImage[];
  /** Of the PDF, beside `pageImages`. */
  readonly pages?: number;
}

/** Where a page begins in a Markdown. */
export interface PageStart {
  /** From 1. */
  readonly page: number;
  /** UTF-16 units before it. */
  readonly at: number;
}

export type FileResult =
  | {
      readonly ok: true;
      readonly file: ParsedFile;
      /** Of a PDF, in order. */
      readonly pageStarts?: readonly PageStart[];
    }
  | FailedFile;

export const failedFile = (problem: FileProblem, message: string): FailedFile => ({
  ok: false,
  problem,
  message,
});
