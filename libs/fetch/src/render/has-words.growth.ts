import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { hasWords } from './render-page.js';

describe('hasWords', () => {
  it.each([
    ['openings without an end', (n: number) => '<'.repeat(n)],
    ['tags', (n: number) => '<b>'.repeat(n / 3)],
    ['white space', (n: number) => ' '.repeat(n)],
    ['tags and an opening without an end', (n: number) => `${'<b> '.repeat(n / 4)}<b`],
  ])('takes time linear in the length: %s', async (_name, source) => {
    expect(await growthOf(cpuCost(source, hasWords))).toBeLessThan(LINEAR_GROWTH);
  });
});
