import { endOfTokens, isInsideCharacter } from './estimate-tokens.js';

/** A piece of a text, by character offsets. */
export interface TextPiece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly total: number;
}

/** A boundary that would leave more than half of the space unused is passed over. */
const MIN_SHARE = 1 / 2;

/**
 * The piece of Markdown from `offset` that has at most `maxTokens` tokens. It ends between blocks if it can: after a
 * blank line outside a fenced code block, otherwise after a line, a word or a character. Consecutive pieces are
 * exactly the text.
 */
export function cutText(text: string, offset: number, maxTokens: number): TextPiece {
  const start = startWithin(text, offset);
  const furthest = endOfTokens(text, start, maxTokens);
  const end = furthest === text.length ? furthest : boundaryBefore(text, start, furthest);
  return { text: text.slice(start, end), start, end, total: text.length };
}

function startWithin(text: string, offset: number): number {
  const start = Math.min(Math.max(0, offset), text.length);
  return start > 0 && isInsideCharacter(text, start) ? start - 1 : start;
}

function boundaryBefore(text: string, start: number, furthest: number): number {
  const earliest = start + Math.floor((furthest - start) * MIN_SHARE);
  const { block, line } = lineBoundaries(text, furthest);
  if (block > earliest) return block;
  if (line > earliest) return line;
  const space = text.lastIndexOf(' ', furthest - 1) + 1;
  if (space > earliest) return space;
  // One character is wider than the space: it is shown all the same, so that reading goes on.
  return furthest > start ? furthest : start + (isInsideCharacter(text, start + 1) ? 2 : 1);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The last ends of a block and of a line at or before `limit`. The text is read from its start to know open fences. */
function lineBoundaries(text: string, limit: number): { block: number; line: number } {
  let fence: string | null = null;
  let block = 0;
  let line = 0;
  for (;;) {
    const newline = text.indexOf('\n', line);
    if (newline < 0 || newline >= limit) return { block, line };
    const content = text.slice(line, Math.min(newline, line + 200));
    fence = fenceAfter(fence, content);
    line = newline + 1;
    if (fence === null && content.trim() === '') block = line;
  }
}

/** The fence that is open after the line. */
function fenceAfter(open: string | null, line: string): string | null {
  const [, marks] = FENCE.exec(line) ?? [];
  if (marks === undefined) return open;
  if (open === null) return marks;
  return marks.startsWith(open) ? null : open;
}
