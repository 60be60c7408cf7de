import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { extractPage } from '../extract-page.js';

const H1 = '<h1>Title of the page</h1>';

const costOf = (pageOf: (count: number) => string) =>
  cpuCost(pageOf, (html) =>
    extractPage(
      { body: Buffer.from(html), contentType: 'text/html', url: 'https://example.com/' },
      { markdown: false, links: false, rawHtml: false },
    ),
  );

describe('evidence of a page', () => {
  it.each<[string, (count: number) => string]>([
    ['nested authors', (count) => `${H1}${'<div class=author itemprop=author>'.repeat(count)}`],
    [
      'authors around much',
      (count) => `${H1}${'<div class=author>'.repeat(400)}${'<i></i>'.repeat(count)}`,
    ],
    ['parts about others in one another', (count) => '<div class=sidebar>'.repeat(count) + H1],
    ['dates far below', (count) => `${H1}${'<time>1 May 2020</time>'.repeat(count)}`],
    ['headings', (count) => `<p class=date>1 May 2020</p>${H1}`.repeat(count)],
    ['parts of a title', (count) => `<title>${'a | '.repeat(count)}</title>`],
    ['numbers in a date', (count) => `${H1}<p class=date>${'1 '.repeat(count)}`],
    ['spaces in a byline', (count) => `${H1}<p class=byline>By ${' '.repeat(count)}x`],
  ])('takes time linear in %s', async (_, pageOf) => {
    expect(await growthOf(costOf(pageOf), { from: 5_000 })).toBeLessThan(LINEAR_GROWTH);
  });

  it('takes time linear in marked elements far below the heading, in one of many classes', async () => {
    const far = `${H1}${'<i>x</i>'.repeat(200)}`;
    const cost = costOf(
      (count) =>
        `${far}<div class="${'a '.repeat(20 * count)}">${'<i itemprop=x></i>'.repeat(count)}`,
    );
    // Beyond some thousands no more elements are read.
    expect(await growthOf(cost, { from: 1_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
