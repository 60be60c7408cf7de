import { type PdfPiece, usualSize } from './piece.js';
import { type PdfRow } from './rows.js';

/** Text of one look. */
export interface PdfSpan {
  readonly text: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMono: boolean;
  readonly raised: 'sup' | 'sub' | undefined;
  readonly link: string | undefined;
}

/** Part of a line between wide gaps: a cell, when it is in a table. */
export interface Segment {
  readonly spans: readonly PdfSpan[];
  readonly x0: number;
  readonly x1: number;
}

/** A line of text as read, from its first to its last character. */
export interface Line {
  readonly segments: readonly Segment[];
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
  readonly size: number;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMono: boolean;
  readonly isRtl: boolean;
}

/** Gap by font size that is a space. */
const SPACE_EM = 0.13;
/** Gap by font size that parts cells. */
export const CELL_EM = 1.05;

export function toLine(row: PdfRow): Line {
  const pieces = inReadingOrder(row.pieces);
  const isRtl = isMostlyRtl(row.pieces);
  const segments: Segment[] = [];
  let open: OpenSegment | undefined;
  for (const piece of pieces) {
    const gap = open === undefined ? 0 : gapBetween(open.last, piece, isRtl);
    if (open === undefined || gap > row.size * CELL_EM) {
      if (open !== undefined) segments.push(close(open));
      open = { spans: [], x0: piece.x0, x1: piece.x1, last: piece };
    }
    addPiece(open, piece, gap, row);
  }
  if (open !== undefined) segments.push(close(open));
  const usual = usualSize(pieces);
  const main = pieces.filter(({ size }) => size > usual * 0.85);
  return {
    segments,
    x0: row.x0,
    x1: row.x1,
    y: row.y,
    size: main.length === 0 ? row.size : usualSize(main),
    isBold: mostly(main, (piece) => piece.font.isBold),
    isItalic: mostly(main, (piece) => piece.font.isItalic),
    isMono: mostly(main, (piece) => piece.font.isMono),
    isRtl,
  };
}

export const textOfSpans = (spans: readonly PdfSpan[]): string =>
  spans.map(({ text }) => text).join('');

export const textOfLine = (line: Line): string =>
  line.segments.map(({ spans }) => textOfSpans(spans)).join(' ');

export const spansOfLine = (line: Line): PdfSpan[] =>
  line.segments.flatMap(({ spans }, index) =>
    index === 0 ? [...spans] : [plainSpan(' '), ...spans],
  );

export const plainSpan = (text: string): PdfSpan => ({
  text,
  isBold: false,
  isItalic: false,
  isMono: false,
  raised: undefined,
  link: undefined,
});

export function isMostlyRtl(pieces: readonly PdfPiece[]): boolean {
  let rtl = 0;
  let all = 0;
  for (const { text, isRtl } of pieces) {
    if (!/\p{L}/u.test(text)) continue;
    all += text.length;
    if (isRtl) rtl += text.length;
  }
  return rtl * 2 > all;
}

/** From left to right, or from right to left with runs of Latin script the other way round. */
function inReadingOrder(pieces: readonly PdfPiece[]): readonly PdfPiece[] {
  if (!isMostlyRtl(pieces)) return pieces;
  const ordered: PdfPiece[] = [];
  let latin: PdfPiece[] = [];
  for (const piece of [...pieces].reverse()) {
    if (!piece.isRtl && /[\p{L}\p{N}]/u.test(piece.text)) {
      latin.push(piece);
      continue;
    }
    ordered.push(...latin.reverse(), piece);
    latin = [];
  }
  return [...ordered, ...latin.reverse()];
}

function mostly(pieces: readonly PdfPiece[], has: (piece: PdfPiece) => boolean): boolean {
  let having = 0;
  let all = 0;
  for (const piece of pieces) {
    all += piece.text.length;
    if (has(piece)) having += piece.text.length;
  }
  return all > 0 && having > all * 0.9;
}

interface OpenSegment {
  readonly spans: PdfSpan[];
  x0: number;
  x1: number;
  last: PdfPiece;
}

function gapBetween(before: PdfPiece, after: PdfPiece, isRtl: boolean): number {
  // A run of Latin script inside a right-to-left line is read the other way.
  if (isRtl && after.x0 < before.x0) return before.x0 - after.x1;
  return after.x0 - before.x1;
}

function addPiece(open: OpenSegment, piece: PdfPiece, gap: number, row: PdfRow): void {
  const { spans } = open;
  const span = toSpan(piece, row);
  const previous = spans.at(-1);
  const needsSpace = gap > Math.min(row.size, piece.size) * SPACE_EM && !isDense(previous, piece);
  if (previous === undefined) spans.push(span);
  else if (gap < 0 && composeAccent(spans, previous, span)) {
    // The accent went over to its letter.
  } else if (isSameLook(previous, span)) {
    spans[spans.length - 1] = {
      ...previous,
      text: previous.text + (needsSpace ? ' ' : '') + span.text,
    };
  } else {
    if (needsSpace) spans.push({ ...plainSpan(' '), link: sharedLink(previous, span) });
    spans.push(span);
  }
  open.x0 = Math.min(open.x0, piece.x0);
  open.x1 = Math.max(open.x1, piece.x1);
  open.last = piece;
}

const sharedLink = (a: PdfSpan, b: PdfSpan): string | undefined =>
  a.link === b.link ? a.link : undefined;

/** Scripts without spaces between words; a gap there is justification. */
const SPACELESS = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

const isDense = (previous: PdfSpan | undefined, piece: PdfPiece): boolean =>
  previous !== undefined &&
  SPACELESS.test(previous.text.slice(-1)) &&
  SPACELESS.test(piece.text.charAt(0));

function toSpan({ text, font, size, y, link }: PdfPiece, row: PdfRow): PdfSpan {
  const isSmall = size < row.size * 0.82 && /[\p{L}\p{N}*†‡]/u.test(text);
  const rise = (row.y - y) / row.size;
  const raised = !isSmall ? undefined : rise > 0.15 ? 'sup' : rise < -0.05 ? 'sub' : undefined;
  return { text, ...font, raised, link };
}

export const isSameLook = (a: PdfSpan, b: PdfSpan): boolean =>
  a.isBold === b.isBold &&
  a.isItalic === b.isItalic &&
  a.isMono === b.isMono &&
  a.raised === b.raised &&
  a.link === b.link;

/** Accents that old fonts draw as characters of their own over or before the letter. */
const COMBINING: Readonly<Record<string, string>> = {
  '´': '\u0301',
  '`': '\u0300',
  '¨': '\u0308',
  '^': '\u0302',
  ˆ: '\u0302',
  '~': '\u0303',
  '˜': '\u0303',
  ˇ: '\u030c',
  '˘': '\u0306',
  '˚': '\u030a',
  '¯': '\u0304',
  '˝': '\u030b',
};

function composeAccent(spans: PdfSpan[], previous: PdfSpan, next: PdfSpan): boolean {
  const mark = COMBINING[previous.text.slice(-1)];
  const letter = next.text.charAt(0);
  if (mark === undefined || !/\p{L}/u.test(letter)) return false;
  const composed = (letter === 'ı' ? 'i' : letter) + mark;
  const one = composed.normalize('NFC');
  if (one.length > 1) return false;
  const rest = one + next.text.slice(1);
  if (isSameLook(previous, next)) {
    spans[spans.length - 1] = { ...previous, text: previous.text.slice(0, -1) + rest };
    return true;
  }
  spans[spans.length - 1] = { ...previous, text: previous.text.slice(0, -1) };
  spans.push({ ...next, text: rest });
  return true;
}

/** Space at the ends of cells is none. */
function close({ spans, x0, x1 }: OpenSegment): Segment {
  const cleaned = spans.map((span) => ({ ...span, text: cleanText(span.text) }));
  return { spans: cleaned, x0, x1 };
}

/** No control or private characters, which are bullets and rules of symbol fonts at best. */
function cleanText(text: string): string {
  return text.replace(/[\0-\x1f\x7f-\x9f\ufeff\ufffe\uffff\u200b]/g, '').replace(/\s+/g, ' ');
}
