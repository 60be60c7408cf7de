import { MAX_CHUNK_TOKENS, MAX_MODEL_CHARS } from '../limits.js';
import { withoutInlinedImages } from '../markdown-page/read-markdown-page.js';
import { chunkMarkdown } from '../chunks/chunk-markdown.js';

export interface PageParts {
  /** In reading order; none when there is no text. */
  readonly parts: readonly string[];
  /** The page is longer than a model is shown. */
  readonly isCut: boolean;
}

/** Text of pages has more, digits and signs included. */
const LEAST_BYTES_PER_TOKEN = 2;

/**
 * Cuts a page's Markdown into as few parts as hold at most `maxTokens` each, between sections where
 * it can. A page that fits stays as it is.
 */
export function pageParts(markdown: string, maxTokens: number): PageParts {
  const shown = withoutInlinedImages(markdown);
  const isCut = shown.length > MAX_MODEL_CHARS;
  const text = isCut ? shown.slice(0, MAX_MODEL_CHARS) : shown;
  if (text.trim() === '') return { parts: [], isCut };
  // Spares most pages the tokenizer.
  if (Buffer.byteLength(text) <= LEAST_BYTES_PER_TOKEN * maxTokens) return { parts: [text], isCut };
  const chunks = chunkMarkdown(text, {
    maxTokens: Math.min(maxTokens, MAX_CHUNK_TOKENS),
    overlapTokens: 0,
  });
  const packed: string[][] = [];
  let room = 0;
  for (const { text: piece, tokens } of chunks) {
    if (tokens > room) {
      packed.push([]);
      room = maxTokens;
    }
    packed.at(-1)?.push(piece);
    room -= tokens;
  }
  return {
    parts: packed.length === 1 ? [text] : packed.map((pieces) => pieces.join('\n\n')),
    isCut,
  };
}
