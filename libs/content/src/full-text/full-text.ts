import { MAX_FULL_TEXT_CHARS, MAX_FULL_TEXT_WORD_CHARS, MAX_FULL_TEXT_WORDS } from '../limits.js';
import { lineText } from './line-text.js';

/** The text of a page for full text search: no markup, no control characters, bounded. */
export interface FullText {
  /** Language tag as the page declares it; null: it declares none. */
  readonly language: string | null;
  readonly title: string;
  /** Its headings, one per line. */
  readonly headings: string;
  /** All of its text, headings included, in lines of at most 1,000 characters. */
  readonly text: string;
}

/** Markdown that is read for the text: most of a page of links is no text. */
const MAX_SOURCE_CHARS = 4 * MAX_FULL_TEXT_CHARS;
const MAX_LINE_CHARS = 1_000;
const HEADING = /^#{1,6}[ \t]+/;
const FENCE = /^[ \t>]{0,12}(`{3,}|~{3,})/;
/** The line below the head of a table, a rule, or a lone mark of a list. */
const ONLY_MARKS = /^[\s|:*_>+-]*$/;
const LEADING = /^[\s>]*(?:[-*+]\s+(?:\[[ xX]\]\s+)?)?/;
/** A text of PostgreSQL holds no NUL; the others are marks of the snippets. `toWellFormed` makes U+FFFD. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f\ufffd]+/g;

/** Makes the searchable text of a page of its Markdown, in linear time. */
export function fullText(
  markdown: string,
  { title = '', language }: { readonly title?: string; readonly language?: string },
): FullText {
  const source = markdown.slice(0, MAX_SOURCE_CHARS);
  // So many different words have at least a letter and a space each.
  const words = source.length >= 2 * MAX_FULL_TEXT_WORDS ? new Set<string>() : null;
  const headings: string[] = [];
  const lines: string[] = [];
  let left = MAX_FULL_TEXT_CHARS;
  for (const { text, isHeading } of linesOf(source)) {
    const kept = withinWords(clean(text).slice(0, left), words);
    if (kept !== '') lines.push(...wrapped(kept));
    if (kept !== '' && isHeading) headings.push(kept);
    left -= kept.length + 1;
    if (left <= 0 || (words && words.size >= MAX_FULL_TEXT_WORDS)) break;
  }
  return {
    language: language ?? null,
    title: clean(title),
    headings: headings.join('\n'),
    text: lines.join('\n').slice(0, MAX_FULL_TEXT_CHARS).toWellFormed(),
  };
}

/** Snippets are made of whole lines. */
function wrapped(line: string): string[] {
  const parts: string[] = [];
  let at = 0;
  while (line.length - at > MAX_LINE_CHARS) {
    const space = line.lastIndexOf(' ', at + MAX_LINE_CHARS);
    const end = space > at ? space : at + MAX_LINE_CHARS;
    parts.push(line.slice(at, end).toWellFormed());
    at = space > at ? end + 1 : end;
  }
  return [...parts, line.slice(at).toWellFormed()];
}

interface Line {
  readonly text: string;
  readonly isHeading: boolean;
}

function* linesOf(source: string): Generator<Line> {
  let fence: string | null = null;
  for (let at = 0; at < source.length;) {
    const end = source.indexOf('\n', at);
    const line = source.slice(at, end === -1 ? undefined : end);
    at = end === -1 ? source.length : end + 1;
    const mark = FENCE.exec(line)?.[1];
    if (fence !== null) {
      if (mark?.startsWith(fence)) fence = null;
      else yield { text: line.trim(), isHeading: false };
    } else if (mark !== undefined) fence = mark;
    else if (HEADING.test(line))
      yield { text: lineText(line.replace(HEADING, '')), isHeading: true };
    else if (!ONLY_MARKS.test(line))
      yield { text: lineText(line.replace(LEADING, '')), isHeading: false };
  }
}

function clean(text: string): string {
  return text.toWellFormed().replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * The line without encoded data, which no search finds and which would fill an index, up to the word with which
 * the page has too many different ones.
 */
function withinWords(line: string, words: Set<string> | null): string {
  const short = line.length > MAX_FULL_TEXT_WORD_CHARS ? withoutData(line) : line;
  if (words === null) return short;
  for (const match of short.matchAll(WORD)) {
    words.add(match[0]);
    if (words.size >= MAX_FULL_TEXT_WORDS) return short.slice(0, match.index).trimEnd();
  }
  return short;
}

const VISIBLE_ASCII = /^[!-~]+$/;

/** Scripts without spaces have sentences as long as encoded data, but not in ASCII. */
function withoutData(line: string): string {
  const isData = (run: string): boolean =>
    run.length > MAX_FULL_TEXT_WORD_CHARS && VISIBLE_ASCII.test(run);
  return line
    .split(' ')
    .map((run) => (isData(run) ? '…' : run))
    .join(' ');
}
