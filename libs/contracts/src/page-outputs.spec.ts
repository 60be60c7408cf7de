import { JOB_FORMATS, outputValues } from './page-outputs.js';

describe('the outputs of a page', () => {
  it('are exactly the wanted ones; what the page lacks is empty', () => {
    const read = { markdown: '# A', links: ['http://a.example/'], rawHtml: undefined };
    expect(outputValues({ markdown: true, links: false }, read)).toEqual({ markdown: '# A' });
    const outputs = { rawHtml: true, html: true, links: true, listing: true, chunks: true };
    expect(outputValues({ ...outputs, branding: true, product: true }, {})).toEqual({
      ...{ rawHtml: '', html: '', links: [] },
      ...{ listing: null, branding: {}, product: null },
    });
  });

  it('of the pages of a job need no model', () => {
    expect(JOB_FORMATS).toEqual([
      ...['markdown', 'rawHtml', 'links', 'screenshot', 'branding', 'product'],
    ]);
  });
});
