import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { compilePathPattern } from './path-pattern.js';

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
