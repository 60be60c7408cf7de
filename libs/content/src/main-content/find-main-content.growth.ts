import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { articleWith, jsonLdPage, mainOf, TEXT } from './fixtures/article-page.js';

/** Two parts at each level, which differ at their very ends. */
function alike(levels: number, end = 'a'): string {
  if (levels < 1) return `<p>${TEXT}</p><p>${end}</p>`;
  return `<div>${alike(levels - 1, 'a')}</div><div>${alike(levels - 1, 'b')}</div>`;
}

describe('the main content', () => {
  it.each<[string, (count: number) => string]>([
    ['nesting', (count) => `<div class="a b">${'<article><div class=x><p>word'.repeat(count)}`],
    ['clutter in clutter', (count) => `${'<div class=menu>'.repeat(count)}<p>${TEXT}`],
    ['paragraphs', (count) => articleWith(`<h2>a</h2><p>${TEXT}`.repeat(count / 20))],
    ['captions', (count) => articleWith('<figure><a>b<span>c</span></a></figure>'.repeat(count))],
    ['links above a heading', (count) => `${'<p><a>b</a>'.repeat(count)}<h2>c</h2>`],
    ['labelled headings', (count) => articleWith('<h2>Share</h2><p></p>'.repeat(count))],
    ['titles', (count) => `<h1>T</h1><title>T</title>${articleWith('<h1>a</h1>'.repeat(count))}`],
    ['lists in lists', (count) => articleWith('<ul><li>Print<li>'.repeat(count))],
    [
      'link lists',
      (count) => articleWith('<h2>a</h2><div><ul><li><a>b</a></ul></div>'.repeat(count)),
    ],
    [
      'link lists in each other',
      (count) => articleWith(`${'<div>'.repeat(count)}<h2>Links</h2><a>b c d e f g h</a>`),
    ],
    [
      'ingredients of a recipe, and articles',
      (count) =>
        `<script type="application/ld+json">{"@type":"Recipe","recipeIngredient":["${'a b c '.repeat(30)}"]}</script>${'<p>a b</p><article>c</article>'.repeat(count)}`,
    ],
    [
      'cards of writers',
      (count) =>
        `<h1>a</h1>${`<div><aside>${'<b class=author>'.repeat(20)}${'<i></i>'.repeat(200)}</aside><p>${TEXT}</p></div>`.repeat(count / 100)}`,
    ],
    [
      'names in each other',
      (count) => `<h1>a</h1><p>${TEXT}<aside>${'<div class=author>'.repeat(count)}</aside>`,
    ],
    ['parts that are alike', (count) => `<main>${`<div><p>${TEXT}</p></div>`.repeat(count / 20)}`],
    ['parts that are alike in each other', (count) => `<main>${alike(Math.log2(count / 20))}`],
    ['JSON-LD', (count) => jsonLdPage(`${TEXT} `.repeat(count / 50))],
  ])('takes time linear in %s', async (_, pageOf) => {
    const cost = cpuCost(pageOf, (html) => mainOf(html));
    expect(await growthOf(cost, { from: 5_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
