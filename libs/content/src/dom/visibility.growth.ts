import { cpuCost, growthOf, LINEAR_GROWTH } from '@app/testing';
import { type Document } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { parseHtml } from './parse-html.js';
import { isHidden } from './visibility.js';

describe('the page behind a dialog', () => {
  const shownIn = (page: Document): boolean[] =>
    DomUtils.findAll(
      (element) => element.attribs['aria-hidden'] === 'true',
      [...page.children],
    ).map((element) => !isHidden(element));

  it('costs no more where many elements are hidden around a heading', async () => {
    const pageOf = (count: number) =>
      parseHtml('<div aria-hidden="true">'.repeat(count / 50) + '<h1>x</h1>'.repeat(count));
    // Both numbers grow; looking at each heading for each element would be squared.
    const growth = await growthOf(cpuCost(pageOf, shownIn), { from: 5_000, upTo: 20_000 });
    expect(growth).toBeLessThan(LINEAR_GROWTH);
  });
});

describe('panels that a title unfolds', () => {
  const hiddenIn = (page: Document): number =>
    DomUtils.findAll((element) => isHidden(element), [...page.children]).length;

  it.each<[string, (count: number) => string]>([
    [
      'in a row',
      (n) =>
        `<b aria-expanded=false>a</b><div hidden>${'<i>b. </i>'.repeat(90)}</div>`.repeat(n / 100),
    ],
    ['in each other', (n) => '<b aria-expanded=false>a</b><div hidden>long. text. '.repeat(n / 10)],
    [
      'below titles of many elements',
      (n) => `<h3>${'<i></i>'.repeat(99)}</h3><p hidden>a</p>`.repeat(n / 100),
    ],
  ])('are found in linear time: %s', async (_, pageOf) => {
    const cost = cpuCost((count: number) => parseHtml(pageOf(count)), hiddenIn);
    expect(await growthOf(cost, { from: 10_000 })).toBeLessThan(LINEAR_GROWTH);
  });
});
