import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { compilePathPattern, pathPatternProblem } from './path-pattern.js';

describe('compilePathPattern', () => {
  it.each([
    ['/docs', '/docs', true],
    ['/docs', '/docs/a/b', true],
    ['/docs', '/docs-old', false],
    ['docs', '/docs/a', true],
    ['/docs/', '/docs', false],
    ['/docs/', '/docs/a', true],
    ['/', '/anything', true],
    ['/blog/*', '/blog/a', true],
    ['/blog/*', '/blog/a/b', false],
    ['/blog/**', '/blog/a/b', true],
    ['**/print', '/a/b/print', true],
    ['*.html', '/index.html', false],
    ['/*.html', '/index.html', true],
    ['/**.html', '/a/b.html', true],
    ['/a*b*c', '/axxbyyc', true],
    ['/a*b*c', '/axxbyy', false],
    ['/20*/??', '/2024/??', true],
    ['/a.b', '/axb', false],
  ])('%s over %s is %s', (pattern, path, expected) => {
    expect(compilePathPattern(pattern)(path)).toBe(expected);
  });

  it.each([
    ['/a*'.repeat(8), null],
    ['/a*'.repeat(9), 'has more than 8 wildcards'],
    ['/**/**', null],
  ])('judges the number of wildcards of %s', (pattern, problem) => {
    expect(pathPatternProblem(pattern)).toBe(problem);
  });

  it('answers a hostile pattern in time linear in the path', async () => {
    const matches = compilePathPattern(`/${'*a'.repeat(200)}`);
    const pathOf = (length: number) => `/${'a'.repeat(length)}b`;
    expect(matches(pathOf(2_000))).toBe(false);
    const growth = await growthOf(cpuCost(pathOf, matches), { from: 500, upTo: 8_000 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });

  it('answers in time linear in the wildcards', async () => {
    const patternOf = (count: number) => compilePathPattern(`/${'*a'.repeat(count)}`);
    const path = `/${'a'.repeat(500)}b`;
    const cost = cpuCost(patternOf, (matches) => matches(path));
    expect(await growthOf(cost, { from: 50, upTo: 200 })).toBeLessThan(LINEAR_GROWTH);
  });
});
