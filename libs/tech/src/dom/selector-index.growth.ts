import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { meantBy } from './fixtures/meant-by.js';

describe('SelectorIndex', () => {
  it.each<[string, (chars: number) => string]>([
    ['of one class', (chars) => '<p class="a b c">'.repeat(chars / 17)],
    ['with a class of many names', (chars) => `<p class="${'b '.repeat(chars / 2)}">`],
    ['with a class again and again', (chars) => `<p class="${'a '.repeat(chars / 2)}">`],
    ['nested deeply', (chars) => '<div class=b><div class=a>'.repeat(chars / 26)],
    ['with long values', (chars) => `<a href="${'vendor.com'.repeat(chars / 10)}">`],
    ['closed too often', (chars) => '<div>'.repeat(chars / 10) + '</p>'.repeat(chars / 8)],
  ])('takes time linear in a page of elements %s', async (_, pageOf) => {
    const selectors = '.a .b .c, .a.none, div > .a, [href*="vendor.com"] i, .b > .a .b';
    const cost = cpuCost(pageOf, (html: string) => meantBy(selectors, html));
    expect(await growthOf(cost, { from: 20_000, upTo: 1_000_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
