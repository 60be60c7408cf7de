import { createHash } from 'node:crypto';
import type { Chunk } from '@app/contracts';
import {
  DEFAULT_CHUNK_OVERLAP_TOKENS,
  DEFAULT_CHUNK_TOKENS,
  MAX_CHUNK_TOKENS,
  MIN_CHUNK_TOKENS,
} from '../limits.js';
import type { PageStart } from '../files/file-result.js';
import { countTokens } from './count-tokens.js';
import { type MarkdownBlock, markdownBlocks } from './markdown-blocks.js';
import { type ChunkPiece, splitBlock, wholePiece } from './piece-splitter.js';

export interface ChunkOptions {
  /** Tokens of a chunk at most, overlap included; 32 to 8,192. @default 512 */
  readonly maxTokens?: number;
  /** Tokens at most that a chunk shares with the one before; up to half of it. @default 64 */
  readonly overlapTokens?: number;
  /** Where pages begin in the Markdown, in order: chunks get their numbers. @default it has no pages */
  readonly pageStarts?: readonly PageStart[];
}

/**
 * Cuts Markdown into pieces for an index of embeddings.
 *
 * - A chunk ends before a heading of the level it started in or a higher one, unless it holds less
 *   than an eighth of its size: then the small section goes along with the next.
 * - Blocks stay whole while they fit; else text is cut between sentences, listings between lines
 *   and tables between rows, and fences and table heads are repeated.
 * - A chunk that starts inside a section starts with the last sentences of the one before.
 * - All of the text is in some chunk, and none has more than `maxTokens` by {@link countTokens}.
 */
export function chunkMarkdown(markdown: string, options: ChunkOptions = {}): Chunk[] {
  const maxTokens = clamp(
    options.maxTokens ?? DEFAULT_CHUNK_TOKENS,
    MIN_CHUNK_TOKENS,
    MAX_CHUNK_TOKENS,
  );
  const wanted = options.overlapTokens ?? DEFAULT_CHUNK_OVERLAP_TOKENS;
  const packer = new Packer(markdown, maxTokens, clamp(wanted, 0, Math.floor(maxTokens / 2)));
  const documentHash = sha256(markdown).slice(0, 16);
  return packer.pack().map(({ text, headings, tokens, start, end }, index) => ({
    id: `${documentHash}-${index}`,
    index,
    text,
    headings,
    tokens,
    contentHash: sha256(text),
    ...pagesBetween(options.pageStarts ?? [], start, end),
  }));
}

/** The first and the last page of a part of the Markdown. */
function pagesBetween(
  starts: readonly PageStart[],
  start: number,
  end: number,
): Pick<Chunk, 'pages'> {
  const first = starts.findLast(({ at }) => at <= start) ?? starts[0];
  const last = starts.findLast(({ at }) => at < end) ?? first;
  return first && last ? { pages: [first.page, last.page] } : {};
}

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, Math.floor(Number.isNaN(value) ? low : value)));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Packed extends Pick<Chunk, 'text' | 'headings' | 'tokens'> {
  /** Of its text in the source. */
  readonly start: number;
  readonly end: number;
}

class Packer {
  private readonly chunks: Packed[] = [];
  private readonly pending: ChunkPiece[] = [];
  private open: ChunkPiece[] = [];
  private openTokens = 0;
  /** Where the open chunk's share of the one before starts; -1: it shares nothing. */
  private overlapStart = -1;

  constructor(
    private readonly source: string,
    private readonly maxTokens: number,
    private readonly overlapTokens: number,
  ) {}

  pack(): Packed[] {
    for (const block of markdownBlocks(this.source)) {
      this.pending.push(wholePiece(this.source, block));
      this.placePending();
    }
    while (this.open.length > 0) {
      this.close(false);
      this.placePending();
    }
    return this.chunks;
  }

  private placePending(): void {
    for (let next = this.pending.pop(); next !== undefined; next = this.pending.pop()) {
      this.place(next);
    }
  }

  private place(piece: ChunkPiece): void {
    // A new section shares nothing with the one before.
    if (this.open.length === 0 && piece.block.kind === 'heading') this.shareNothing();
    if (this.endsBefore(piece.block)) {
      this.later([piece]);
      return this.close(false);
    }
    if (this.fits(piece)) return this.add(piece);
    const isWhole = piece.start === piece.block.start && piece.end === piece.block.end;
    // What would fit into a chunk of its own starts one, if this one is not mostly empty.
    const isWorthWaiting = this.openTokens > this.maxTokens / 2 && this.fitsAlone(piece);
    if (isWhole && !isWorthWaiting && this.isDivisible(piece)) {
      const parts = splitBlock(this.source, piece.block, this.maxTokens);
      if (parts.length > 1 || !this.fitsAlone(piece)) return void this.later(parts);
    }
    if (this.open.length === 0) return this.add(piece);
    // Pieces that the chunk returns come before this one.
    this.later([piece]);
    this.close(true);
  }

  /** Code and tables that fit into a chunk are never cut. */
  private isDivisible(piece: ChunkPiece): boolean {
    return !this.fitsAlone(piece) || piece.block.kind === 'text';
  }

  private later(pieces: readonly ChunkPiece[]): void {
    for (const piece of [...pieces].reverse()) this.pending.push(piece);
  }

  private fits(piece: ChunkPiece): boolean {
    return this.openTokens + this.costOf(piece) <= this.maxTokens;
  }

  private fitsAlone(piece: ChunkPiece): boolean {
    return piece.tokens + countFrame(piece) <= this.maxTokens;
  }

  private costOf(piece: ChunkPiece): number {
    const opening = this.open.length === 0 ? countTokens(piece.opening) : 0;
    return piece.tokens + opening + (piece.closing === '' ? 0 : countTokens(piece.closing));
  }

  private endsBefore({ kind, level }: MarkdownBlock): boolean {
    const first = this.open[0];
    if (kind !== 'heading' || first === undefined) return false;
    if (this.openTokens < this.maxTokens / 8) return false;
    // Titles alone go on to what they name.
    if (this.open.at(-1)?.block.kind === 'heading') return this.openTokens > this.maxTokens / 2;
    return level <= levelOf(first.block) || this.openTokens > this.maxTokens / 2;
  }

  private add(piece: ChunkPiece): void {
    this.openTokens += this.costOf(piece) - (piece.closing === '' ? 0 : countTokens(piece.closing));
    this.open.push(piece);
  }

  /** Ends the chunk; `isInside`: the next one goes on in the same section. */
  private close(isInside: boolean): void {
    const kept = this.open;
    // A title goes with what it names.
    const titles: ChunkPiece[] = [];
    const hasText = kept.some(({ block }) => block.kind !== 'heading');
    while (isInside && hasText && kept.length > 1 && kept.at(-1)?.block.kind === 'heading') {
      const title = kept.pop();
      if (title !== undefined) titles.push(title);
    }
    const surplus = this.write(kept);
    const last = kept.at(-1);
    this.open = [];
    this.shareNothing();
    const next = [...surplus, ...titles.reverse()];
    if (isInside && next.length === 0 && last !== undefined) this.share(kept, last);
    this.later(next);
  }

  private shareNothing(): void {
    this.openTokens = 0;
    this.overlapStart = -1;
  }

  /** Writes a chunk; answers pieces that did not fit after all. */
  private write(kept: ChunkPiece[]): ChunkPiece[] {
    const surplus: ChunkPiece[] = [];
    const first = kept[0];
    if (first === undefined) return surplus;
    for (;;) {
      const text = this.textOf(kept);
      const tokens = countTokens(text);
      if (tokens <= this.maxTokens || (kept.length === 1 && this.overlapStart < 0)) {
        const { headings } = first.block;
        const start = this.startOf(first);
        const end = kept.at(-1)?.end ?? start;
        if (text !== '') this.chunks.push({ text, headings, tokens, start, end });
        return surplus;
      }
      // Tokens of parts need not add up exactly; the last part goes to the next chunk.
      if (kept.length === 1) this.overlapStart = -1;
      else surplus.unshift(...kept.splice(-1));
    }
  }

  private startOf(first: ChunkPiece): number {
    return this.overlapStart < 0 ? first.start : this.overlapStart;
  }

  private textOf(kept: readonly ChunkPiece[]): string {
    const [first, last] = [kept[0], kept.at(-1)];
    if (first === undefined || last === undefined) return '';
    const body = this.source.slice(this.startOf(first), last.end).replace(/^\n+/, '').trimEnd();
    return body === '' ? '' : first.opening + body + last.closing;
  }

  /** The next chunk starts with the last sentences of this one. */
  private share(kept: readonly ChunkPiece[], last: ChunkPiece): void {
    if (last.block.kind !== 'text') return;
    let start = -1;
    let tokens = 0;
    for (const piece of [...kept].reverse()) {
      if (piece.block.kind !== 'text') break;
      for (const part of this.sentencesOf(piece).reverse()) {
        tokens += part.tokens;
        if (tokens > this.overlapTokens || !part.isSentence) {
          return this.startWith(start, last.end);
        }
        start = part.start;
      }
    }
    this.startWith(start, last.end);
  }

  private sentencesOf(piece: ChunkPiece): ChunkPiece[] {
    const isWhole = piece.start === piece.block.start && piece.end === piece.block.end;
    return isWhole ? splitBlock(this.source, piece.block, this.maxTokens) : [piece];
  }

  private startWith(start: number, end: number): void {
    if (start < 0 || start >= end) return;
    this.overlapStart = start;
    this.openTokens = countTokens(this.source.slice(start, end));
  }
}

const countFrame = ({ opening, closing }: ChunkPiece): number =>
  opening === '' && closing === '' ? 0 : countTokens(opening + closing);

const levelOf = ({ kind, level, headings }: MarkdownBlock): number =>
  kind === 'heading' ? level : Math.max(1, headings.length);
