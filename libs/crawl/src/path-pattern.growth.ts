import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { compilePathPattern, compilePathRegex } from './path-pattern.js';

describe('compilePathPattern', () => {
  it('answers a hostile pattern in time linear in the path', async () => {
    const matches = compilePathPattern(`/${'*a'.repeat(200)}`);
    const pathOf = (length: number) => `/${'a'.repeat(length)}b`;
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

describe('compilePathRegex', () => {
  it('answers a hostile expression in time linear in the path', async () => {
    const matches = compilePathRegex('^(/a+)+$|(.*a){9}[^a]$');
    const pathOf = (length: number) => `${'/aa'.repeat(length / 3)}!`;
    const growth = await growthOf(cpuCost(pathOf, matches), { from: 600, upTo: 9_600 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
