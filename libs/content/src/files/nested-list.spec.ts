import { linesHtml } from './nested-list.js';

describe('linesHtml', () => {
  it.each([-1, -2, 1e9])('ends at level %d', (level) => {
    expect(linesHtml([{ html: 'a', level }, { html: 'b' }])).toBe('<ul><li>a</li></ul><p>b</p>');
  });
});
