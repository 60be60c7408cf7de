import type { CompiledPattern } from '../pattern/compile-pattern.js';
import type { Runs } from './mark-index.js';

/** Longest piece of text that is matched in one go, so that time is checked between pieces. */
const PIECE_CHARS = 16_384;
/** A word longer than this is not gone around: the whole text is one piece then. */
const MAX_WORD_CHARS = 1_024;

/**
 * A page's text that patterns run on: the whole, or its beginning and its end when it is too long.
 */
export interface LongText {
  readonly text: string;
  /** Whether nothing comes before, and nothing after. */
  readonly isStart: boolean;
  readonly isEnd: boolean;
}

type Needs = Pick<CompiledPattern, 'reachChars' | 'place' | 'judgesWords'>;
type Window = readonly [from: number, to: number];

/**
 * Pieces of a long text that together hold every match of a pattern that there can be: around its
 * literals, as far as a match can reach. A pattern with anchors gets the text they mean, and one
 * that judges the edges of words is never given a part of one.
 */
export function* piecesFor(
  { text, isStart, isEnd }: LongText,
  pattern: Needs,
  runs: Runs | null,
): Generator<string> {
  switch (pattern.place) {
    case 'start':
      if (isStart) yield text.slice(...edged(text, [0, pattern.reachChars + 1], pattern));
      return;
    case 'whole':
      // Of a cut page neither part has both edges: an end that is none must not match.
      if (isStart && isEnd) yield text;
      return;
    case 'anywhere':
      for (const near of windows(runs ?? [0, text.length], pattern.reachChars, text.length))
        for (const piece of cut(near, pattern.reachChars)) {
          const window = edged(text, piece, pattern);
          yield text.slice(...window);
          if (window[0] === 0 && window[1] === text.length) return;
        }
  }
}

/** The runs with what a match can take on both sides, where they meet as one. */
function* windows(runs: Runs, reachChars: number, length: number): Generator<Window> {
  let open: [number, number] | undefined;
  for (let at = 0; at < runs.length; at += 2) {
    const from = Math.max(0, (runs[at] ?? 0) - reachChars);
    const to = Math.min(length, (runs[at + 1] ?? 0) + reachChars);
    if (open !== undefined && from <= open[1]) {
      open[1] = Math.max(open[1], to);
      continue;
    }
    if (open !== undefined) yield open;
    open = [from, to];
  }
  if (open !== undefined) yield open;
}

/** Pieces overlap by what a match can take, so that none is lost between two. */
function* cut([from, to]: Window, reachChars: number): Generator<Window> {
  const size = Math.max(PIECE_CHARS, 4 * reachChars);
  for (let at = from; ; at += size - reachChars) {
    const end = Math.min(to, at + size);
    yield [at, end];
    if (end === to) return;
  }
}

/**
 * The piece, grown to where it cuts no word if that matters: its edges are edges of words as in the
 * text.
 */
function edged(text: string, piece: Window, { judgesWords }: Needs): Window {
  if (!judgesWords) return piece;
  const [from, to] = piece;
  let start = from;
  while (start > 0 && isWord(text, start - 1)) {
    if (from - --start > MAX_WORD_CHARS) return [0, text.length];
  }
  let end = to;
  while (end < text.length && isWord(text, end)) {
    if (++end - to > MAX_WORD_CHARS) return [0, text.length];
  }
  return [start, end];
}

function isWord(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x5f;
}
