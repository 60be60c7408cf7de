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
