import { hash } from 'node:crypto';
import { markdownBlocks } from '../chunks/markdown-blocks.js';

/** A block of a page's Markdown, as it is compared with those of other pages; each line of a list is one. */
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
  const blocks: PageBlock[] = [];
  for (const { kind, level, start, end } of markdownBlocks(markdown, MAX_BLOCKS)) {
    const text = markdown.slice(start, end);
    let at = start;
    for (const part of kind === 'text' && LIST.test(text) ? linesOf(text) : [text]) {
      if (blocks.length === MAX_BLOCKS) return blocks;
      blocks.push({ kind, level, start: at, end: at + part.length, hash: hashOf(part) });
      at += part.length;
    }
  }
  return blocks;
}

/** A navigation that shows where the reader is differs from page to page, but for most of its lines. */
const LIST = /^ {0,3}(?:[-*+]|\d{1,9}[.)]) /;

/** Lines with their breaks, blank ones with the line before. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)(?=[^\n])/);
}

function hashOf(text: string): number {
  const words = text.replace(/\s+/g, ' ').trim();
  return parseInt(hash('sha256', words, 'hex').slice(0, HASH_DIGITS), 16);
}
