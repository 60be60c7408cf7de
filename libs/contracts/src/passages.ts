import type { ModelClass } from './llm.js';

/** Bounds of {@link WantedParts}. */
export const PART_LIMITS = {
  passages: { most: 50, fallback: 5, queryChars: 500, reranked: 20 },
  tokens: { least: 100, most: 1_000_000 },
} as const;

/** What is asked of a page. */
interface PassageQuery {
  /** A question or words; at most 500 characters. */
  readonly query: string;
  /** Passages at most, 1 to 50. */
  readonly max: number;
  /** Class of the model that puts the best of them in order. @default by their words alone */
  readonly rerank?: ModelClass;
}

/** A part of a page that answers. */
interface Passage {
  /** Markdown: whole paragraphs, lists, rows or lines of code. */
  readonly text: string;
  /** Titles of the sections it is in. */
  readonly headings: readonly string[];
  /** Its place in the Markdown of the page, in UTF-16 code units; the end is exclusive. */
  readonly start: number;
  readonly end: number;
  /** Comparable within one page and query only; higher is better. */
  readonly score: number;
  /** Address of the page that scrolls to it (WICG, URL Fragment Text Directives). */
  readonly url: string;
}

/** What a number of tokens left out of Markdown. */
interface MarkdownCut {
  /** Of the Markdown that is kept, the line about the rest included; encoding `cl100k_base`. */
  readonly tokens: number;
  /** As many as a text of the length of the rest has at the rate of what is kept. */
  readonly leftOutTokens: number;
  /** Titles of sections that are left out whole, in order: the first of them. */
  readonly leftOut: readonly string[];
}

/** The parts of a page's Markdown that a caller wants, in place of all of it. Absent: all of it. */
export interface WantedParts {
  readonly passages?: PassageQuery;
  /** 100 to 1,000,000. */
  readonly maxTokens?: number;
}

/** What was read for {@link WantedParts}. */
export interface MarkdownParts {
  readonly passages?: readonly Passage[];
  /** The Markdown up to its cut; absent: it is not cut. */
  readonly markdown?: string;
  readonly markdownCut?: MarkdownCut;
}
