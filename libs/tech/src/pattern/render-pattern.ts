import type { PatternNode, RepeatNode } from './pattern-node.js';
import { PatternProblem } from './pattern-problem.js';

/** Value of a repetition without an end, and the most that an explicit one may have. */
export const MAX_REPEATS = 250;

/** The linear engine writes repetitions out: `(a{250}){250}` would be 62,500 instructions. */
const MAX_INSTRUCTIONS = 4_000;

/**
 * How the pattern is written for an engine. With `isBounded` every repetition gets an end, so that
 * an engine that backtracks tries a bounded number of ways. The linear engine gets them as they
 * are: there an end costs instead of saving (64 KB of `1.1.` against `([\d.]+)x` took 0.5 ms,
 * against `{1,250}` 39 ms), and what bounds it is the text it is given.
 */
export function renderPattern(node: PatternNode, isBounded: boolean): string {
  switch (node.kind) {
    case 'text':
      return renderText(node.text);
    case 'set':
    case 'assert':
    case 'backreference':
      return node.source;
    case 'group':
    case 'look':
      return `${node.open}${renderPattern(node.body, isBounded)})`;
    case 'repeat':
      return `${renderRepeated(node, isBounded)}${quantifierOf(node, isBounded)}`;
    case 'sequence':
      return node.items.map((item) => renderPattern(item, isBounded)).join('');
    case 'choice':
      return node.options.map((option) => renderPattern(option, isBounded)).join('|');
  }
}

function renderRepeated({ of }: RepeatNode, isBounded: boolean): string {
  const text = renderPattern(of, isBounded);
  return of.kind === 'sequence' || of.kind === 'choice' ? `(?:${text})` : text;
}

function renderText(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(
      /[\x00-\x1f\x7f]/g,
      (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
    );
}

function quantifierOf({ min, max, isLazy }: RepeatNode, isBounded: boolean): string {
  const lazy = isLazy ? '?' : '';
  if (min === 0 && max === 1) return `?${lazy}`;
  const least = Math.min(min, MAX_REPEATS);
  if (max !== Infinity) return `{${least},${Math.min(max, MAX_REPEATS)}}${lazy}`;
  if (isBounded) return `{${least},${MAX_REPEATS}}${lazy}`;
  if (least > 1) return `{${least},}${lazy}`;
  return `${least === 0 ? '*' : '+'}${lazy}`;
}

/** Throws a {@link PatternProblem} for a pattern that is small to write and huge to run. */
export function checkSize(node: PatternNode): void {
  if (instructionsOf(node) > MAX_INSTRUCTIONS)
    throw new PatternProblem('repeats repetitions too many times');
}

function instructionsOf(node: PatternNode): number {
  switch (node.kind) {
    case 'text':
      return node.text.length;
    case 'set':
    case 'assert':
    case 'backreference':
      return 1;
    case 'group':
    case 'look':
      return 2 + instructionsOf(node.body);
    case 'repeat':
      return instructionsOf(node.of) * timesWritten(node) + 1;
    case 'sequence':
      return node.items.reduce((sum, item) => sum + instructionsOf(item), 0);
    case 'choice':
      return node.options.reduce((sum, option) => sum + instructionsOf(option) + 1, 0);
  }
}

function timesWritten({ min, max }: RepeatNode): number {
  const most = max === Infinity ? min + 1 : max;
  return Math.min(Math.max(most, 1), MAX_REPEATS);
}

/** How often the innermost is repeated by explicit counts, one within the other. */
export function nestedRepeats(node: PatternNode): number {
  switch (node.kind) {
    case 'text':
    case 'set':
    case 'assert':
    case 'backreference':
      return 1;
    case 'group':
    case 'look':
      return nestedRepeats(node.body);
    case 'repeat':
      return nestedRepeats(node.of) * explicitTimes(node);
    case 'sequence':
      return node.items.reduce((most, item) => Math.max(most, nestedRepeats(item)), 1);
    case 'choice':
      return node.options.reduce((most, option) => Math.max(most, nestedRepeats(option)), 1);
  }
}

/** `*`, `+` and `?` are no counts. */
function explicitTimes({ min, max }: RepeatNode): number {
  const count = max === Infinity ? min : max;
  return Math.min(Math.max(count, 1), MAX_REPEATS);
}

/**
 * Most characters a match can have when every repetition without an end is taken {@link
 * MAX_REPEATS} times. Text further from a literal than this is not examined.
 */
export function maxMatchChars(node: PatternNode): number {
  switch (node.kind) {
    case 'text':
      return node.text.length;
    case 'set':
      return 1;
    case 'assert':
      return 0;
    case 'backreference':
      return MAX_REPEATS;
    case 'group':
    case 'look':
      return maxMatchChars(node.body);
    case 'repeat':
      return maxMatchChars(node.of) * Math.min(node.max, MAX_REPEATS);
    case 'sequence':
      return node.items.reduce((sum, item) => sum + maxMatchChars(item), 0);
    case 'choice':
      return Math.max(...node.options.map(maxMatchChars));
  }
}
