import { hash } from 'node:crypto';
import { markdownBlocks } from '../chunks/markdown-blocks.js';

/** A block of a page's Markdown, as it is compared with those of other pages. */
export interface PageBlock {
  readonly kind: 'heading' | 'text' | 'code' | 'table';
  /** Of a heading, 1 to 6; else 0. */
  readonly level: number;
  /** Of its text, white space aside: 52 bits. */
  readonly hash: number;
  /** UTF-16 offsets in the Markdown; blocks follow each other without a gap. */
  readonly start: number;
  readonly end: number;
}

/** The rest of a longer page is compared with nothing. */
const MAX_BLOCKS = 4_000;
const HASH_DIGITS = 13;

/** The blocks of a page, in their order. */
export function pageBlocks(markdown: string): readonly PageBlock[] {
  return markdownBlocks(markdown, MAX_BLOCKS).map(({ kind, level, start, end }) => ({
    ...{ kind, level, start, end },
    hash: hashOf(markdown.slice(start, end)),
  }));
}

function hashOf(text: string): number {
  const words = text.replace(/\s+/g, ' ').trim();
  return parseInt(hash('sha256', words, 'hex').slice(0, HASH_DIGITS), 16);
}
