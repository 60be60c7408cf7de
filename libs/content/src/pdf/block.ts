import { type Span } from './lines.js';

/** A paragraph, heading, item, table or listing of a document. */
export type Block =
  | { readonly kind: 'paragraph'; readonly spans: Span[]; readonly isOpen: boolean }
  | { readonly kind: 'heading'; readonly spans: readonly Span[]; readonly rank: HeadingRank }
  | {
      readonly kind: 'item';
      readonly spans: Span[];
      readonly marker: 'bullet' | 'letter' | number;
      /** Of its marker, in points. */
      readonly indent: number;
    }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Span[])[])[] }
  | { readonly kind: 'code'; readonly text: string }
  /** Header, footer or page number. */
  | { readonly kind: 'running'; readonly text: string };

/** Decides the level of a heading. */
export interface HeadingRank {
  readonly size: number;
  readonly isBold: boolean;
}
