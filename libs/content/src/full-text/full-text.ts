import { MAX_FULL_TEXT_CHARS, MAX_FULL_TEXT_WORD_CHARS, MAX_FULL_TEXT_WORDS } from '../limits.js';
import { withoutInlinedImages } from '../markdown-page/read-markdown-page.js';

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
  const source = withoutInlinedImages(markdown).slice(0, MAX_SOURCE_CHARS);
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

const PUNCTUATION = /[!-/:-@[-`{-~]/;
/** Characters that may be markup of Markdown; everything between them is copied as it is. */
const SUSPECT = /[\\`*~[\]<|!]/g;

/** The text of one line of Markdown outside of code blocks: one pass, whatever the line. */
export function lineText(line: string): string {
  return new LineReader(line).read();
}

class LineReader {
  private at = 0;
  private text = '';

  constructor(private readonly line: string) {}

  read(): string {
    for (let next = this.nextSuspect(); next !== -1; next = this.nextSuspect()) {
      this.text += this.line.slice(this.at, next);
      this.at = next;
      this.mark();
    }
    return this.text + this.line.slice(this.at);
  }

  private nextSuspect(): number {
    SUSPECT.lastIndex = this.at;
    return SUSPECT.exec(this.line)?.index ?? -1;
  }

  private mark(): void {
    const character = this.line.charAt(this.at);
    const following = this.line.charAt(this.at + 1);
    switch (character) {
      case '\\':
        return PUNCTUATION.test(following) ? this.put(following, 2) : this.put('\\', 1);
      case '`':
        return this.code();
      case ']':
        return following === '(' ? this.target() : this.put('', 1);
      case '|':
        return this.put(' ', 1);
      case '!':
        return this.put(following === '[' ? '' : '!', 1);
      case '<':
        // An address in angle brackets is text; so is a lone sign.
        return this.put(/[a-z]/i.test(following) ? ' ' : '<', 1);
      case '~':
        return following === '~' ? this.put('', 2) : this.put('~', 1);
      default:
        return this.put('', 1);
    }
  }

  private put(text: string, consumed: number): void {
    this.text += text;
    this.at += consumed;
  }

  /** Nothing is markup up to the next run of as many backticks, or up to the end of the line. */
  private code(): void {
    const start = this.at;
    while (this.line.charAt(this.at) === '`') this.at++;
    const fence = this.at - start;
    const from = this.at;
    while (this.at < this.line.length) {
      const run = this.line.indexOf('`', this.at);
      if (run === -1) break;
      this.at = run;
      while (this.line.charAt(this.at) === '`') this.at++;
      if (this.at - run !== fence) continue;
      this.text += this.line.slice(from, run);
      return;
    }
    this.text += this.line.slice(from);
    this.at = this.line.length;
  }

  /** The address of a link is no text. */
  private target(): void {
    let depth = 0;
    for (this.at++; this.at < this.line.length; this.at++) {
      const character = this.line.charAt(this.at);
      if (character === '\\') this.at++;
      else if (character === '(') depth++;
      else if (character === ')' && --depth === 0) break;
    }
    this.at++;
  }
}
