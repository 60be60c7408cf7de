import { type Line, type PdfSpan } from './lines.js';

/** A paragraph, heading, item, table or listing of a document. */
export type PdfBlock =
  | { readonly kind: 'paragraph'; readonly spans: PdfSpan[]; readonly isOpen: boolean }
  | { readonly kind: 'heading'; readonly spans: readonly PdfSpan[]; readonly rank: HeadingRank }
  | {
      readonly kind: 'item';
      readonly spans: PdfSpan[];
      readonly marker: 'bullet' | 'letter' | number;
      /** Of its marker, in points. */
      readonly indent: number;
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly PdfSpan[])[])[] }
  | { readonly kind: 'code'; readonly text: string }
  /** Header, footer or page number. */
  | { readonly kind: 'running'; readonly text: string };

/** A block with its lines on the page. */
export type LinedBlock = PdfBlock & { readonly lines: readonly Line[] };

export type PagedBlock = LinedBlock & {
  /** That it starts on, from 1. */
  readonly page: number;
  /** Quarter turns of its direction of reading, clockwise; 4 for text askew. */
  readonly quarter: number;
};

/** Decides the level of a heading. */
export interface HeadingRank {
  readonly size: number;
  readonly isBold: boolean;
}
