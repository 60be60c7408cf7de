import type { MarkdownParts } from '@app/contracts';
import { countTokens } from './count-tokens.js';
import { markdownBlocks, type MarkdownBlock } from './markdown-blocks.js';
import { splitBlock, type ChunkPiece } from './piece-splitter.js';

interface CutMarkdown {
  /** At most `maxTokens`, the last line included, which says what is left out. */
  readonly markdown: string;
  readonly markdownCut: NonNullable<MarkdownParts['markdownCut']>;
}

/** Titles that are named. */
const MAX_TITLES = 50;
/** Of the tokens, for the line that says what is left out. */
const NOTE_SHARE = 0.2;
const MAX_NOTE_TOKENS = 200;
/** Titles of the line. */
const MAX_NOTED = 12;
const MAX_TITLE_CHARS = 60;
/** Of a block that does not fit whole. */
const LEAST_PART_TOKENS = 16;
/** Tokens of parts need not add up exactly to those of the whole. */
const SLACK = 0.99;
/** {@link countTokens} counts longer runs in parts. */
const MOST_CHARS_PER_TOKEN = 80;
/** Of a page; what follows is left out. */
const MAX_BLOCKS = 200_000;

/**
 * The beginning of a page in at most so many tokens: it ends between blocks, sentences, rows or lines of code, and a listing is
 * closed. Null: the page fits. Only what is kept is counted, whatever the length of the page.
 */
export function cutMarkdown(markdown: string, maxTokens: number): CutMarkdown | null {
  // No token has less than a byte.
  if (Buffer.byteLength(markdown) <= maxTokens) return null;
  const blocks = markdownBlocks(markdown, MAX_BLOCKS);
  if (prefixOf(markdown, blocks, maxTokens).end === markdown.length) return null;
  const noteTokens = Math.min(MAX_NOTE_TOKENS, Math.floor(maxTokens * NOTE_SHARE));
  const kept = prefixOf(markdown, blocks, Math.floor((maxTokens - noteTokens) * SLACK));
  const perChar = countTokens(kept.text) / Math.max(1, kept.text.length);
  const leftOutTokens = Math.max(1, Math.round((markdown.length - kept.end) * perChar));
  const leftOut = kept.rest
    .filter(({ kind }) => kind === 'heading')
    .flatMap(({ headings }) => headings.at(-1) ?? [])
    .slice(0, MAX_TITLES);
  for (let titles = Math.min(MAX_NOTED, leftOut.length); ; titles--) {
    const text = `${kept.text}\n\n${noteOf(leftOutTokens, leftOut, titles)}`.trimStart();
    const tokens = countTokens(text);
    if (tokens <= maxTokens || titles <= 0)
      return { markdown: text, markdownCut: { tokens, leftOutTokens, leftOut } };
  }
}

function noteOf(tokens: number, leftOut: readonly string[], titles: number): string {
  const named = leftOut
    .slice(0, titles)
    .map((title) => `"${title.slice(0, MAX_TITLE_CHARS).toWellFormed()}"`);
  const more = leftOut.length > titles && titles > 0 ? ' and more' : '';
  const sections = named.length > 0 ? `, with the sections ${named.join(', ')}${more}` : '';
  return `[Cut here: about ${tokens} tokens are left out${sections}.]`;
}

interface Prefix {
  /** Without blank lines at its end. */
  readonly text: string;
  /** Where the rest begins. */
  readonly end: number;
  /** Blocks that are left out whole. */
  readonly rest: readonly MarkdownBlock[];
}

function prefixOf(source: string, blocks: readonly MarkdownBlock[], maxTokens: number): Prefix {
  let left = maxTokens;
  let at = 0;
  for (let block = blocks[at]; block !== undefined; block = blocks[++at]) {
    const { start, end } = block;
    const tokens = end - start > MOST_CHARS_PER_TOKEN * left ? Infinity : countIn(source, block);
    if (tokens > left) break;
    left -= tokens;
  }
  const part = partOf(source, blocks[at], left);
  if (part !== null) return { text: part.text, end: part.end, rest: blocks.slice(at + 1) };
  // No title without what it names.
  if (at < blocks.length) while (blocks[at - 1]?.kind === 'heading') at--;
  const end = blocks[at - 1]?.end ?? 0;
  return { text: source.slice(0, end).trimEnd(), end, rest: blocks.slice(at) };
}

const countIn = (source: string, { start, end }: MarkdownBlock): number =>
  countTokens(source.slice(start, end));

/** As much of the block as has its place; null: nothing. */
function partOf(
  source: string,
  block: MarkdownBlock | undefined,
  maxTokens: number,
): Pick<Prefix, 'text' | 'end'> | null {
  if (block === undefined || block.kind === 'heading' || maxTokens < LEAST_PART_TOKENS) return null;
  const end = Math.min(block.end, block.start + MOST_CHARS_PER_TOKEN * maxTokens);
  let left = maxTokens;
  let last: ChunkPiece | null = null;
  // The end of a listing is as long as its beginning, of any length.
  let closing = 0;
  for (const piece of splitBlock(source, { ...block, end }, maxTokens)) {
    left -= piece.tokens;
    if (last?.closing !== piece.closing) closing = countTokens(piece.closing);
    if (left < closing) break;
    last = piece;
  }
  return last && { text: source.slice(0, last.end).trimEnd() + last.closing, end: last.end };
}
