import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { repairMisreadUtf8 } from './misread-utf8.js';

describe('UTF-8 that a browser read as windows-1252', () => {
  it.each<[string, (count: number) => string]>([
    ['sequences', (n) => 'Ã©'.repeat(n / 2)],
    ['beginnings', (n) => 'ð'.repeat(n)],
    ['spaces that do not break', (n) => 'ð&nbsp;'.repeat(n / 7)],
    ['open tags', (n) => '<meta '.repeat(n / 6)],
  ])('is read in linear time: %s', async (_, textOf) => {
    const cost = cpuCost(textOf, (text: string) => repairMisreadUtf8(text, undefined));
    expect(await growthOf(cost, { from: 100_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
