import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { readablePage } from '../readable-page.js';
import { readProduct } from './read-product.js';

describe('a product', () => {
  it.each<[string, (count: number) => string]>([
    ['prices', (count) => `<h1>x</h1>${'<p class=price>5 €</p>'.repeat(count)}`],
    ['nesting', (count) => `<h1>x</h1>${'<div class=price>'.repeat(count)}5 €`],
    ['digits', (count) => `<p class=price>$${'1,'.repeat(count)}</p>`],
    ['labels', (count) => `<h1>x</h1>${'<p>SKU</p>'.repeat(count)}`],
    ['identifiers in scripts', (count) => `<script>${'"sku":"a1",'.repeat(count)}</script>`],
    [
      'products',
      (count) =>
        `<script type="application/ld+json">[${'{"@type":"Product","name":"a"},'.repeat(count)}1]</script>`,
    ],
  ])('takes time linear in %s', async (_, pageOf) => {
    const cost = cpuCost(pageOf, (html) =>
      readProduct(readablePage(html, 'https://shop.example/p/1')),
    );
    expect(await growthOf(cost, { from: 5_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
