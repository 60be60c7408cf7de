import { type Line, textOfLine, textOfSpans } from './lines.js';
import { type PageLayout } from './page-layout.js';
import { upperMedian } from './piece.js';

/** Lines examined from each end of a page. */
const EDGE_LINES = 5;
/** Share of a page's height from its top and bottom that may hold running lines. */
const EDGE_SHARE = 0.12;
/** Room between running lines and the text: by the page's usual step from line to line, and by font size. */
const MIN_ROOM_STEPS = 1.35;
const MIN_ROOM_EM = 1.6;
/** Running lines are not set in larger letters than the text. */
const MAX_SIZE = 1.15;

const NO_WORD = /^[^\p{L}\p{N}]*$/u;
const PAGE_NUMBER =
  /^[\W_]{0,10}(?:(?:page|seite|p\.|s\.)\s)?\d{1,4}(?:\s(?:of|von)\s\d{1,4})?[\W_]{0,10}$/i;
/** Stamps of archives and libraries on pages that they hand out. */
const STAMP =
  /^(?:(?:this content was )?downloaded (?:from|by|on)\b|download date\b|published by\b|printed (?:by|from|on)\b|digiti[sz]ed by\b)/i;
const DATE =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?\s(?:\d{1,2},?\s)?(?:19|20)\d{2}\b/i;

/**
 * Running lines of a page by their form alone, since a document of few pages does not repeat them:
 * page numbers, stamps, and lines of several parts with a page number or a date among them. They
 * are at an edge of the page, apart from the text.
 */
export function loneEdgeLines(page: PageLayout): readonly Line[] {
  const lines = page.regions.flat().sort((a, b) => a.y - b.y);
  const text = {
    size: upperMedian(lines.map(({ size }) => size)),
    step: upperMedian(stepsOf(lines)),
  };
  const isNear = (y: number): boolean => y < page.height * EDGE_SHARE;
  return [
    ...fromEdge(lines, ({ y }) => isNear(y), text),
    ...fromEdge([...lines].reverse(), ({ y }) => isNear(page.height - y), text),
  ];
}

interface TextMeasure {
  readonly size: number;
  readonly step: number;
}

function stepsOf(lines: readonly Line[]): readonly number[] {
  return lines.flatMap(({ y, size }, index) => {
    const step = y - (lines[index - 1]?.y ?? y);
    return step > size * 0.5 ? [step] : [];
  });
}

/** @param lines from the edge inwards */
function fromEdge(
  lines: readonly Line[],
  isAtEdge: (line: Line) => boolean,
  text: TextMeasure,
): readonly Line[] {
  const found: Line[] = [];
  for (const line of lines.slice(0, EDGE_LINES)) {
    if (!isAtEdge(line) || !(isStamp(line) || hasRunningForm(line, text.size))) break;
    found.push(line);
  }
  for (let last = found.at(-1); last !== undefined; last = found.at(-1)) {
    if (isStamp(last) || isApart(last, lines[found.length], text)) break;
    found.pop();
  }
  return found;
}

const isStamp = (line: Line): boolean => STAMP.test(textOfLine(line).trim());

function hasRunningForm(line: Line, textSize: number): boolean {
  const text = textOfLine(line).trim();
  if (NO_WORD.test(text)) return true;
  if (line.size > textSize * MAX_SIZE) return false;
  if (PAGE_NUMBER.test(text)) return true;
  const parts = line.segments.map(({ spans }) => textOfSpans(spans).trim());
  if (parts.length < 2) return false;
  const isNumbered = PAGE_NUMBER.test(parts[0] ?? '') || PAGE_NUMBER.test(parts.at(-1) ?? '');
  return isNumbered || (parts.length > 2 && parts.some((part) => DATE.test(part)));
}

/** A row of a table has the next one near it, or one of several parts. */
function isApart(line: Line, inner: Line | undefined, { step }: TextMeasure): boolean {
  if (inner === undefined) return false;
  const room = Math.abs(inner.y - line.y);
  const isRow = line.segments.length > 1 && inner.segments.length > 1;
  return !isRow && room > step * MIN_ROOM_STEPS && room > line.size * MIN_ROOM_EM;
}
