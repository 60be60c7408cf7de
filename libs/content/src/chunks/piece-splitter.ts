import { countTokens } from './count-tokens.js';
import { type MarkdownBlock } from './markdown-blocks.js';

/** A part of the source that a chunk takes whole. */
export interface ChunkPiece {
  readonly block: MarkdownBlock;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  /** Written before it when a chunk starts inside a listing or table, so that it stays one. */
  readonly opening: string;
  /** Written after it when a chunk ends inside a listing. */
  readonly closing: string;
  /** It starts and ends where a block or a sentence does. */
  readonly isSentence: boolean;
}

/** The block as one piece. */
export function wholePiece(source: string, block: MarkdownBlock): ChunkPiece {
  const { start, end } = block;
  const tokens = countTokens(source.slice(start, end));
  return { block, start, end, tokens, opening: '', closing: '', isSentence: true };
}

/** Smaller pieces of a block, none of more than `maxTokens` with what frames it. */
export function splitBlock(source: string, block: MarkdownBlock, maxTokens: number): ChunkPiece[] {
  const frame = frameOf(source, block, maxTokens);
  const room = maxTokens - countTokens(frame.opening) - countTokens(frame.closing) - 4;
  const pieces: ChunkPiece[] = [];
  let start = block.start;
  for (const end of blockBorders(source, block)) {
    const tokens = countTokens(source.slice(start, end));
    const isFirst = start === block.start;
    const opening = isFirst || start < frame.bodyStart ? '' : frame.opening;
    const piece = { block, start, end, tokens, opening, closing: frame.closing, isSentence: true };
    if (tokens <= room) pieces.push({ ...piece, closing: end === block.end ? '' : piece.closing });
    else pieces.push(...splitHard(source, piece, room));
    start = end;
  }
  return pieces;
}

/** Where a block can be cut: behind its sentences, its lines of code or its rows; the last is its end. */
export function blockBorders(
  source: string,
  { kind, start, end }: MarkdownBlock,
): Generator<number> {
  return (kind === 'text' || kind === 'heading' ? sentenceEnds : lineEnds)(source, start, end);
}

interface Frame {
  readonly opening: string;
  readonly closing: string;
  /** Where the body of a listing or table starts. */
  readonly bodyStart: number;
}

const NO_FRAME: Frame = { opening: '', closing: '', bodyStart: 0 };

/** Fences and table heads are repeated unless they would take a third of the chunk. */
function frameOf(source: string, block: MarkdownBlock, maxTokens: number): Frame {
  const lines = source.slice(block.start, block.end).split('\n', 2);
  const [first = '', second = ''] = lines;
  const frame =
    block.kind === 'code'
      ? {
          opening: `${first}\n`,
          closing: `\n${/^ {0,3}(`{3,}|~{3,})/.exec(first)?.[1] ?? '```'}`,
          bodyStart: block.start + first.length + 1,
        }
      : block.kind === 'table' && /^[\s|:-]+$/.test(second)
        ? {
            opening: `${first}\n${second}\n`,
            closing: '',
            bodyStart: block.start + first.length + second.length + 2,
          }
        : NO_FRAME;
  return countTokens(frame.opening + frame.closing) > maxTokens / 3 ? NO_FRAME : frame;
}

/** Ends of sentences and of lines. Abbreviations may end one too early, which does no harm. */
function* sentenceEnds(source: string, start: number, end: number): Generator<number> {
  const text = source.slice(start, end);
  let last = 0;
  for (const border of text.matchAll(/[.!?…]["'”’)\]*_]{0,4}[ \t]|[。！？]|\n/g)) {
    const at = border.index + border[0].length;
    if (at >= text.length || /^\s/.test(text.charAt(at))) continue;
    if (at > last) yield start + at;
    last = at;
  }
  yield end;
}

function* lineEnds(source: string, start: number, end: number): Generator<number> {
  for (let at = source.indexOf('\n', start); at !== -1 && at + 1 < end;) {
    yield at + 1;
    at = source.indexOf('\n', at + 1);
  }
  yield end;
}

/** A sentence or line of more than a chunk: between words, else between characters. */
function splitHard(source: string, piece: ChunkPiece, room: number): ChunkPiece[] {
  const pieces: ChunkPiece[] = [];
  let { start } = piece;
  while (start < piece.end) {
    const end = fittingEnd(source, start, piece.end, room);
    const tokens = countTokens(source.slice(start, end));
    const isLast = end === piece.block.end;
    const closing = isLast ? '' : piece.closing;
    pieces.push({ ...piece, start, end, tokens, closing, isSentence: false });
    start = end;
  }
  return pieces;
}

/** Where a slice of at most `room` tokens ends. */
function fittingEnd(source: string, start: number, limit: number, room: number): number {
  let length = Math.min(limit - start, room * 4);
  for (;;) {
    const end = niceEnd(source, start, start + length, limit);
    const tokens = countTokens(source.slice(start, end));
    if (tokens <= room || end - start <= 2) return end;
    length = Math.max(1, Math.min(length - 1, Math.floor((length * room) / tokens)));
  }
}

/** Characters searched back for a space. */
const MAX_WORD_SEARCH = 60;

function niceEnd(source: string, start: number, end: number, limit: number): number {
  if (end >= limit) return limit;
  for (let at = end; at > Math.max(start + 1, end - MAX_WORD_SEARCH); at--) {
    if (/\s/.test(source.charAt(at - 1))) return at;
  }
  const isInPair = (source.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isInPair ? (end - 1 > start ? end - 1 : end + 1) : end;
}
