import type { PatternNode } from './pattern-node.js';
import { PatternProblem } from './pattern-problem.js';

interface Read {
  readonly node: PatternNode;
  readonly end: number;
}

const CONTROLS: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, v: 11, f: 12, '0': 0 };
const HEX = /^(?:x([\da-fA-F]{2})|u([\da-fA-F]{4}))/;

/** Reads what a backslash at `at` begins, outside of a class. */
export function readEscape(source: string, at: number): Read {
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
export function readClass(source: string, at: number): Read {
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
