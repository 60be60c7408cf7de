import { Vocabulary } from './join-lines.js';
import { textOfLine, type Line } from './lines.js';
import type { PageLayout } from './page-layout.js';
import { mostFrequent } from './piece.js';
import { loneEdgeLines } from './lone-edge-lines.js';

/** What a line means depends on the rest of the document. */
export interface DocumentStyle {
  /** Font size of most of the text, in points. */
  readonly bodySize: number;
  /** Most of the text is set like code: then that is no sign of code. */
  readonly isMono: boolean;
  /** Most of the text is bold: then that is no sign of a heading. */
  readonly isBold: boolean;
  readonly running: ReadonlySet<Line>;
  readonly vocabulary: Vocabulary;
}

export function readStyle(pages: readonly PageLayout[]): DocumentStyle {
  const chars = new Map<number, number>();
  const vocabulary = new Vocabulary();
  let all = 0;
  let mono = 0;
  let bold = 0;
  for (const line of pages.flatMap(({ regions }) => regions.flat())) {
    const { length } = textOfLine(line);
    const size = Math.round(line.size * 2) / 2;
    all += length;
    if (line.isMono) mono += length;
    else chars.set(size, (chars.get(size) ?? 0) + length);
    if (line.isBold) bold += length;
    vocabulary.add(line);
  }
  return {
    bodySize: mostFrequent(chars) ?? 10,
    isMono: mono > all * 0.7,
    isBold: bold > all * 0.5,
    running: findRunningLines(pages),
    vocabulary,
  };
}

/** Lines examined from each end of a page. */
const EDGE_LINES = 5;

/** Share of a page's height from its top and bottom that may hold running titles. */
const EDGE_SHARE = 0.15;

/** Pages that must carry a line for it to be a running one. */
const MIN_PAGES = 3;

interface EdgeLine {
  readonly line: Line;
  /** What it says with numbers left open, and where. */
  readonly key: string;
  /** Its position, alone. */
  readonly slot: string;
  readonly page: number;
  readonly isNumber: boolean;
}

/**
 * Headers, footers and page numbers: lines at a page's edge that say the same on several pages
 * but for numbers, and others in the position of such lines on most pages. In documents of fewer
 * pages their form alone decides.
 */
function findRunningLines(pages: readonly PageLayout[]): ReadonlySet<Line> {
  if (pages.length < MIN_PAGES) return new Set(pages.flatMap(loneEdgeLines));
  const edges = pages.flatMap(edgeLines);
  const sameText = countPages(edges, ({ key }) => key);
  const running = edges.filter(({ key }) => (sameText.get(key) ?? 0) >= MIN_PAGES);
  const slots = countPages(running, ({ slot }) => slot);
  const isUsual = ({ slot }: EdgeLine): boolean => (slots.get(slot) ?? 0) >= pages.length * 0.4;
  // Titles of chapters change from page to page, but not their place.
  const inSlot = edges.filter(
    (edge) => isUsual(edge) || (edge.isNumber && isNearUsual(edge, slots)),
  );
  const kept = new Set(firstParagraphs(running));
  return new Set([...running, ...inSlot].map(({ line }) => line).filter((line) => !kept.has(line)));
}

/** So many words in lines right above each other, up to the end of a sentence, are a text and no title. */
const MIN_PARAGRAPH_WORDS = 20;
const MAX_STEP_EM = 2;

/** A text that stands on each page is one of the document: its lines where it stands first. */
function firstParagraphs(running: readonly EdgeLine[]): readonly Line[] {
  const seen = new Set<string>();
  return groupsOf(running).flatMap((group) => {
    const text = group.map(({ line }) => textOfLine(line).trim()).join(' ');
    const isText = group.length > 1 && /[.!?]$/.test(text);
    if (!isText || text.split(/\s+/).length < MIN_PARAGRAPH_WORDS) return [];
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew ? group.map(({ line }) => line) : [];
  });
}

/** Lines of a page right above each other. */
function groupsOf(edges: readonly EdgeLine[]): readonly (readonly EdgeLine[])[] {
  const groups: EdgeLine[][] = [];
  for (const edge of edges) {
    const last = groups.at(-1)?.at(-1);
    const isNext =
      last?.page === edge.page &&
      Math.abs(edge.line.y - last.line.y) < edge.line.size * MAX_STEP_EM &&
      Math.abs(edge.line.size - last.line.size) < 1;
    if (isNext) groups.at(-1)?.push(edge);
    else groups.push([edge]);
  }
  return groups;
}

/** A page number in a place where some pages have a running line. */
const isNearUsual = ({ slot }: EdgeLine, slots: ReadonlyMap<string, number>): boolean =>
  (slots.get(slot) ?? 0) >= MIN_PAGES;

function edgeLines(page: PageLayout): EdgeLine[] {
  const lines = page.regions.flat().sort((a, b) => a.y - b.y);
  const atTop = lines.slice(0, EDGE_LINES).filter(({ y }) => y < page.height * EDGE_SHARE);
  const atBottom = lines
    .slice(Math.max(EDGE_LINES, lines.length - EDGE_LINES))
    .filter(({ y }) => y > page.height * (1 - EDGE_SHARE));
  return [...atTop, ...atBottom].map((line) => {
    const text = textOfLine(line).trim();
    const said = text.replace(/\d+/g, '#').replace(/\b[ivxlc]+\b/g, '#');
    const slot = `${Math.round(line.y / 3)} ${Math.round(line.size)}`;
    return {
      line,
      key: `${said.slice(0, 200)} ${Math.round(line.y / 8)}`,
      slot,
      page: page.number,
      isNumber:
        /^[\W_]{0,40}(?:\p{L}{1,10}\s)?#(?:[\W_]{0,40}(?:\p{L}{1,4}\s)?#)?[\W_]{0,40}$/u.test(said),
    };
  });
}

function countPages(
  edges: readonly EdgeLine[],
  keyOf: (edge: EdgeLine) => string,
): ReadonlyMap<string, number> {
  const pages = new Map<string, Set<number>>();
  for (const edge of edges) {
    const key = keyOf(edge);
    const seen = pages.get(key) ?? new Set();
    seen.add(edge.page);
    pages.set(key, seen);
  }
  return new Map([...pages].map(([key, seen]) => [key, seen.size]));
}
