import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compilePattern, type CompiledPattern } from '../pattern/compile-pattern.js';
import { parsePattern } from '../pattern/parse-pattern.js';
import { renderPattern } from '../pattern/render-pattern.js';
import type { Mark } from '../scan/mark.js';
import { MarkIndex } from './mark-index.js';
import { piecesFor } from './windows.js';

/** Patterns of the kinds that files hold, over a small alphabet so that they meet. */
const atom = fc.constantFrom(
  'a',
  'b',
  'c',
  '-',
  '\\.',
  '[ab]',
  '[^c]',
  '\\d',
  '\\w',
  'ab',
  'cab',
  'K',
);
const quantifier = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,3}', '+?');
const piece = fc
  .tuple(atom, quantifier)
  .map(([text, count]) =>
    text.length > 1 && count !== '' && !/^[\\[]/.test(text) ? `(?:${text})${count}` : text + count,
  );
const sequence = fc.array(piece, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const group = fc
  .array(sequence, { minLength: 1, maxLength: 3 })
  .map((options) => `(${options.join('|')})`);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '', '^', '\\b'),
    fc.array(fc.oneof(sequence, group), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '', '$', '\\b'),
  )
  .map(([start, parts, end]) => start + parts.join('') + end);
const text = fc.string({ unit: fc.constantFrom(...'abcABC-.1 \u212a'), maxLength: 80 });

function marksOf(patterns: readonly string[]): Mark[] {
  return patterns.flatMap((source, id) => {
    const result = compilePattern(source);
    return 'pattern' in result ? [{ id, technology: id, pattern: result.pattern }] : [];
  });
}

const matching = (
  marks: readonly Mark[],
  isMatch: (pattern: CompiledPattern) => boolean,
): number[] => marks.filter((mark) => isMatch(mark.pattern)).map(({ id }) => id);

function foundIn(text: string, marks: readonly Mark[]): number[] {
  const whole = { text, isStart: true, isEnd: true };
  return new MarkIndex(marks)
    .located(text)
    .filter(({ mark, runs }) =>
      [...piecesFor(whole, mark.pattern, runs)].some((part) => mark.pattern.test(part)),
    )
    .map(({ mark }) => mark.id);
}

/** Whether the pattern matches with each of its repetitions taken 250 times at most. */
function isBoundedMatch(source: string, text: string): boolean {
  const bounded = RE2JS.translateRegExp(renderPattern(parsePattern(source), true));
  return RE2JS.compile(bounded, RE2JS.CASE_INSENSITIVE).test(text);
}

describe('the filter by literals', () => {
  it('loses no match of a short value', () => {
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 6, maxLength: 14 }), text, (patterns, value) => {
        const marks = marksOf(patterns);
        const candidates = new MarkIndex(marks).candidates(value);
        expect(matching(candidates, (one) => one.test(value))).toEqual(
          matching(marks, (one) => one.test(value)),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('loses no match of a long text that repeats nothing more often than bounded, and makes up none', () => {
    const long = fc
      .array(
        fc.oneof(
          text,
          fc.constantFrom(' '.repeat(900), '1.'.repeat(300), 'b'.repeat(260), 'cab '.repeat(5_000)),
        ),
        { maxLength: 4 },
      )
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.array(pattern, { minLength: 1, maxLength: 4 }), long, (patterns, of) => {
        const marks = marksOf(patterns);
        const found = foundIn(of, marks);
        for (const { id, pattern: one } of marks) {
          if (isBoundedMatch(one.text, of)) expect(found).toContain(id);
          if (found.includes(id)) expect(one.test(of)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
