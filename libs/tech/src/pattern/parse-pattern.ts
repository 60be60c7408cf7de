import type { PatternNode, RepeatNode, TextNode } from './pattern-node.js';
import { PatternProblem } from './pattern-problem.js';

/** Longer ones are refused: no pattern that a person wrote comes near. */
export const MAX_FINGERPRINT_PATTERN_CHARS = 2_000;
const MAX_DEPTH = 40;

/** Takes a regular expression as JavaScript writes them apart; throws a {@link PatternProblem}. */
export function parsePattern(source: string): PatternNode {
  if (source.length > MAX_FINGERPRINT_PATTERN_CHARS)
    throw new PatternProblem(`is longer than ${MAX_FINGERPRINT_PATTERN_CHARS} characters`);
  return new PatternParser(source).parse();
}

const OPENS = /^\((?:\?(?:[:=!]|<[=!]|<[A-Za-z_$][\w$]*>))?/;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/;

class PatternParser {
  private at = 0;
  private depth = 0;

  constructor(private readonly source: string) {}

  parse(): PatternNode {
    const node = this.choice();
    if (this.at < this.source.length) throw new PatternProblem("has a ')' too many");
    return node;
  }

  private choice(): PatternNode {
    const options = [this.sequence()];
    while (this.source[this.at] === '|') {
      this.at++;
      options.push(this.sequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: 'choice', options };
  }

  private sequence(): PatternNode {
    const items: PatternNode[] = [];
    for (;;) {
      const char = this.source[this.at];
      if (char === undefined || char === '|' || char === ')') return { kind: 'sequence', items };
      addTo(items, this.repeated(this.atom(char)));
    }
  }

  private atom(char: string): PatternNode {
    switch (char) {
      case '(':
        return this.group();
      case '[':
        return this.take(readClass(this.source, this.at));
      case '\\':
        return this.take(readEscape(this.source, this.at));
      case '^':
      case '$':
        this.at++;
        return { kind: 'assert', source: char };
      case '.':
        this.at++;
        return { kind: 'set', source: '.', chars: null };
      default:
        return this.plain(char);
    }
  }

  private plain(char: string): PatternNode {
    if (QUANTIFIER.test(this.source.slice(this.at, this.at + 12)))
      throw new PatternProblem(`has nothing to repeat before '${char}'`);
    this.at++;
    return { kind: 'text', text: char };
  }

  private take({ node, end }: { readonly node: PatternNode; readonly end: number }): PatternNode {
    this.at = end;
    return node;
  }

  private group(): PatternNode {
    const open = OPENS.exec(this.source.slice(this.at, this.at + 80))?.[0] ?? '(';
    if (open === '(' && this.source[this.at + 1] === '?')
      throw new PatternProblem(
        `has a group of a kind unknown: ${this.source.slice(this.at, this.at + 5)}`,
      );
    if (++this.depth > MAX_DEPTH) throw new PatternProblem('nests groups too deeply');
    this.at += open.length;
    const body = this.choice();
    if (this.source[this.at] !== ')') throw new PatternProblem("lacks a ')'");
    this.at++;
    this.depth--;
    return { kind: /^\(\?<?[=!]/.test(open) ? 'look' : 'group', open, body };
  }

  private repeated(of: PatternNode): PatternNode {
    const quantifier = QUANTIFIER.exec(this.source.slice(this.at, this.at + 24));
    if (quantifier === null) return of;
    if (of.kind === 'assert' || of.kind === 'look')
      throw new PatternProblem('repeats what takes no characters');
    this.at += quantifier[0].length;
    const isLazy = this.source[this.at] === '?';
    if (isLazy) this.at++;
    const repeat: RepeatNode = { kind: 'repeat', of, ...rangeOf(quantifier), isLazy };
    if (repeat.max < repeat.min) throw new PatternProblem(`counts backwards: ${quantifier[0]}`);
    if (QUANTIFIER.test(this.source.slice(this.at, this.at + 24)))
      throw new PatternProblem('repeats a repetition');
    return repeat;
  }
}

/** Runs of characters are one node: patterns are mostly that. */
function addTo(items: PatternNode[], item: PatternNode): void {
  const last = items.at(-1);
  const isRun = last?.kind === 'text' && item.kind === 'text' && isAscii(last) && isAscii(item);
  if (isRun) items[items.length - 1] = { kind: 'text', text: last.text + item.text };
  else items.push(item);
}

function isAscii({ text }: TextNode): boolean {
  return text.charCodeAt(0) < 128;
}

function rangeOf(quantifier: RegExpExecArray): { readonly min: number; readonly max: number } {
  const [text, least, comma, most] = quantifier;
  if (text === '?') return { min: 0, max: 1 };
  if (least === undefined) return { min: text === '+' ? 1 : 0, max: Infinity };
  const min = Number(least);
  if (comma === undefined) return { min, max: min };
  return { min, max: most === undefined || most === '' ? Infinity : Number(most) };
}

interface Read {
  readonly node: PatternNode;
  readonly end: number;
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };
const HEX = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/;

/** Reads what a backslash at `at` begins, outside of a class. */
function readEscape(source: string, at: number): Read {
  const next = source[at + 1];
  if (next === undefined) throw new PatternProblem('ends in a backslash');
  const end = at + 2;
  if (next === 'b' || next === 'B')
    return { node: { kind: 'assert', source: next === 'b' ? '\\b' : '\\B' }, end };
  if (/[dDwWsS]/.test(next))
    return { node: { kind: 'set', source: `\\${next}`, chars: null }, end };
  if (/[1-9]/.test(next)) return backreference(source, at, /^\\\d+/);
  if (next === 'k' && source[end] === '<') return backreference(source, at, /^\\k<[\w$]+>/);
  if (/[pPc]/.test(next))
    throw new PatternProblem(`has an escape that is not supported: \\${next}`);
  const hex = HEX.exec(source.slice(at + 1, at + 6));
  if (hex !== null)
    return { node: charOf(parseInt(hex[1] ?? hex[2] ?? '', 16)), end: at + 1 + hex[0].length };
  return { node: charOf(CONTROLS[next] ?? next.charCodeAt(0)), end };
}

function charOf(code: number): PatternNode {
  return { kind: 'text', text: String.fromCharCode(code) };
}

function backreference(source: string, at: number, form: RegExp): Read {
  const text = form.exec(source.slice(at))?.[0];
  if (text === undefined) throw new PatternProblem('has a broken reference to a group');
  return { node: { kind: 'backreference', source: text }, end: at + text.length };
}

/** So many characters are still worth distinguishing, as in `[-.]`. */
const FEW = 4;

/** Reads the class with its bracket at `at`. */
function readClass(source: string, at: number): Read {
  let end = at + 1;
  if (source[end] === '^') end++;
  if (source[end] === ']') throw new PatternProblem('has an empty class');
  while (source[end] !== ']') {
    if (end >= source.length) throw new PatternProblem("lacks a ']'");
    end += source[end] === '\\' ? 2 : 1;
  }
  const text = source.slice(at, end + 1);
  return { node: { kind: 'set', source: text, chars: fewChars(text.slice(1, -1)) }, end: end + 1 };
}

/**
 * The characters of a class where it just lists a few; null for ranges, negations and whole kinds.
 */
function fewChars(inside: string): readonly string[] | null {
  if (inside.startsWith('^')) return null;
  const chars = inside.match(/\\[^A-Za-z0-9]|[^\\]/gs) ?? [];
  if (chars.join('') !== inside || chars.length > FEW) return null;
  if (chars.slice(1, -1).includes('-')) return null;
  return chars.map((char) => char.at(-1) ?? '');
}
