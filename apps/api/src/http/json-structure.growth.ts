import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { structureProblem } from './json-structure.js';

describe('the structure of a JSON body', () => {
  it.each<[string, (chars: number) => string]>([
    ['backslashes', (chars) => `"${'\\'.repeat(chars)}"`],
    ['escaped quotes', (chars) => `"${'\\"'.repeat(chars / 2)}"`],
    ['quotes', (chars) => '""'.repeat(chars / 2)],
    ['letters', (chars) => `"${'a'.repeat(chars)}"`],
  ])('takes linear time over %s', async (_, jsonOf) => {
    const cost = cpuCost(jsonOf, structureProblem);
    const growth = await growthOf(cost, { from: 1_000_000, upTo: 32_000_000 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});
