import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { parseJsonLd } from './read-json-ld.js';

describe('parseJsonLd', () => {
  it.each<[string, (chars: number) => string]>([
    ['open brackets', (chars) => '['.repeat(chars)],
    ['quotes', (chars) => '{"a":' + '" '.repeat(chars / 2)],
    ['comments', (chars) => '/*'.repeat(chars / 2)],
    ['white space', (chars) => `{"a":1} ${' '.repeat(chars)}x`],
    ['slashes', (chars) => '//'.repeat(chars / 2) + '{}'],
  ])('gives up on %s in time linear in their number', async (_, sourceOf) => {
    const cost = cpuCost(sourceOf, parseJsonLd);
    expect(await growthOf(cost, { from: 100_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
