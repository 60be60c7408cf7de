import { type LinedBlock, type PagedBlock, type PdfBlock } from './block.js';
import { type DocumentStyle } from './document-style.js';
import { appendLine, joinLines } from './join-lines.js';
import { readingEnd, quantileOf, readingStart, usualLeading } from './line-measures.js';
import { type Line, type PdfSpan, textOfLine } from './lines.js';
import { listMarker, type ListMarker, isLeader, readTable } from './tables.js';
import { upperMedian } from './piece.js';

/** Sizes above the body's at which a line is a heading. */
const HEADING_SIZE = 1.12;

/** A longer text in large letters is no heading. */
const MAX_HEADING_CHARS = 250;
const MAX_HEADING_LINES = 4;

const NUMBERED_TITLE = /^(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[IVXL]{1,5}\.|[A-Z]\.)\s+\p{Lu}/u;

/** Lines searched for the neighbour of a numbered item. */
const MAX_NUMBER_SEARCH = 80;

/** Blocks of one region: one column of text, from its first line to its last. */
export function readPdfBlocks(lines: readonly Line[], style: DocumentStyle): LinedBlock[] {
  return new RegionReader(lines, style).read();
}

class RegionReader {
  private readonly blocks: LinedBlock[] = [];
  private readonly lines: readonly Line[];
  private readonly left: number;
  private readonly right: number;
  private readonly leading: number;
  /** Lines of the paragraph or item being read. */
  private open: Line[] = [];
  private marker: ListMarker | undefined;
  private numbers: ReadonlySet<Line> | undefined;
  private noTableBefore = 0;

  constructor(
    lines: readonly Line[],
    private readonly style: DocumentStyle,
  ) {
    this.lines = lines;
    this.left = quantileOf(lines.map(readingStart), 0.1);
    this.right = quantileOf(lines.map(readingEnd), 0.9);
    this.leading = usualLeading(lines);
  }

  read(): LinedBlock[] {
    let at = 0;
    while (at < this.lines.length) at += this.take(at);
    this.flush();
    return this.blocks;
  }

  /** Answers the number of lines taken. */
  private take(at: number): number {
    const line = this.lines[at];
    if (line === undefined) return 1;
    if (this.style.running.has(line)) return this.takeRunning(line);
    return (
      this.takeCode(at) ?? this.takeTable(at) ?? this.takeHeading(at) ?? this.takeText(line, at)
    );
  }

  private takeRunning(line: Line): number {
    // A paragraph goes on after a page number in its midst.
    this.flush();
    this.add({ kind: 'running', text: textOfLine(line).trim() }, [line]);
    return 1;
  }

  private takeCode(at: number): number | undefined {
    if (this.style.isMono) return undefined;
    const run: Line[] = [];
    for (let next = at; next < this.lines.length; next++) {
      const line = this.lines[next];
      if (line === undefined || !line.isMono || this.style.running.has(line)) break;
      if (run.length > 0 && line.y - (run.at(-1)?.y ?? 0) > line.size * 3.5) break;
      run.push(line);
    }
    const first = run[0];
    if (first === undefined || (run.length === 1 && !this.standsApart(at, first))) return undefined;
    this.flush();
    this.add({ kind: 'code', text: codeOf(run) }, run);
    return run.length;
  }

  /** A line of code between paragraphs, not the end of one. */
  private standsApart(at: number, line: Line): boolean {
    const before = this.lines[at - 1];
    if (listMarker(textOfLine(line)) !== undefined) return false;
    const isIndented = readingStart(line) > this.left + line.size;
    return before === undefined || isIndented || line.y - before.y > this.leading * 1.3;
  }

  private takeTable(at: number): number | undefined {
    if (at < this.noTableBefore || (this.lines[at]?.segments.length ?? 0) < 2) return undefined;
    const { rows, lineCount } = readTable(this.lines, at, this.style);
    if (rows === null) {
      // Trying again at each line of a long run would take its length squared.
      this.noTableBefore = at + 1 + Math.floor(lineCount / 8);
      return undefined;
    }
    this.flush();
    this.add({ kind: 'table', rows }, this.lines.slice(at, at + lineCount));
    return lineCount;
  }

  private takeHeading(at: number): number | undefined {
    const first = this.lines[at];
    if (first === undefined || !this.isHeadingLine(first, at)) return undefined;
    const run = [first];
    for (let next = at + 1; next < this.lines.length; next++) {
      const line = this.lines[next];
      if (line === undefined || !this.continuesHeading(line, run)) break;
      run.push(line);
    }
    const chars = run.reduce((sum, line) => sum + textOfLine(line).length, 0);
    if (run.length > MAX_HEADING_LINES || chars > MAX_HEADING_CHARS) return undefined;
    this.flush();
    const spans = joinLines(run, this.style.vocabulary);
    this.add({ kind: 'heading', spans, rank: { size: first.size, isBold: first.isBold } }, run);
    return run.length;
  }

  private isHeadingLine(line: Line, at: number): boolean {
    const text = textOfLine(line);
    if (!/\p{L}{2}|\p{Lo}/u.test(text) || line.isMono || isLeader(line)) return false;
    const { bodySize } = this.style;
    if (line.size >= bodySize * HEADING_SIZE)
      return this.open.length === 0 || this.breaksBefore(line);
    if (this.open.length > 0 && !this.breaksBefore(line)) return false;
    if (this.isNumberedTitle(line, text, at)) return true;
    if (!line.isBold || this.style.isBold || line.size < bodySize * 0.97) return false;
    const after = this.lines[at + 1];
    const isAlone = after === undefined || !after.isBold || after.y - line.y > this.leading * 1.5;
    const isShort = readingEnd(line) < this.right - line.size * 2 || text.length < 60;
    return (
      isShort && isAlone && !/[.,;:]$/.test(text.trim()) && listMarker(text)?.kind !== 'bullet'
    );
  }

  /** "II. CONSTRUCTION", "*A. Method*": a number, and a look of its own, on a line of its own. */
  private isNumberedTitle(line: Line, text: string, at: number): boolean {
    if (!NUMBERED_TITLE.test(text) || text.length > 100 || /[.,;:]$/.test(text.trim()))
      return false;
    const isCapitals = text === text.toUpperCase() && /\p{Lu}{3}/u.test(text);
    if (!isCapitals && !line.isItalic && !line.isBold) return false;
    const after = this.lines[at + 1];
    return after === undefined || after.isItalic !== line.isItalic || isCapitals || line.isBold;
  }

  private continuesHeading(line: Line, run: readonly Line[]): boolean {
    const last = run.at(-1);
    return (
      last !== undefined &&
      !this.style.running.has(line) &&
      Math.abs(line.size - last.size) < last.size * 0.06 &&
      line.isBold === last.isBold &&
      line.y - last.y < last.size * 1.6 &&
      line.size >= this.style.bodySize * HEADING_SIZE
    );
  }

  private takeText(line: Line, at: number): number {
    const marker = this.markerOf(line, at);
    if (marker !== undefined || this.open.length === 0 || this.breaksBefore(line)) {
      this.flush();
      this.marker = marker;
    }
    this.open.push(line);
    return 1;
  }

  private markerOf(line: Line, at: number): ListMarker | undefined {
    const marker = listMarker(textOfLine(line));
    if (marker === undefined) {
      // Entries of a table of contents are one line each.
      return isLeader(line) ? { kind: 'bullet', length: 0 } : undefined;
    }
    if (marker.kind !== 'number') return marker;
    return this.hasNeighbour(marker, line, at) ? marker : undefined;
  }

  /**
   * A year at the start of a line is no item; a number with a neighbour that starts another line
   * is.
   */
  private hasNeighbour(marker: ListMarker, line: Line, at: number): boolean {
    this.numbers ??= new Set(
      this.lines.filter((one) => listMarker(textOfLine(one))?.kind === 'number'),
    );
    const last = Math.min(this.lines.length, at + MAX_NUMBER_SEARCH);
    for (let other = Math.max(0, at - MAX_NUMBER_SEARCH); other < last; other++) {
      const candidate = this.lines[other];
      if (candidate === undefined || !this.numbers.has(candidate)) continue;
      const { number = NaN } = listMarker(textOfLine(candidate)) ?? {};
      const isNext = Math.abs(number - (marker.number ?? NaN)) === 1;
      if (isNext && Math.abs(readingStart(candidate) - readingStart(line)) < line.size) return true;
    }
    return false;
  }

  /** Does a new paragraph start here? */
  private breaksBefore(line: Line): boolean {
    const last = this.open.at(-1);
    const first = this.open[0];
    if (last === undefined || first === undefined) return true;
    const gap = line.y - last.y;
    const usual = Math.max(this.leading, Math.min(last.size, line.size) * 1.05);
    if (gap > usual * 1.3 + 1 || Math.abs(line.size - last.size) > last.size * 0.15) return true;
    const isShort = readingEnd(last) < this.right - (this.right - this.left) * 0.12;
    const isEnded = /[.!?:;。！？”")\]]$/.test(textOfLine(last).trim());
    if (isShort && (isEnded || line.isBold !== last.isBold)) return true;
    if (isLeader(last) || isLeader(line)) return true;
    return this.breaksByIndent(line, first, last, isEnded);
  }

  private breaksByIndent(line: Line, first: Line, last: Line, isEnded: boolean): boolean {
    const step = line.size * 0.8;
    if (this.marker !== undefined) return readingStart(line) < readingStart(first) - step;
    if (this.open.length === 1) return readingStart(line) > readingStart(last) + step && isEnded;
    const isHanging = readingStart(this.open[1] ?? first) > readingStart(first) + step;
    return isHanging
      ? readingStart(line) < readingStart(last) - step
      : readingStart(line) > readingStart(last) + step && isEnded;
  }

  private flush(): void {
    const { open, marker } = this;
    this.open = [];
    this.marker = undefined;
    const first = open[0];
    if (first === undefined) return;
    const spans = joinLines(open, this.style.vocabulary);
    if (marker === undefined) {
      return this.add({ kind: 'paragraph', spans, isOpen: this.isOpenEnded(open) }, open);
    }
    const item = {
      kind: 'item',
      spans: marker.kind === 'letter' ? spans : withoutStart(spans, marker.length),
      marker: marker.kind === 'number' ? (marker.number ?? 'bullet') : marker.kind,
      indent: readingStart(first),
    } as const;
    this.add(item, open);
  }

  private add(block: PdfBlock, lines: readonly Line[]): void {
    this.blocks.push({ ...block, lines });
  }

  /** The last line is full and no sentence ends there: it goes on in the next column or page. */
  private isOpenEnded(lines: readonly Line[]): boolean {
    const last = lines.at(-1);
    return last !== undefined && !/[.!?:。！？]["”')\]]?$/.test(textOfLine(last).trim());
  }
}

/** A paragraph cut by the end of a column or page becomes whole again. */
export function joinAcross(blocks: readonly PagedBlock[], style: DocumentStyle): PagedBlock[] {
  const joined: PagedBlock[] = [];
  let lastText = -1;
  for (const block of blocks) {
    const before = joined[lastText];
    if (
      before?.kind === 'paragraph' &&
      block.kind === 'paragraph' &&
      before.isOpen &&
      startsInside(block.spans)
    ) {
      appendLine(before.spans, block.spans, style.vocabulary);
      joined[lastText] = { ...before, isOpen: block.isOpen };
      continue;
    }
    joined.push(block);
    if (block.kind !== 'running') lastText = joined.length - 1;
  }
  return joined;
}

const startsInside = (spans: readonly PdfSpan[]): boolean => /^\p{Ll}/u.test(spans[0]?.text ?? '');

/** Removes characters at the start, over the borders of spans. */
function withoutStart(spans: readonly PdfSpan[], length: number): PdfSpan[] {
  const rest: PdfSpan[] = [];
  let left = length;
  for (const span of spans) {
    const cut = Math.min(left, span.text.length);
    left -= cut;
    if (cut < span.text.length) rest.push({ ...span, text: span.text.slice(cut) });
  }
  return rest;
}

/** Listing with its indents, detected from the width of its letters. */
function codeOf(lines: readonly Line[]): string {
  const width = upperMedian(
    lines
      .map(({ x0, x1, segments }) => {
        const chars = segments.reduce((sum, { spans }) => sum + spansLength(spans), 0);
        return segments.length === 1 && chars > 3 ? (x1 - x0) / chars : NaN;
      })
      .filter(Number.isFinite),
  );
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const char = width > 0 ? width : (lines[0]?.size ?? 10) * 0.6;
  let lastY = lines[0]?.y ?? 0;
  const leading = usualLeading(lines);
  return lines
    .map((line) => {
      const blank = leading > 0 && line.y - lastY > leading * 1.7 ? '\n' : '';
      lastY = line.y;
      return blank + codeLine(line, left, char);
    })
    .join('\n');
}

const spansLength = (spans: readonly PdfSpan[]): number =>
  spans.reduce((sum, { text }) => sum + text.length, 0);

/** Spaces kept before one piece of a line of code. */
const MAX_INDENT = 120;

function codeLine(line: Line, left: number, char: number): string {
  let text = '';
  for (const { spans, x0 } of line.segments) {
    const column = Math.min(Math.round((x0 - left) / char), text.length + MAX_INDENT);
    const gap = Math.max(column - text.length, text === '' ? 0 : 1);
    text += ' '.repeat(gap) + spans.map((span) => span.text).join('');
  }
  return text.trimEnd();
}
