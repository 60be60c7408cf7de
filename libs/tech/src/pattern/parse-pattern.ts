import { readClass, readEscape } from './read-escape.js';
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
