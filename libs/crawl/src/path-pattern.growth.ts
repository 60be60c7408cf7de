import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { compilePathPatterns } from './path-pattern.js';

const urlOf = (path: string): URL => new URL(`http://a.example${path}`);

describe('compilePathPatterns', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['glob', [`/${'*a'.repeat(200)}`], []],
    ['expression', [], ['^(/a+)+$|(.*a){9}[^a]$']],
    ['list of texts', Array.from({ length: 1_000 }, (_, at) => `**${'a'.repeat(20)}${at}**`), []],
  ])('answers a hostile %s in time linear in the path', async (_, paths, regexes) => {
    const matches = compilePathPatterns(paths, regexes);
    const pathOf = (length: number) => urlOf(`${'/aa'.repeat(length / 3)}!`);
    const growth = await growthOf(cpuCost(pathOf, matches), { from: 600, upTo: 9_600 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });

  it('answers in time linear in the wildcards', async () => {
    const patternOf = (count: number) => compilePathPatterns([`/${'*a'.repeat(count)}`]);
    const url = urlOf(`/${'a'.repeat(500)}b`);
    const cost = cpuCost(patternOf, (matches) => matches(url));
    expect(await growthOf(cost, { from: 50, upTo: 200 })).toBeLessThan(LINEAR_GROWTH);
  });

  it('takes the same time for one text and for a thousand', async () => {
    const listOf = (count: number) =>
      compilePathPatterns(Array.from({ length: count }, (_, at) => `/shop/${at}x`));
    const url = urlOf(`/shop/${'1'.repeat(500)}`);
    const cost = cpuCost(listOf, (matches) => matches(url));
    expect(await growthOf(cost, { from: 250, upTo: 1_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
