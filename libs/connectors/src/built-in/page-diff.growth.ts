import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { UNITS } from '../../../../test/growth/hostile-text.js';
import { lineDiff, pageDiff } from './page-diff.js';

const RULES = { ignorePatterns: [], ignoreNoise: true, threshold: 0 };
const SIZES = { from: 10_000, upTo: 40_000 };

/** Another order of the same lines: none is where it was. */
const turned = (text: string): string => text.split('\n').toReversed().join('\n');

describe('the difference of two texts of a page', () => {
  it.each(UNITS)('is found in linear time in a text of %j', async (unit) => {
    const cost = cpuCost(
      (n) => unit.repeat(n / unit.length),
      (text) => pageDiff(text, `${text}x`, RULES),
    );
    expect(await growthOf(cost, SIZES)).toBeLessThan(LINEAR_GROWTH);
  });

  it('is found in linear time in lines that have all moved, and is not shown', async () => {
    const linesOf = (n: number): string =>
      Array.from({ length: n / 8 }, (_, at) => `line ${at}`).join('\n');
    const cost = cpuCost(linesOf, (text) => pageDiff(text, `${turned(text)}\nmore`, RULES));
    expect(await growthOf(cost, SIZES)).toBeLessThan(LINEAR_GROWTH);
    const text = linesOf(40_000);
    expect(pageDiff(text, `${turned(text)}\nmore`, RULES)).toEqual({ changedLines: 1, diff: null });
  });

  it('is found in linear time in lines that all differ', async () => {
    const linesOf = (n: number): string =>
      Array.from({ length: n / 8 }, (_, at) => `line ${at}`).join('\n');
    const cost = cpuCost(linesOf, (text) => lineDiff(text, text.replaceAll('l', 'L')));
    expect(await growthOf(cost, SIZES)).toBeLessThan(LINEAR_GROWTH);
  });
});
