import {
  isSameLook,
  type Line,
  plainSpan,
  type PdfSpan,
  spansOfLine,
  textOfLine,
} from './lines.js';

/** Words of a document, to distinguish a word broken at a line's end from one with a hyphen. */
export class Vocabulary {
  private readonly words = new Set<string>();

  /** Distinct words kept; later ones are not counted. */
  static readonly MAX_WORDS = 300_000;

  add(line: Line): void {
    if (this.words.size >= Vocabulary.MAX_WORDS) return;
    const text = textOfLine(line);
    // The first and the last word may be half of one.
    const inner = text.slice(text.indexOf(' ') + 1, Math.max(text.lastIndexOf(' '), 0));
    for (const [word] of inner.matchAll(/\p{L}[\p{L}\p{M}]*(?:-\p{L}[\p{L}\p{M}]*)?/gu)) {
      const lower = word.toLowerCase();
      this.words.add(lower);
      for (const half of lower.includes('-') ? lower.split('-') : []) this.words.add(half);
    }
  }

  /** Was the hyphen between two halves put there by breaking the line? */
  isBroken(head: string, tail: string): boolean {
    const [a, b] = [head.toLowerCase(), tail.toLowerCase()];
    if (this.words.has(a + b)) return true;
    if (this.words.has(`${a}-${b}`) || OWN_WORDS.has(b)) return false;
    return !(this.words.has(a) && this.words.has(b));
  }
}

/** English words that follow a hyphen of the author's and never end a word. */
const OWN_WORDS = new Set(
  'based like level class specific oriented driven defined dependent aware wide free time to of in by and the'.split(
    ' ',
  ),
);

/** The last word, unless a hyphen is before it: then the one after it is one as well. */
const HEAD = /(?<![-\p{L}\p{M}])(\p{L}[\p{L}\p{M}]{0,60})[-\u2010\u00ad]$/u;
const TAIL = /^(\p{Ll}[\p{L}\p{M}]{0,60})/u;
const SPACELESS_END = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]$/;
const SPACELESS_START = /^[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/**
 * Text of lines that follow each other, as one run: broken words whole, one space between lines.
 */
export function joinLines(lines: readonly Line[], vocabulary: Vocabulary): PdfSpan[] {
  const spans: PdfSpan[] = [];
  for (const line of lines) appendLine(spans, spansOfLine(line), vocabulary);
  return spans;
}

/** Appends a line's text to what comes before it. */
export function appendLine(
  spans: PdfSpan[],
  next: readonly PdfSpan[],
  vocabulary: Vocabulary,
): void {
  const last = spans.at(-1);
  const [first, ...others] = next;
  if (first === undefined) return;
  if (last === undefined) {
    spans.push(...next);
    return;
  }
  const [before, after] = [last.text.trimEnd(), first.text.trimStart()];
  // An address written out, that its link says goes on.
  const isOneAddress =
    last.link !== undefined && last.link === first.link && /^\w+:\/\/\S*$/.test(before);
  const glue = isOneAddress ? 'none' : glueBetween(before, after, vocabulary);
  const kept = glue === 'broken' ? before.slice(0, -1) : before;
  const space = glue === 'space' ? ' ' : '';
  if (isSameLook(last, first)) {
    spans[spans.length - 1] = { ...last, text: kept + space + after };
  } else {
    spans[spans.length - 1] = { ...last, text: kept };
    if (space !== '') spans.push(plainSpan(space));
    spans.push(first);
  }
  spans.push(...others);
}

type Glue = 'broken' | 'none' | 'space';

function glueBetween(before: string, after: string, vocabulary: Vocabulary): Glue {
  if (before.endsWith('\u00ad')) return 'broken';
  const head = HEAD.exec(before.slice(-64))?.[1];
  const tail = TAIL.exec(after)?.[1];
  if (head !== undefined && tail !== undefined) {
    return vocabulary.isBroken(head, tail) ? 'broken' : 'none';
  }
  // "text-" before a capital or digit: part of a name, no space either.
  if (/[\p{L}\p{N}][-\u2010]$/u.test(before.slice(-3)) && /^[\p{L}\p{N}]/u.test(after)) {
    return 'none';
  }
  if (isBrokenAddress(before, after)) return 'none';
  return SPACELESS_END.test(before) && SPACELESS_START.test(after) ? 'none' : 'space';
}

/** Web addresses are broken after a slash or before a full stop, without a hyphen. */
const isBrokenAddress = (before: string, after: string): boolean =>
  /https?:\/\/\S{0,300}\/$|https?:$/.test(before.slice(-300)) && /^[\w/][^\s]*[/.]/.test(after);
