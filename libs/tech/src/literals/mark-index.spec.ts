import { compilePattern } from '../pattern/compile-pattern.js';
import type { Mark } from '../scan/mark.js';
import { MarkIndex } from './mark-index.js';

function indexOf(...patterns: string[]): MarkIndex {
  const marks = patterns.flatMap((text, id): Mark[] => {
    const result = compilePattern(text);
    return 'pattern' in result ? [{ id, technology: id, pattern: result.pattern }] : [];
  });
  return new MarkIndex(marks);
}

const vendors = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `vendor-${index}\\.js`);

const idsOf = (marks: readonly Mark[]): number[] => marks.map(({ id }) => id);

describe('MarkIndex', () => {
  it('finds, among thousands, the marks whose literal a value contains', () => {
    const index = indexOf(...vendors(5_000));
    expect(idsOf(index.candidates('/static/VENDOR-4711.js?v=1'))).toEqual([4_711]);
    expect(index.candidates('/static/other.js')).toEqual([]);
  });

  it('names a mark once, in the order of their making, with those that have no literal', () => {
    const index = indexOf('beta', '\\d{4}', ...vendors(6), 'alpha|gamma', 'beta.*alpha');
    expect(idsOf(index.candidates('gamma beta alpha gamma'))).toEqual([0, 1, 8, 9]);
    expect(idsOf(index.candidates('none'))).toEqual([1]);
  });

  it('names all of a few marks, as they are tried as quickly', () => {
    expect(idsOf(indexOf('alpha', 'beta').candidates('none'))).toEqual([0, 1]);
  });

  it('returns the positions of literals in a long text, near ones as one', () => {
    const index = indexOf('alpha', 'beta|gamma', '\\d+');
    const text = `alpha ${'-'.repeat(300)} alpha beta ${'-'.repeat(300)} gamma`;
    expect(index.located(text).map(({ mark, runs }) => [mark.id, runs])).toEqual([
      [0, [0, 5, 307, 312]],
      [1, [313, 317, 619, 624]],
      [2, null],
    ]);
    const [near] = indexOf('alpha').located('alpha alpha '.repeat(3));
    expect(near?.runs).toEqual([0, 35]);
  });

  it('returns no mark when it has none', () => {
    expect(indexOf().candidates('x')).toEqual([]);
    expect(indexOf().located('x')).toEqual([]);
  });
});
